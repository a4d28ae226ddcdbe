import type { Block } from './block.ts';
import { blockKinds, createCatalog, type Catalog } from './catalog.ts';

/** A block that was created and names blocks that are created further down (language.md section 4): in no catalog until they exist. */
export interface WaitingBlock {
  /** Typed against what is further down. */
  readonly block: Block;
  /** What must be created first, in words: `event 'Opened'`. */
  readonly waitsFor: readonly string[];
}

/** Everything that was created so far, for those who only show it: a block that waits stands in the place of what it replaces. */
export function withWaiting(catalog: Catalog, waiting: readonly WaitingBlock[]): Catalog {
  if (waiting.length === 0) return catalog;
  const all = new Map<string, Block>();
  const put = (block: Block): unknown => all.set(`${block.kind} ${block.name.toLowerCase()}`, block);
  for (const kind of blockKinds) catalog.blocks[kind].forEach(put);
  for (const { block } of waiting) put(block);
  return createCatalog(all.values());
}

/** What a block waits for, in words; undefined of one that waits for nothing. */
export function waitsFor(
  waiting: readonly WaitingBlock[],
  { kind, name }: Pick<Block, 'kind' | 'name'>,
): string | undefined {
  return waiting.find(({ block }) => block.kind === kind && block.name === name)?.waitsFor.join(', ');
}
