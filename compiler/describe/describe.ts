/**
 * DESCRIBE (docs/language.md#looking-at-the-registry). Takes a catalog, gives small tables of texts; they never contain a store's `ENV` values or
 * passwords, because the catalog has none.
 */
import type { Block } from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { writtenText } from '../../language/catalog/documented.ts';
import { waitsFor, withWaiting, type WaitingBlock } from '../../language/catalog/waiting-block.ts';
import type { BlockKind } from '../../language/contract/block-kind.ts';
import { describedAs } from './kinds.ts';

/** The result of DESCRIBE and EXPLAIN. */
export interface DescribedTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A block: its definition and its relations, as rows of `property | value`. `waits`: the blocks that a waiting block waits for, in words. */
export function describeBlock(catalog: Catalog, block: Block, waits?: string): DescribedTable {
  const { stamp } = block;
  const properties = [
    ['kind', block.kind],
    ['name', block.name],
    ['doc', block.docs?.block],
    ['waits for', waits],
    ...describedAs(block).relations(catalog, block),
    ['template', stamp && `${stamp.template} (${stamp.instance})`],
    ['definition', writtenText(block)],
  ] as const;
  const rows = properties.flatMap(([property, value]) =>
    value === undefined || value === '' ? [] : [[property, value]],
  );
  return { columns: ['property', 'value'], rows };
}

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
