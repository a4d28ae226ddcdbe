/**
 * Finds what of a script's change compiles now, and what waits for blocks further down. Blocks that wait are tried again when
 * something that they asked for arrives, all together, since they may need each other; what then still fails waits on.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { changedAnswers } from '../check-session.ts';
import type { RegistryChange } from '../registry.ts';
import { uncheckedEntry, type AskKey, type BlockKey, type Entry, type Workspace } from '../workspace.ts';
import { checkAll, compiles } from './check-all.ts';
import { viewWithForward } from './forward-view.ts';

export interface Settled {
  readonly workspace: Workspace;
  /** Of the blocks that are put. */
  readonly diagnostics: readonly Diagnostic[];
  /** Blocks that compiled before, are not put, and would not compile any more. */
  readonly broken: readonly Entry[];
}

interface Attempt {
  readonly entries: Map<BlockKey, Entry>;
  readonly changed: Set<AskKey>;
  /** Blocks that wait and are named by what is put. */
  readonly named: Set<BlockKey>;
}

export function settle(before: Workspace, puts: readonly Entry[], drops: readonly Entry[], change: RegistryChange): Settled {
  const options = { history: change.history, lenientPayload: change.lenientPayload === true, before: before.entries };
  const waiting = new Map(before.waiting);
  const attempt = beginAttempt(before, waiting, puts, drops);
  const putKeys = new Set(puts.map((entry) => entry.key));
  const candidates = new Set(putKeys);
  const waits = new Map<BlockKey, Entry>();
  let woken = false;
  let forward = before.forward;
  const diagnostics: Diagnostic[] = [];
  for (;;) {
    const checked = checkAll({ ...options, ...attempt });
    const failing = Array.from(checked.values()).filter((entry) => !compiles(entry));
    const failed = culprits(failing.filter((entry) => candidates.has(entry.key)));
    if (!woken && candidates.size > 0 && !failed.some((entry) => lacksForGood(entry, attempt, waiting))) {
      woken = true;
      nameMissing(failed, attempt);
      if (wake(attempt, waiting, candidates)) continue;
    }
    if (failed.length === 0) {
      for (const key of putKeys) if (!waits.has(key)) diagnostics.push(...(checked.get(key)?.checked?.diagnostics ?? []));
      const workspace: Workspace = {
        entries: new Map(Array.from(checked).filter(([, entry]) => compiles(entry))),
        waiting: new Map([...waiting, ...waits]),
        ...(forward === undefined ? {} : { forward }),
      };
      return { workspace, diagnostics, broken: failing };
    }
    const failedPuts = failed.filter((entry) => putKeys.has(entry.key));
    if (failedPuts.length > 0) {
      const view = viewWithForward(before, puts, drops, change);
      forward = view;
      const faults = failedPuts.map((entry) => ({ entry, seen: view.get(entry.key) ?? entry }));
      if (faults.some(({ seen }) => !compiles(seen))) {
        const said = faults.flatMap(({ entry, seen }) => (compiles(seen) ? [] : faultsOf(seen, entry)));
        // A put without errors of its own fails with what it breaks.
        const broken = said.length > 0 ? [] : failing.filter((entry) => !candidates.has(entry.key));
        return { workspace: before, diagnostics: said, broken };
      }
      for (const { entry, seen } of faults) waits.set(entry.key, waitingEntry(entry, seen));
    }
    for (const entry of failed) {
      candidates.delete(entry.key);
      takeBack(attempt, entry, before);
      if (!putKeys.has(entry.key)) waiting.set(entry.key, waitingEntry(entry, before.waiting.get(entry.key) ?? entry));
    }
  }
}

/** Those with errors of their own; the rest may only fail with them. */
function culprits(failed: readonly Entry[]): readonly Entry[] {
  const own = failed.filter((entry) => entry.checked?.diagnostics.some((diagnostic) => diagnostic.severity === 'error') === true);
  return own.length > 0 ? own : failed;
}

/** What a block is told that fails even with everything further down; of one that fails only through others, what it says alone. */
function faultsOf(seen: Entry, alone: Entry): readonly Diagnostic[] {
  const own = seen.checked?.diagnostics ?? [];
  return own.some((diagnostic) => diagnostic.severity === 'error') ? own : (alone.checked?.diagnostics ?? []);
}

function beginAttempt(before: Workspace, waiting: Map<BlockKey, Entry>, puts: readonly Entry[], drops: readonly Entry[]): Attempt {
  const entries = new Map(before.entries);
  const changed = new Set<AskKey>();
  const note = (old: Entry | undefined, now: Entry | undefined): void => {
    for (const key of changedAnswers(old, now)) changed.add(key);
  };
  for (const drop of drops) {
    note(drop, undefined);
    entries.delete(drop.key);
    waiting.delete(drop.key);
  }
  for (const put of puts) {
    note(entries.get(put.key), put);
    entries.set(put.key, put);
    waiting.delete(put.key);
  }
  return { entries, changed, named: new Set() };
}

/** The entry stays out: what stood there before stands again. */
function takeBack(attempt: Attempt, entry: Entry, before: Workspace): void {
  const old = before.entries.get(entry.key);
  for (const key of changedAnswers(entry, old)) attempt.changed.add(key);
  if (old === undefined) attempt.entries.delete(entry.key);
  else attempt.entries.set(entry.key, old);
}

/** Puts blocks that wait for something that has changed back in, and those that wait for these; true when there were any. */
function wake(attempt: Attempt, waiting: Map<BlockKey, Entry>, candidates: Set<BlockKey>): boolean {
  const before = candidates.size;
  for (let more = true; more; ) {
    more = false;
    for (const entry of waiting.values()) {
      const asked = attempt.named.has(entry.key) || Array.from(entry.checked?.asks ?? []).some((ask) => attempt.changed.has(ask));
      if (!asked || candidates.has(entry.key)) continue;
      const fresh = uncheckedEntry(entry);
      for (const key of changedAnswers(attempt.entries.get(entry.key), fresh)) attempt.changed.add(key);
      attempt.entries.set(entry.key, fresh);
      candidates.add(entry.key);
      waiting.delete(entry.key);
      more = true;
    }
  }
  return candidates.size > before;
}

/** A put that names waiting blocks wakes them too. */
function nameMissing(failed: readonly Entry[], attempt: Attempt): void {
  for (const entry of failed) for (const key of entry.checked?.missing ?? []) attempt.named.add(key);
}

/** Whether an entry names a block that neither exists nor waits: then nothing that waits can help it. */
function lacksForGood(entry: Entry, attempt: Attempt, waiting: ReadonlyMap<BlockKey, Entry>): boolean {
  return Array.from(entry.checked?.missing ?? []).some((key) => !attempt.entries.has(key) && !waiting.has(key));
}

/** A waiting block is typed by the view that includes what is further down, and woken by what it asked for without it. */
function waitingEntry(alone: Entry, seen: Entry): Entry {
  const block = seen.checked?.block;
  const { checked } = alone;
  if (checked === undefined) return alone;
  return { ...alone, checked: { ...checked, ...(block === undefined ? {} : { block }) } };
}
