/**
 * A recursive UNION with INTERVALs, or lists of them. SQLite compares the rows of a recursion by itself, so such columns are packed in it: equal values
 * differ in the case of letters alone, and the column's collation is NOCASE. Each reader of the table unpacks them.
 */
import type { BoundQuery, BoundSetOperation } from '../../../language/catalog/query.ts';
import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { Type } from '../../../language/values/type.ts';
import { isKeyed } from '../../functions/comparison-key.ts';
import { groupEqual } from './distinct-rows.ts';
import { columnIndex } from './physical-names.ts';
import { outputName, type PrintedRelation, type Printer } from './printer.ts';

export function comparesIntervals({ columns }: BoundQuery, { all, right }: BoundSetOperation): boolean {
  const compares = !all || (right.kind === 'select' && right.distinct);
  return compares && columns.some(({ type }) => isKeyed(type));
}

/** The body of the table; its step must be printed after it is known to be packed. */
export function printPacked(printer: Printer, query: BoundQuery, { all, left, right }: BoundSetOperation): string {
  const types = query.columns.map(({ type }) => type);
  printer.packed.add(query).add(right);
  const bare = { ...query, with: [], recursive: false };
  const rows = printer.query({ ...bare, body: left });
  const start = all ? rows : groupEqual(rows, types);
  const items = types.map((type, index) => {
    const name = outputName(index);
    return isKeyed(type) ? `${packed(name)} AS ${name}` : name;
  });
  return `SELECT ${items.join(', ')} FROM (${start}) UNION ${all ? 'ALL ' : ''}${printer.query({ ...bare, body: right })}`;
}

/** An item of a select as the table has it. */
export function packedIn(printer: Printer, select: BoundQuery['body'], type: Type, text: string): string {
  return isKeyed(type) && printer.packed.has(select) ? packed(text) : text;
}

function packed(text: string): string {
  return `${sqliteCall('packIntervals', text)} COLLATE NOCASE`;
}

/** The columns of a common table as they were before they were packed. */
export function unpackedOf(printer: Printer, query: BoundQuery | undefined, printed: PrintedRelation): PrintedRelation {
  if (query === undefined || !printer.packed.has(query)) return printed;
  const column = (name: string): string => {
    const type = query.columns[columnIndex(query.columns, name)]?.type;
    const text = printed.column(name);
    return type !== undefined && isKeyed(type) ? sqliteCall('unpackIntervals', text) : text;
  };
  return { ...printed, column };
}
