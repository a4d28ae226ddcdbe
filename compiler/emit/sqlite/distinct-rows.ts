/** Rows of which equal ones become one, where SQLite's own comparison of rows would not find them equal. */
import type { BoundSelect, SortKey } from '../../../language/catalog/query.ts';
import type { Type } from '../../../language/values/type.ts';
import { isKeyed, keyText } from '../../functions/comparison-key.ts';
import { printOrderBy, sortsByKey } from './print-order.ts';
import { outputName, type Printer } from './printer.ts';

/**
 * A SELECT with its DISTINCT and ORDER BY: `items` is behind the word, `rest` from FROM on. `rest` is asked for after the ORDER BY is printed, whose
 * windows are named there. DISTINCT rows are sorted by result columns only.
 */
export function printItems(
  printer: Printer,
  select: BoundSelect,
  orderBy: readonly SortKey[],
  { items, rest }: { readonly items: string; readonly rest: () => string },
): string {
  const types = select.items.map(({ type }) => type);
  const order = printOrderBy(printer, orderBy, types);
  const grouped = select.distinct && types.some(isKeyed) && !printer.packed.has(select);
  if (!grouped && !sortsByKey(orderBy, types))
    return `SELECT ${select.distinct ? 'DISTINCT ' : ''}${items}${rest()}${order}`;
  // The OFFSET keeps SQLite from merging the queries, which would compute a volatile value at each use.
  const apart = `SELECT ${items}${rest()} LIMIT -1 OFFSET 0`;
  return (grouped ? groupEqual(apart, types) : `SELECT * FROM (${apart})`) + order;
}

/**
 * Prints a query that gives a row of each group of equal ones, which also agree in the columns named `others`. If equal values have
 * different texts it always has the same one, whatever the order of the rows.
 */
export function groupEqual(rows: string, types: readonly Type[], others: readonly string[] = []): string {
  const items = types.map((type, index) => {
    const name = outputName(index);
    return isKeyed(type) ? `MIN(d.${name}) AS ${name}` : `d.${name} AS ${name}`;
  });
  const keys = types.map((type, index) => keyText(`d.${outputName(index)}`, type));
  return `SELECT ${items.join(', ')} FROM (${rows}) AS d GROUP BY ${[...keys, ...others].join(', ')}`;
}
