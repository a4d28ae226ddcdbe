/**
 * The size of a query's columns after SQLite has merged it into the query around it: SQLite repeats the printed
 * expression at each use of the column, so that in a chain of queries with `n + n AS n` the expression more than
 * doubles with each of them.
 */
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { PrintedRelation, Printer } from './printer.ts';

/** The most columns in the expression of a merged column, after everything is merged into it. */
const mostNamed = 200;

/** For each column of a query, the number of columns in its expression. */
export type ColumnSizes = readonly number[];

/** Whether a query with such columns must not be merged. */
export function growsTooLarge(sizes: ColumnSizes | undefined): boolean {
  return sizes?.some((size) => size > mostNamed) === true;
}

/** Sizes of a printed query; undefined when it is never merged, or when each column uses at most one. */
export function sizesOf(printer: Printer, { body, limit, offset }: BoundQuery): ColumnSizes | undefined {
  if (body.kind !== 'select' || body.aggregated || body.distinct || limit !== undefined || offset !== undefined)
    return undefined;
  return printer.sizes.get(body);
}

/** Records the sizes of the columns of a merged relation. */
export function recordSizes(
  printer: Printer,
  { column }: PrintedRelation,
  names: readonly { readonly name: string }[],
  sizes: ColumnSizes | undefined,
): void {
  if (sizes === undefined || growsTooLarge(sizes)) return;
  for (const [index, { name }] of names.entries()) printer.columnSizes.set(column(name), sizes[index] ?? 1);
}

/** A column of a relation instance as it is printed; no name in it begins with a digit. */
const printedColumn = /\br\d+\.(?:"(?:[^"]|"")*"|\w+)/g;

/** The sizes of printed items; undefined when each uses at most one column. */
export function itemSizes(printer: Printer, items: readonly string[]): ColumnSizes | undefined {
  const sizes = items.map((item) => {
    let size = 0;
    for (const [column] of item.matchAll(printedColumn)) size += printer.columnSizes.get(column) ?? 1;
    return Math.max(1, size);
  });
  return sizes.some((size) => size > 1) ? sizes : undefined;
}
