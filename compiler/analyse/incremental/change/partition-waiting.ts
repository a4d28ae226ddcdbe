/**
 * Finds which blocks of a script's change compile now, and which wait for blocks created later. Waiting blocks are tried again when a block
 * that they depend on arrives, all together, since they may need each other; blocks that then still fail continue to wait.
 */
import type { Diagnostic } from '../../../../language/diagnostics/diagnostic.ts';
import { mapInSteps, type Steps } from '../../../../language/source/steps.ts';
import { changedAnswers } from '../block-checker.ts';
import type { RegistryChange } from '../../environment/registry.ts';
import type { BlockKey } from '../../../../language/contract/block-kind.ts';
import { uncheckedEntry, type AskKey, type Entry, type Workspace } from '../workspace.ts';
import { checkAll, compiles } from './check-all.ts';
import { viewWithForward } from './forward-view.ts';

export interface Partition {
  readonly workspace: Workspace;
  /** Diagnostics of the put blocks. */
  readonly diagnostics: readonly Diagnostic[];
  /** Blocks that compiled before, are not put, and would no longer compile. */
  readonly broken: readonly Entry[];
}

/** The blocks that are tried together: all that compile, the put ones, and the woken ones. */
interface Attempt {
  readonly entries: Map<BlockKey, Entry>;
  readonly changed: Set<AskKey>;
  /** Waiting blocks that a put block names. */
  readonly named: Set<BlockKey>;
  /** Blocks that wait and are not part of the attempt. */
  readonly waiting: Map<BlockKey, Entry>;
  /** Put and woken blocks that have not failed. */
  readonly candidates: Set<BlockKey>;
  /** Woken blocks that failed since the last success of another block. */
  readonly failed: Set<BlockKey>;
}

export function* partitionWaiting(
  before: Workspace,
  puts: readonly Entry[],
  drops: readonly Entry[],
  change: RegistryChange,
): Steps<Partition> {
  const options = { history: change.history, lenientPayload: change.lenientPayload === true, before: before.entries };
  const attempt = yield* beginAttempt(before, puts, drops);
  const putKeys = new Set(puts.map((entry) => entry.key));
  const waits = new Map<BlockKey, Entry>();
  let view: ReadonlyMap<BlockKey, Entry> | undefined;
  // Each wave of waking must leave more candidates than the one before.
  let provenCandidates = 0;
  let firstLook = true;
  for (;;) {
    const checked = yield* checkAll({ ...options, ...attempt });
    const failing = (yield* mapInSteps(checked.values(), (entry) => (compiles(entry) ? [] : [entry]))).flat();
    const failed = culprits(failing.filter((entry) => attempt.candidates.has(entry.key)));
    const hopeful = failed.length === 0 || (firstLook && !failed.some((entry) => lacksForGood(entry, attempt)));
    firstLook = false;
    if (hopeful && attempt.candidates.size > provenCandidates) {
      provenCandidates = failed.length === 0 ? attempt.candidates.size : 0;
      attempt.failed.clear();
      nameMissing(failed, attempt);
      if (attempt.waiting.size > 0 && wake(attempt, differing(checked, before))) continue;
    }
    if (failed.length === 0) {
      const said = yield* mapInSteps(puts, ({ key }) =>
        waits.has(key) ? [] : (checked.get(key)?.checked?.diagnostics ?? []),
      );
      const workspace: Workspace = {
        entries: failing.length === 0 ? checked : new Map(Array.from(checked).filter(([, entry]) => compiles(entry))),
        waiting: new Map([...attempt.waiting, ...waits]),
        ...(view === undefined ? keptView(before) : { forward: view }),
      };
      return { workspace, diagnostics: said.flat(), broken: failing };
    }
    const failedPuts = failed.filter((entry) => putKeys.has(entry.key));
    if (failedPuts.length > 0) {
      const further = (view ??= yield* viewWithForward(before, puts, drops, change));
      const faults = failedPuts.map((entry) => ({ entry, seen: further.get(entry.key) ?? entry }));
      const hopeless = faults.filter(({ seen }) => !compiles(seen));
      if (hopeless.length > 0) {
        const said = hopeless.flatMap(({ entry, seen }) => faultsOf(seen, entry));
        // A put block without errors of its own fails with the blocks it breaks.
        const broken = said.length > 0 ? [] : failing.filter((entry) => !attempt.candidates.has(entry.key));
        return { workspace: before, diagnostics: said, broken };
      }
      for (const { entry, seen } of faults) waits.set(entry.key, waitingEntry(entry, seen));
    }
    for (const entry of failed) takeBack(attempt, entry, before, putKeys.has(entry.key));
  }
}

function keptView({ forward }: Workspace): Pick<Workspace, 'forward'> {
  return forward === undefined ? {} : { forward };
}

/** Blocks with errors of their own; the rest may only fail because of them. */
function culprits(failed: readonly Entry[]): readonly Entry[] {
  const own = failed.filter(
    (entry) => entry.checked?.diagnostics.some((diagnostic) => diagnostic.severity === 'error') === true,
  );
  return own.length > 0 ? own : failed;
}

/** The diagnostics of a block that fails even with all later blocks; if it fails only through others, the diagnostics of its own check. */
function faultsOf(seen: Entry, alone: Entry): readonly Diagnostic[] {
  const own = seen.checked?.diagnostics ?? [];
  return own.some((diagnostic) => diagnostic.severity === 'error') ? own : (alone.checked?.diagnostics ?? []);
}

function* beginAttempt(before: Workspace, puts: readonly Entry[], drops: readonly Entry[]): Steps<Attempt> {
  const entries = new Map(before.entries);
  const waiting = new Map(before.waiting);
  const changed = new Set<AskKey>();
  const compare = (old: Entry | undefined, now: Entry | undefined): void => {
    for (const key of changedAnswers(old, now)) changed.add(key);
  };
  for (const drop of drops) {
    compare(drop, undefined);
    entries.delete(drop.key);
    waiting.delete(drop.key);
  }
  for (const put of puts) {
    compare(entries.get(put.key), put);
    entries.set(put.key, put);
    waiting.delete(put.key);
    yield;
  }
  return {
    entries,
    changed,
    named: new Set(),
    waiting,
    candidates: new Set(puts.map((put) => put.key)),
    failed: new Set(),
  };
}

/** The entry is removed and the previous one restored. A woken block waits again. */
function takeBack(attempt: Attempt, entry: Entry, before: Workspace, isPut: boolean): void {
  const old = before.entries.get(entry.key);
  for (const key of changedAnswers(entry, old)) attempt.changed.add(key);
  if (old === undefined) attempt.entries.delete(entry.key);
  else attempt.entries.set(entry.key, old);
  attempt.candidates.delete(entry.key);
  if (isPut) return;
  attempt.failed.add(entry.key);
  attempt.waiting.set(entry.key, waitingEntry(entry, before.waiting.get(entry.key) ?? entry));
}

/** Adds blocks that wait for something different, and those that wait for these; true when there were any. */
function wake(attempt: Attempt, different: ReadonlySet<AskKey>): boolean {
  const { entries, changed, named, waiting, candidates } = attempt;
  const size = candidates.size;
  for (let more = true; more;) {
    more = false;
    for (const entry of waiting.values()) {
      const asks = Array.from(entry.checked?.asks ?? []);
      const asked = named.has(entry.key) || asks.some((ask) => changed.has(ask) || different.has(ask));
      if (!asked || attempt.failed.has(entry.key)) continue;
      const fresh = uncheckedEntry(entry);
      for (const key of changedAnswers(entries.get(entry.key), fresh)) changed.add(key);
      entries.set(entry.key, fresh);
      candidates.add(entry.key);
      waiting.delete(entry.key);
      more = true;
    }
  }
  return candidates.size > size;
}

/** Blocks whose outcome is different: the put ones and others that depend on them. */
function differing(checked: ReadonlyMap<BlockKey, Entry>, before: Workspace): ReadonlySet<AskKey> {
  const keys = Array.from(checked).flatMap(([key, entry]) =>
    before.entries.get(key)?.checked?.block === entry.checked?.block ? [] : [key],
  );
  return new Set(keys);
}

/** A put block that names waiting blocks wakes them too. */
function nameMissing(failed: readonly Entry[], attempt: Attempt): void {
  for (const entry of failed) for (const key of entry.checked?.missing ?? []) attempt.named.add(key);
}

/** Whether an entry names a block that neither exists nor waits: then no waiting block can help it. */
function lacksForGood(entry: Entry, { entries, waiting }: Attempt): boolean {
  return Array.from(entry.checked?.missing ?? []).some((key) => !entries.has(key) && !waiting.has(key));
}

/** A waiting block has the type from the view with later blocks, and is woken by the dependencies of its check without them. */
function waitingEntry(alone: Entry, seen: Entry): Entry {
  const block = seen.checked?.block;
  const { checked } = alone;
  if (checked === undefined) return alone;
  return { ...alone, checked: { ...checked, ...(block === undefined ? {} : { block }) } };
}
