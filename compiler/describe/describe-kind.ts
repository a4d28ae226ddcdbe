import { typeName } from '../../language/values/type.ts';
import type { Block } from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { waitsFor, withWaiting, type WaitingBlock } from '../../language/catalog/waiting-block.ts';
import type { BlockKind } from '../../language/contract/block-kind.ts';
import type { DescribedTable } from './described.ts';

/** DESCRIBE AGGREGATES, COMMANDS, …: one row per block, with the properties that distinguish it. */
export function describeKind(catalog: Catalog, kind: BlockKind, waiting: readonly WaitingBlock[] = []): DescribedTable {
  const blocks: readonly Block[] = withWaiting(catalog, waiting).blocks[kind];
  const rows = blocks.map((block) => {
    const waits = waitsFor(waiting, block);
    return [block.name, waits === undefined ? summary(block) : `${summary(block)} (waits for ${waits})`];
  });
  return { columns: ['name', 'summary'], rows };
}

function summary(block: Block): string {
  switch (block.kind) {
    case 'aggregate':
      return block.events.length === 0 ? 'no events' : block.events.join(', ');
    case 'command':
    case 'event':
      return block.fields.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ');
    case 'decision':
      return `${block.command} on ${block.aggregate}: ${block.branches.flatMap(({ emits }) => emits.map(({ event }) => event)).join(', ')}`;
    case 'projection':
      return block.query.columns.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ');
    case 'eventstore':
      return block.options.map(({ key }) => key).join(', ');
    case 'template':
      return block.parameters.map(({ name }) => name).join(', ');
    default:
      return block satisfies never;
  }
}
