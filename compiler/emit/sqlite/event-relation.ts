import type { Type } from '../../../runtime/values/type.ts';
import { findBlock, type Catalog } from '../../catalog/catalog.ts';
import type { AggregateBlock, EventBlock } from '../../catalog/block.ts';
import { literalSqlite } from '../../functions/cast.ts';
import { printObject, type ObjectMember } from './payload-form.ts';
import { printMask } from './print-mask.ts';
import { columnIndex, physicalNames, quoteIdentifier } from './physical-names.ts';
import type { PrintedRelation } from './printer.ts';

const text: Type = { kind: 'STRING' };
const aliases: Readonly<Record<string, string>> = { timestamp: 'occurred_at', aggregate_id: 'stream_id' };

/** `X$Events` under an alias. `extended`: an outer join may stand NULLs for its rows. */
export function eventRelation(catalog: Catalog, aggregate: string, alias: string, extended: boolean): PrintedRelation {
  const block = findBlock(catalog, 'aggregate', aggregate);
  if (block === undefined) throw new Error(`aggregate ${aggregate} is not in the catalog`);
  const position = `${alias}.global_position`;
  const column = (name: string): string => {
    const known = name.toLowerCase();
    if (known.startsWith('data.')) return payloadColumn(block, alias, name.slice('data.'.length));
    if (known === 'data') return printData(catalog, block, alias, false);
    if (known === 'stream_type') return streamType(aggregate, extended ? position : undefined);
    return `${alias}.${quoteIdentifier(aliases[known] ?? known)}`;
  };
  return { witness: position, column, position, aggregate, maskedStruct: () => printData(catalog, block, alias, true) };
}

/** A constant of the relation, and so NULL where an outer join found no row. */
function streamType(aggregate: string, position: string | undefined): string {
  const constant = literalSqlite(aggregate, text);
  return position === undefined ? constant : `(CASE WHEN ${position} IS NOT NULL THEN ${constant} END)`;
}

function payloadColumn(block: AggregateBlock, alias: string, field: string): string {
  const column = block.payload[columnIndex(block.payload, field)];
  if (column === undefined) throw new Error(`no event of ${block.name} has a field ${field}`);
  return `${alias}.${quoteIdentifier(physicalNames.payload(column.name))}`;
}

/** `data`: for each type of event an object of its own fields, in payload forms; with masks, its SENSITIVE leaves hidden one by one. */
function printData(catalog: Catalog, block: AggregateBlock, alias: string, masked: boolean): string {
  const branches = block.events.flatMap((name) => {
    const event = findBlock(catalog, 'event', name);
    if (event === undefined) return [];
    return [`WHEN ${literalSqlite(name, text)} THEN ${printObject(membersOf(block, event, alias, masked))}`];
  });
  return branches.length === 0 ? 'NULL' : `(CASE ${alias}.event_type ${branches.join(' ')} END)`;
}

function membersOf(block: AggregateBlock, event: EventBlock, alias: string, masked: boolean): readonly ObjectMember[] {
  return event.fields.flatMap((field) => {
    const column = block.payload[columnIndex(block.payload, field.name)];
    if (column === undefined) return [];
    const stored = `${alias}.${quoteIdentifier(physicalNames.payload(column.name))}`;
    const member = { name: field.name, text: stored, type: column.type, own: field.type };
    return [masked && field.sensitive ? { ...member, text: printMask([stored], column.type) } : member];
  });
}
