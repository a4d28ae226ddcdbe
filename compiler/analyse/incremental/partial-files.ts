/**
 * Compiles files of which some blocks have errors: gives the blocks that compile without those, and the diagnostics
 * of all. Checks again only what a difference from the version before concerns.
 */
import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { BlockKey } from '../../../language/contract/block-kind.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { hasErrors } from '../../../language/diagnostics/has-errors.ts';
import type { Steps } from '../../../language/source/steps.ts';
import type { LostBlocks } from '../../syntax/grammar/lost-blocks.ts';
import { checkAll, compiles } from './change/check-all.ts';
import { checkFiles } from './change/check-files.ts';
import { withInstances } from './change/template-instances.ts';
import { changedAnswers, isBlockKey } from './block-checker.ts';
import { emptyRegistry, registryOf, workspaceOf } from './open-registry.ts';
import type { Registry, RegistryChange } from '../environment/registry.ts';
import { updateCatalog } from './update-catalog.ts';
import { emptyWorkspace, uncheckedEntry, type AskKey, type Entry, type Workspace } from './workspace.ts';

export type PartialChange = Pick<RegistryChange, 'put' | 'history' | 'instances' | 'lost'>;

export interface PartialFiles {
  /** Holds the blocks that compile, and nothing of the others. */
  readonly registry: Registry;
  /** Diagnostics of a whole compilation, but not yet in order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every block of the text as it was checked, with its uses. */
  readonly entries: readonly Entry[];
}

export interface PartialSteps {
  /** Steps that are not run to their end leave a version from which the next change is as right. */
  readonly change: (change: PartialChange) => Steps<PartialFiles>;
}

/** Keeps the version before. */
export function createPartialFiles(): PartialSteps {
  let all: Workspace = emptyWorkspace;
  let lost: LostBlocks | undefined;
  let sound: Registry = emptyRegistry;

  function* changed(change: PartialChange): Steps<PartialFiles> {
    const { history, instances = [] } = change;
    const whole = { ...change, mode: 'files', drop: [], forward: [] } as const;
    const checked = yield* checkFiles(whole, forgetful(all, change, lost), true);
    all = { entries: checked.entries, waiting: new Map(), history };
    lost = change.lost;
    const alone = yield* soundEntries(checked.entries, change);
    const entries = withInstances(alone, new Map(), Array.from(alone.values()), instances);
    const workspace: Workspace = { entries, waiting: new Map(), history };
    const catalog: Catalog = yield* updateCatalog(sound.catalog, workspaceOf(sound), workspace);
    sound = registryOf(workspace, catalog);
    return { registry: sound, diagnostics: checked.diagnostics, entries: Array.from(checked.entries.values()) };
  }

  return { change: changed };
}

/**
 * The version before without the checks of blocks with errors, if there are other names now, or in another order, or other text is broken:
 * their messages suggest names in the order of the text, and leave out names that broken text may have meant.
 */
function forgetful(before: Workspace, { put, lost }: PartialChange, lostBefore: LostBlocks | undefined): Workspace {
  const names = [...new Set(put.map(({ kind, name }) => `${kind} ${name.text}`))];
  const namesBefore = Array.from(before.entries.values(), (entry) => `${entry.tree().kind} ${entry.name}`);
  const sameNames = names.length === namesBefore.length && namesBefore.every((name, index) => name === names[index]);
  if (sameNames && JSON.stringify(lost) === JSON.stringify(lostBefore)) return before;
  const entries = Array.from(before.entries, ([key, entry]): [BlockKey, Entry] => [
    key,
    compiles(entry) ? entry : uncheckedEntry(entry),
  ]);
  return { ...before, entries: new Map(entries) };
}

/**
 * The blocks that compile with nothing but each other: those with errors go, and those that name them, until the rest compiles. The events
 * that land in an aggregate are found again without the removed decisions, so an aggregate can compile that did not compile with them.
 */
function* soundEntries(
  checked: ReadonlyMap<BlockKey, Entry>,
  { history }: PartialChange,
): Steps<ReadonlyMap<BlockKey, Entry>> {
  let entries = checked;
  for (;;) {
    const failed = Array.from(entries.values()).filter((entry) => !compiles(entry));
    if (failed.length === 0) return entries;
    const named = withoutHope(failed, entries);
    const gone = named.size > 0 ? named : new Set(failed);
    const left = Array.from(entries).flatMap(([key, entry]): [BlockKey, Entry][] =>
      gone.has(entry) ? [] : [[key, compiles(entry) ? entry : uncheckedEntry(entry)]],
    );
    entries = yield* checkAll({
      history,
      lenientPayload: false,
      before: new Map(),
      entries: new Map(left),
      changed: new Set(Array.from(gone).flatMap((entry) => changedAnswers(entry, undefined))),
      recordUses: true,
    });
  }
}

/** Failed blocks with errors of their own, and failed blocks that name one of these or a block that does not exist. */
function withoutHope(failed: readonly Entry[], entries: ReadonlyMap<BlockKey, Entry>): ReadonlySet<Entry> {
  const askers = new Map<AskKey, Entry[]>();
  const missing = new Set<AskKey>();
  for (const entry of failed) {
    // An aggregate names no event: it asks for those that land, and others do once a decision is gone.
    if (entry.kind === 'aggregate') continue;
    for (const ask of entry.checked?.asks ?? []) {
      askers.set(ask, [...(askers.get(ask) ?? []), entry]);
      if (isBlockKey(ask) && !entries.has(ask)) missing.add(ask);
    }
  }
  const gone = new Set(failed.filter((entry) => hasErrors(entry.checked?.diagnostics ?? [])));
  for (const ask of missing) for (const entry of askers.get(ask) ?? []) gone.add(entry);
  for (const { key } of gone) for (const entry of askers.get(key) ?? []) gone.add(entry);
  return gone;
}
