import type { TypedExpression } from '../../catalog/expression.ts';
import type { BoundSelect, SortKey } from '../../catalog/query.ts';
import { printKey, printOrderBy } from './print-order.ts';
import { printFrom } from './print-relation.ts';
import { outputName, type Printer } from './printer.ts';

/** One SELECT with the ORDER BY of its query. */
export function printSelect(printer: Printer, select: BoundSelect, orderBy: readonly SortKey[]): string {
  const from = select.from === undefined ? '' : ` FROM ${printFrom(printer, select.from)}`;
  const where = select.where === undefined ? '' : ` WHERE ${printer.condition(select.where)}`;
  const items = select.items.map((item, index) => `${printer.expression(item)} AS ${outputName(index)}`).join(', ');
  if (select.aggregated && select.groupBy.length === 0) return printWhole(printer, select, items, from + where);
  const distinct = select.distinct ? 'DISTINCT ' : '';
  return `SELECT ${distinct}${items}${from}${where}${printGroups(printer, select)}${printOrderBy(printer, orderBy)}`;
}

function printGroups(printer: Printer, select: BoundSelect): string {
  if (select.groupBy.length === 0) return '';
  const keys = select.groupBy.map((key) => printKey(printer, key));
  const having = select.having === undefined ? '' : ` HAVING ${printer.condition(select.having)}`;
  return ` GROUP BY ${keys.join(', ')}${having}`;
}

/**
 * All rows as one group: one row comes out, so there is nothing to sort or to tell apart. SQLite takes a select for an aggregate,
 * and a HAVING at all, only where an aggregate stands among its items; where none surely does, a count joins them and is dropped again.
 */
function printWhole(printer: Printer, select: BoundSelect, items: string, rest: string): string {
  if (select.having === undefined && select.items.some(printsAggregate)) return `SELECT ${items}${rest}`;
  const names = select.items.map((_, index) => outputName(index)).join(', ');
  const having = select.having === undefined ? '1' : printer.condition(select.having);
  return `SELECT ${names} FROM (SELECT ${items}, ${having} AS h, COUNT(*) AS n${rest}) WHERE h`;
}

/** Functions may leave out arguments that cannot matter, such as what follows a constant in COALESCE. */
function printsAggregate(item: TypedExpression): boolean {
  return item.kind === 'aggregate' || (item.kind === 'cast' && printsAggregate(item.operand));
}
