/**
 * The registry as it will be with the blocks further down in a script: what puts that name these are held against. What an earlier
 * view has checked stands, as long as nothing that it asked for is different.
 */
import { changedAnswers, createCheckSession } from '../check-session.ts';
import type { RegistryChange } from '../registry.ts';
import { uncheckedEntry, type AskKey, type BlockKey, type Entry, type Workspace } from '../workspace.ts';
import { createEntry } from './create-entry.ts';

/** All entries; those that the puts depend on are checked. */
export function viewWithForward(
  before: Workspace,
  puts: readonly Entry[],
  drops: readonly Entry[],
  change: RegistryChange,
): ReadonlyMap<BlockKey, Entry> {
  const last = before.forward ?? new Map<BlockKey, Entry>();
  const entries = gather(before, puts, drops, change);
  const changed = new Set<AskKey>();
  for (const [key, entry] of entries) {
    const old = last.get(key);
    if (old !== undefined && old.text === entry.text) entries.set(key, old);
    else {
      for (const answer of changedAnswers(old, entry)) changed.add(answer);
      // A check that was made without what is further down does not hold with it.
      entries.set(key, uncheckedEntry(entry));
    }
  }
  for (const [key, old] of last)
    if (!entries.has(key)) for (const answer of changedAnswers(old, undefined)) changed.add(answer);
  const session = createCheckSession({
    entries,
    changed,
    history: change.history,
    lenientPayload: change.lenientPayload === true,
    before: before.entries,
    tolerant: true,
  });
  for (const put of puts) session.bring(put.key);
  return forget(entries, (key) => session.brought(key)?.entry, changed);
}

/** What stands already comes before what is further down; of that, a name means its next CREATE. */
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
    const entry = createEntry(statement); // a statement is in the view of every statement before it
    if (!entries.has(entry.key)) entries.set(entry.key, entry);
  }
  return entries;
}

/** The entries with the checks that hold now; older checks that rest on something different are dropped, and those that rest on them. */
function forget(
  entries: ReadonlyMap<BlockKey, Entry>,
  brought: (key: BlockKey) => Entry | undefined,
  changed: ReadonlySet<AskKey>,
): ReadonlyMap<BlockKey, Entry> {
  const stale = new Set<AskKey>(changed);
  const kept = new Map<BlockKey, Entry>();
  for (const [key, entry] of entries) {
    const now = brought(key);
    if (now !== undefined && now.checked !== entry.checked) stale.add(key);
    kept.set(key, now ?? entry);
  }
  for (let more = true; more;) {
    more = false;
    for (const [key, entry] of kept) {
      if (entry.checked === undefined || brought(key) !== undefined) continue;
      if (!Array.from(entry.checked.asks).some((ask) => stale.has(ask))) continue;
      kept.set(key, uncheckedEntry(entry));
      stale.add(key);
      more = true;
    }
  }
  return kept;
}
