import { blockKinds, type BlockKind } from '../contract/block-kind.ts';
import type { Block, BlockOf } from './block.ts';

/**
 * The registry, resolved and typed: the input of emitters, plans, `meta_*`, EXPORT and OpenAPI. Immutable plain data that can be written as
 * JSON and read back. `format` is raised whenever its shape changes.
 */
export interface Catalog {
  readonly format: 1;
  /** By kind, each sorted by name. */
  readonly blocks: { readonly [K in BlockKind]: readonly BlockOf<K>[] };
}

/** A catalog of these blocks, in canonical order. */
export function createCatalog(blocks: Iterable<Block>): Catalog {
  const byKind = Object.fromEntries(blockKinds.map((kind) => [kind, []])) as unknown as {
    readonly [K in BlockKind]: BlockOf<K>[]; // an empty list is one of any kind
  };
  for (const block of blocks) (byKind[block.kind] as Block[]).push(block);
  for (const kind of blockKinds) byKind[kind].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { format: 1, blocks: byKind };
}

export const emptyCatalog: Catalog = createCatalog([]);

/** Every block, kind by kind. */
export function allBlocks({ blocks }: Catalog): readonly Block[] {
  return blockKinds.flatMap((kind): readonly Block[] => blocks[kind]);
}

/** The block of that kind and exact name, if there is one. */
export function findBlock<K extends BlockKind>(catalog: Catalog, kind: K, name: string): BlockOf<K> | undefined {
  const blocks: readonly BlockOf<K>[] = catalog.blocks[kind];
  return blocks.find((block) => block.name === name);
}
