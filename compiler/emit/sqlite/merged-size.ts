/**
 * How large the columns of a query are where SQLite merges it into the one around it: it puts the printed expression in each place that names
 * the column, so that in a row of queries with `n + n AS n` the expression more than doubles with each of them.
 */
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { PrintedRelation, Printer } from './printer.ts';

/** Columns that the expression of a merged column may name, once everything merged is in it. */
const mostNamed = 200;

/** For each column of a query, how many columns its expression names. */
export type ColumnSizes = readonly number[];

/** Whether a query with such columns must not be merged. */
export function growsTooLarge(sizes: ColumnSizes | undefined): boolean {
  return sizes?.some((size) => size > mostNamed) === true;
}

/** Of a query that was printed; undefined where it is never merged, or each column names one at most. */
export function sizesOf(printer: Printer, { body, limit, offset }: BoundQuery): ColumnSizes | undefined {
  if (body.kind !== 'select' || body.aggregated || body.distinct || limit !== undefined || offset !== undefined)
    return undefined;
  return printer.sizes.get(body);
}

/** Notes what the columns of a relation stand for that is merged. */
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

/** The sizes of printed items; undefined where each names one column at most. */
export function itemSizes(printer: Printer, items: readonly string[]): ColumnSizes | undefined {
  const sizes = items.map((item) => {
    let size = 0;
    for (const [column] of item.matchAll(printedColumn)) size += printer.columnSizes.get(column) ?? 1;
    return Math.max(1, size);
  });
  return sizes.some((size) => size > 1) ? sizes : undefined;
}
