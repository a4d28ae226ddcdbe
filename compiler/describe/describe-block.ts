/**
 * DESCRIBE of one block: its definition and its relations. Takes a catalog, gives a table of texts; it never contains a store's `ENV`
 * values or passwords, because the catalog has none.
 */
import type { Block } from '../../language/catalog/block.ts';
import { writtenText } from '../../language/catalog/documented.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { properties, type DescribedTable, type Property } from './described.ts';
import { describedAs } from './kinds.ts';

/** `waits`: the blocks that a waiting block waits for, in words. */
export function describeBlock(catalog: Catalog, block: Block, waits?: string): DescribedTable {
  const stamp: Property = [
    'template',
    block.stamp === undefined ? undefined : `${block.stamp.template} (${block.stamp.instance})`,
  ];
  return properties([
    ['kind', block.kind],
    ['name', block.name],
    ['doc', block.docs?.block],
    ['waits for', waits],
    ...describedAs(block).relations(catalog, block),
    stamp,
    ['definition', writtenText(block)],
  ]);
}
