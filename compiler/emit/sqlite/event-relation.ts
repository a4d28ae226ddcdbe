import { sqliteCall } from '../../../language/sqlite/call.ts';
import { typeName, type Type } from '../../../language/values/type.ts';
import { widens } from '../../analyse/type/widens.ts';
import { findBlock, type Catalog } from '../../../language/catalog/catalog.ts';
import type { AggregateBlock, EventBlock } from '../../../language/catalog/block.ts';
import { literalSqlite } from '../../functions/cast.ts';
import { quoteSqlite } from '../../functions/sqlite-text.ts';
import { printObject, type ObjectMember } from './payload-form.ts';
import { printMask } from './print-mask.ts';
import { columnIndex, physicalNames, quoteIdentifier } from './physical-names.ts';
import type { PrintedRelation } from './printer.ts';

const text: Type = { kind: 'STRING' };
const aliases: Readonly<Record<string, string>> = { timestamp: 'occurred_at', aggregate_id: 'stream_id' };

/** `X$Events` under an alias. `extended`: an outer join may replace its rows by NULLs. */
export function eventRelation(catalog: Catalog, aggregate: string, alias: string, extended: boolean): PrintedRelation {
  const block = findBlock(catalog, 'aggregate', aggregate);
  if (block === undefined) throw new Error(`aggregate ${aggregate} is not in the catalog`);
  const position = `${alias}.global_position`;
  let short: ReadonlySet<string> | undefined;
  const column = (name: string): string => {
    const known = name.toLowerCase();
    if (known.startsWith('data.'))
      return payloadColumn(block, (short ??= shortColumns(catalog, block)), alias, name.slice('data.'.length));
    if (known === 'data') return printData(catalog, block, alias, false);
    if (known === 'stored_type') return `COALESCE(${alias}.stored_type, ${alias}.event_type)`;
    if (known === 'stream_type') return streamType(aggregate, extended ? position : undefined);
    return `${alias}.${quoteIdentifier(aliases[known] ?? known)}`;
  };
  return { witness: position, column, position, aggregate, maskedStruct: () => printData(catalog, block, alias, true) };
}

/** The constant of the relation, but NULL when an outer join found no row. */
function streamType(aggregate: string, position: string | undefined): string {
  const constant = literalSqlite(aggregate, text);
  return position === undefined ? constant : `(CASE WHEN ${position} IS NOT NULL THEN ${constant} END)`;
}

function payloadColumn(block: AggregateBlock, short: ReadonlySet<string>, alias: string, field: string): string {
  const column = block.payload[columnIndex(block.payload, field)];
  if (column === undefined) throw new Error(`no event of ${block.name} has a field ${field}`);
  const stored = storedColumn(alias, column.name);
  if (!short.has(column.name.toLowerCase())) return stored;
  const overflow = sqliteCall('overflow', quoteSqlite(typeName(column.type)), quoteSqlite(column.name));
  return `(CASE WHEN ${lacksCell(stored)} THEN ${overflow} ELSE ${stored} END)`;
}

function storedColumn(alias: string, name: string): string {
  return `${alias}.${quoteIdentifier(physicalNames.payload(name))}`;
}

/**
 * Lower-cased names of columns whose common type has too few digits for some value of one of its events
 * (`values/payload-cell.ts`).
 */
function shortColumns(catalog: Catalog, block: AggregateBlock): ReadonlySet<string> {
  const decimals = block.payload.filter(({ type }) => type.kind === 'DECIMAL');
  const types = new Map(decimals.map(({ name, type }) => [name.toLowerCase(), type]));
  const short = new Set<string>();
  if (types.size === 0) return short;
  for (const event of block.events)
    for (const { name, type: own } of findBlock(catalog, 'event', event)?.fields ?? []) {
      const shared = types.get(name.toLowerCase());
      if (shared !== undefined && !widens(own, shared)) short.add(name.toLowerCase());
    }
  return short;
}

function lacksCell(stored: string): string {
  return `typeof(${stored}) = 'text'`;
}

/**
 * `data`: for each type of event an object of its own fields, in payload forms; with masks, its SENSITIVE leaves are
 * hidden one by one.
 */
function printData(catalog: Catalog, block: AggregateBlock, alias: string, masked: boolean): string {
  const short = shortColumns(catalog, block);
  const branches = block.events.flatMap((name) => {
    const event = findBlock(catalog, 'event', name);
    if (event === undefined) return [];
    const members = membersOf(block, event, short, alias, masked);
    return [`WHEN ${literalSqlite(name, text)} THEN ${printObject(members)}`];
  });
  return branches.length === 0 ? 'NULL' : `(CASE ${alias}.event_type ${branches.join(' ')} END)`;
}

function membersOf(
  block: AggregateBlock,
  event: EventBlock,
  short: ReadonlySet<string>,
  alias: string,
  masked: boolean,
): readonly ObjectMember[] {
  return event.fields.flatMap((field) => {
    const column = block.payload[columnIndex(block.payload, field.name)];
    if (column === undefined) return [];
    const stored = storedColumn(alias, column.name);
    const member = { name: field.name, text: stored, type: column.type, own: field.type };
    if (masked && field.sensitive) return [{ ...member, text: printMask([stored], column.type) }];
    return [short.has(column.name.toLowerCase()) ? { ...member, asStored: lacksCell(stored) } : member];
  });
}
