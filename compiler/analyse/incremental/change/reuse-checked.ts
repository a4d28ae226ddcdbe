import { changedAnswers } from '../block-checker.ts';
import type { StoredDefinition, StoredHistory } from '../../environment/registry.ts';
import { type BlockKey, blockKey } from '../../../../language/contract/block-kind.ts';
import { landingKey, type AskKey, type Entry, type Workspace } from '../workspace.ts';
import type { PutPlan } from './plan-puts.ts';

/**
 * The entries of files, with the checks that an earlier workspace of files has for the very same trees, and the differences from it. A
 * block with the same text in another place of its file is another tree: its diagnostics have another place.
 */
export function reuseChecked(
  puts: PutPlan['puts'],
  before: Workspace,
  history: StoredHistory,
): { readonly entries: ReadonlyMap<BlockKey, Entry>; readonly changed: ReadonlySet<AskKey> } {
  const entries = new Map(puts.map(({ entry }): [BlockKey, Entry] => [entry.key, entry]));
  if (before.history === undefined) return { entries, changed: new Set() };
  const changed = new Set(historyAnswers(before.history, history));
  for (const [key, entry] of entries) {
    const old = before.entries.get(key);
    if (old !== undefined && old.tree() === entry.tree()) entries.set(key, old);
    else for (const answer of changedAnswers(old, entry)) changed.add(answer);
  }
  for (const [key, old] of before.entries)
    if (!entries.has(key)) for (const answer of changedAnswers(old, undefined)) changed.add(answer);
  return { entries, changed };
}

/**
 * Dependencies that can differ between two histories. Counts are left out: each command changes them, and only the warning about a
 * definition that is not yet in force shows them.
 */
function historyAnswers(before: StoredHistory, after: StoredHistory): readonly AskKey[] {
  if (before === after) return [];
  const landed = differing(before.landed, after.landed);
  const definitions = differing(before.definitions.map(restrictionOf), after.definitions.map(restrictionOf));
  const versions = differing(before.versions, after.versions);
  const events = [...definitions, ...versions].map(({ event }) => blockKey('event', event));
  return [...landed.map(({ aggregate }) => landingKey(aggregate)), ...events];
}

/** A definition as far as the rules depend on it: only whether it has events. */
function restrictionOf({
  count,
  ...definition
}: StoredDefinition): Omit<StoredDefinition, 'count'> & { stored: boolean } {
  return { ...definition, stored: count > 0 };
}

/** Items of only one of the lists. */
function differing<T extends object>(before: readonly T[], after: readonly T[]): readonly T[] {
  const known = new Map(before.map((one) => [JSON.stringify(one), one]));
  const added = after.filter((one) => !known.delete(JSON.stringify(one)));
  return [...known.values(), ...added];
}
