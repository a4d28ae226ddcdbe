import { type BlockKey, blockKey } from '../../../../language/contract/block-kind.ts';
import type { Diagnostic } from '../../../../language/diagnostics/diagnostic.ts';
import type { Steps } from '../../../../language/source/steps.ts';
import type { RegistryChange, StoredDefinition, StoredHistory } from '../../environment/registry.ts';
import { type AskKey, type Entry, landingKey, type Workspace } from '../workspace.ts';
import { checkAll } from './check-all.ts';
import { planFiles, type PutPlan } from './plan-puts.ts';
import { changedAnswers } from '../block-checker.ts';

export interface CheckedFiles {
  readonly plan: PutPlan;
  /** Every block that is put, checked. */
  readonly entries: ReadonlyMap<BlockKey, Entry>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks files as one compilation against the checks of the version before; `recordUses`: with the uses of names. */
export function* checkFiles(change: RegistryChange, before: Workspace, recordUses = false): Steps<CheckedFiles> {
  const plan = yield* planFiles(change.put, before.entries);
  const { entries, changed } = reuseChecked(plan.puts, before, change.history);
  const { history, lost } = change;
  // Versions come from the stored history alone, so that files give the same registry, whatever preceded it.
  const checked = yield* checkAll({
    history,
    lenientPayload: change.lenientPayload === true,
    accepted: change.accepted === true,
    before: new Map(),
    entries,
    changed,
    ...(recordUses && { recordUses }),
    ...(lost === undefined ? {} : { lost }),
  });
  const found = Array.from(checked.values()).flatMap((entry) => entry.checked?.diagnostics ?? []);
  return { plan, entries: checked, diagnostics: [...plan.diagnostics, ...found] };
}

/**
 * The entries of files, with the checks that an earlier workspace of files has for the very same trees, and the differences from it. A
 * block with the same text in another place of its file is another tree: its diagnostics have another place.
 */
function reuseChecked(
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
