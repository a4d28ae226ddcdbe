import type { Block } from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { waitsFor, withWaiting, type WaitingBlock } from '../../language/catalog/waiting-block.ts';
import type { BlockKind } from '../../language/contract/block-kind.ts';
import type { DescribedTable } from './described.ts';
import { describedAs } from './kinds.ts';

/** DESCRIBE AGGREGATES, COMMANDS, …: one row per block, with the properties that distinguish it. */
export function describeKind(catalog: Catalog, kind: BlockKind, waiting: readonly WaitingBlock[] = []): DescribedTable {
  const blocks: readonly Block[] = withWaiting(catalog, waiting).blocks[kind];
  const rows = blocks.map((block) => {
    const waits = waitsFor(waiting, block);
    const summary = describedAs(block).summary(block);
    return [block.name, waits === undefined ? summary : `${summary} (waits for ${waits})`];
  });
  return { columns: ['name', 'summary'], rows };
}
