import { blockKey, blockKinds } from '../contract/block-kind.ts';
import type { Block } from './block.ts';
import { createCatalog, type Catalog } from './catalog.ts';

/** A block that was created and names blocks that are created later in the text (docs/language.md#blocks). It is in no catalog until they exist. */
export interface WaitingBlock {
  /** Typed against the definitions later in the text. */
  readonly block: Block;
  /** The blocks that must be created first, in words: `event 'Opened'`. */
  readonly waitsFor: readonly string[];
}

/** Everything created so far, only for display: a waiting block takes the place of the block it replaces. */
export function withWaiting(catalog: Catalog, waiting: readonly WaitingBlock[]): Catalog {
  if (waiting.length === 0) return catalog;
  const all = new Map<string, Block>();
  const put = (block: Block): unknown => all.set(blockKey(block.kind, block.name), block);
  for (const kind of blockKinds) catalog.blocks[kind].forEach(put);
  for (const { block } of waiting) put(block);
  return createCatalog(all.values());
}

/** The blocks that a block waits for, in words; undefined if it waits for none. */
export function waitsFor(
  waiting: readonly WaitingBlock[],
  { kind, name }: Pick<Block, 'kind' | 'name'>,
): string | undefined {
  return waiting.find(({ block }) => block.kind === kind && block.name === name)?.waitsFor.join(', ');
}
