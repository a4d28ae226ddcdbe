import type { AggregateBlock, Block } from '../../language/catalog/block.ts';
import { createCatalog, type Catalog } from '../../language/catalog/catalog.ts';
import { blockKey, blockKinds } from '../../language/contract/block-kind.ts';
import type { SourceFile } from '../../language/source/source-file.ts';

/**
 * The blocks of a text that is being typed: blocks that compile, and of a block with errors the last form that compiled, as long as its
 * name is in the text. An aggregate keeps the fields of events whose decision has errors.
 */
export function knownBlocks(before: Catalog, now: Catalog, sources: readonly SourceFile[]): Catalog {
  const blocks = new Map(all(now).map((block) => [blockKey(block.kind, block.name), block]));
  for (const block of all(before)) {
    const key = blockKey(block.kind, block.name);
    const present = blocks.get(key);
    if (present === undefined) {
      if (sources.some(({ text }) => text.includes(block.name))) blocks.set(key, block);
    } else if (present.kind === 'aggregate' && block.kind === 'aggregate') blocks.set(key, withFields(present, block));
  }
  return createCatalog(blocks.values());
}

function all({ blocks }: Catalog): readonly Block[] {
  return blockKinds.flatMap((kind): readonly Block[] => blocks[kind]);
}

function withFields(now: AggregateBlock, before: AggregateBlock): AggregateBlock {
  const lost = before.payload.filter(({ name }) => !now.payload.some((field) => field.name === name));
  if (lost.length === 0) return now;
  const columns = before.state.columns.filter(({ name }) => !now.state.columns.some((column) => column.name === name));
  return {
    ...now,
    payload: [...now.payload, ...lost],
    state: { ...now.state, columns: [...now.state.columns, ...columns] },
  };
}
