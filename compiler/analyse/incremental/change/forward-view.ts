/**
 * The registry including the blocks that a script creates later: puts that name these are checked against it. Checks of an earlier view
 * stay valid while nothing they depend on is different.
 */
import { changedAnswers, createBlockChecker } from '../block-checker.ts';
import type { RegistryChange } from '../../environment/registry.ts';
import type { Steps } from '../../../../language/source/steps.ts';
import type { BlockKey } from '../../../../language/contract/block-kind.ts';
import { uncheckedEntry, type AskKey, type Entry, type Workspace } from '../workspace.ts';
import { createEntry } from './create-entry.ts';

/** All entries; those that the puts depend on are checked. A step for each entry. */
export function* viewWithForward(
  before: Workspace,
  puts: readonly Entry[],
  drops: readonly Entry[],
  change: RegistryChange,
): Steps<ReadonlyMap<BlockKey, Entry>> {
  const last = before.forward ?? new Map<BlockKey, Entry>();
  const entries = gather(before, puts, drops, change);
  const changed = new Set<AskKey>();
  for (const [key, entry] of entries) {
    const old = last.get(key);
    if (old !== undefined && old.text === entry.text) entries.set(key, old);
    else {
      for (const answer of changedAnswers(old, entry)) changed.add(answer);
      // A check without the later blocks is not valid together with them.
      entries.set(key, uncheckedEntry(entry));
    }
    yield;
  }
  for (const [key, old] of last)
    if (!entries.has(key)) for (const answer of changedAnswers(old, undefined)) changed.add(answer);
  const checker = createBlockChecker({
    entries,
    changed,
    history: change.history,
    lenientPayload: change.lenientPayload === true,
    before: before.entries,
    tolerant: true,
  });
  for (const put of puts) {
    checker.ensureChecked(put.key);
    yield;
  }
  return forget(entries, (key) => checker.checked(key)?.entry, changed);
}

/** Existing blocks come before blocks created later; the name of a later block means its next CREATE. */
function gather(
  before: Workspace,
  puts: readonly Entry[],
  drops: readonly Entry[],
  change: RegistryChange,
): Map<BlockKey, Entry> {
  const entries = new Map([...before.entries, ...before.waiting]);
  for (const drop of drops) entries.delete(drop.key);
  for (const put of puts) entries.set(put.key, put);
  for (const statement of change.forward) {
    const entry = createEntry(statement); // a statement belongs to the view of every earlier statement
    if (!entries.has(entry.key)) entries.set(entry.key, entry);
  }
  return entries;
}

/** The entries with the checks that are still valid; older checks that depend on a difference are dropped, and those that depend on them. */
function forget(
  entries: ReadonlyMap<BlockKey, Entry>,
  outcome: (key: BlockKey) => Entry | undefined,
  changed: ReadonlySet<AskKey>,
): ReadonlyMap<BlockKey, Entry> {
  const stale = new Set<AskKey>(changed);
  const kept = new Map<BlockKey, Entry>();
  for (const [key, entry] of entries) {
    const now = outcome(key);
    if (now !== undefined && now.checked !== entry.checked) stale.add(key);
    kept.set(key, now ?? entry);
  }
  for (let more = true; more;) {
    more = false;
    for (const [key, entry] of kept) {
      if (entry.checked === undefined || outcome(key) !== undefined) continue;
      if (!Array.from(entry.checked.asks).some((ask) => stale.has(ask))) continue;
      kept.set(key, uncheckedEntry(entry));
      stale.add(key);
      more = true;
    }
  }
  return kept;
}
