import type { Block } from '../../../language/catalog/block.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { type BlockKind, blockKinds } from '../../../language/contract/block-kind.ts';
import type { Steps } from '../../../language/source/steps.ts';
import type { Workspace } from './workspace.ts';

/** The catalog of `after`, given that of `before`: only lists of kinds with a different block are made again. A step for each entry. */
export function* updateCatalog(catalog: Catalog, before: Workspace, after: Workspace): Steps<Catalog> {
  const changed = new Map<BlockKind, Map<string, Block | undefined>>();
  const change = (kind: BlockKind, name: string, block: Block | undefined): void => {
    const names = changed.get(kind) ?? new Map<string, Block | undefined>();
    names.set(name, block);
    changed.set(kind, names);
  };
  for (const [key, entry] of before.entries) if (!after.entries.has(key)) change(entry.kind, entry.name, undefined);
  for (const [key, entry] of after.entries) {
    const block = entry.checked?.block;
    if (block !== undefined && before.entries.get(key)?.checked?.block !== block) change(entry.kind, entry.name, block);
    yield;
  }
  if (changed.size === 0) return catalog;
  const blocks: Record<BlockKind, readonly Block[]> = { ...catalog.blocks };
  for (const kind of blockKinds) {
    const names = changed.get(kind);
    if (names !== undefined) blocks[kind] = merged(catalog.blocks[kind], names);
  }
  return { format: 1, blocks: blocks as Catalog['blocks'] }; // each list keeps to its kind
}

/** Sorted blocks with some replaced, added or removed. */
function merged(sorted: readonly Block[], names: ReadonlyMap<string, Block | undefined>): readonly Block[] {
  const kept = sorted.filter((block) => !names.has(block.name));
  for (const block of names.values()) if (block !== undefined) kept.push(block);
  return kept.sort((a, b) => (a.name < b.name ? -1 : 1));
}
