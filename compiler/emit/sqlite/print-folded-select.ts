import type { Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { conjunction } from '../../../language/catalog/map-expression.ts';
import type { BoundSelect, SortKey } from '../../../language/catalog/query.ts';
import { foldSelect, FOLD_ROW, type FoldedSelect } from '../../plan/fold-select.ts';
import { printItems } from './distinct-rows.ts';
import { quoteIdentifier } from './physical-names.ts';
import { outputName, type Printer } from './printer.ts';

/** The rest of a SELECT over the rows of its fold; undefined when it has no fold, or folds are not read. */
export function printFoldedSelect(
  printer: Printer,
  select: BoundSelect,
  orderBy: readonly SortKey[],
): string | undefined {
  if (printer.keepFold === undefined) return undefined;
  const folded = foldSelect(select, orderBy, 'outer');
  if (typeof folded === 'string') return undefined;
  printer.reads(`${folded.fold.aggregate}$Events`);
  const view = `${quoteIdentifier(printer.keepFold(folded.fold))} AS f`;
  const looked = conjunction(
    folded.given.flatMap((given, index) => givenPart(given, folded.fold.key[index]?.type, index)),
  );
  // Without GROUP BY there is one row even when nothing is found; its counts are 0.
  const always = folded.always && looked !== undefined;
  printer.relations.set(FOLD_ROW, {
    witness: 'f.k0',
    column: (name) => (always && isCount(folded, name) ? `COALESCE(f.${name}, 0)` : `f.${name}`),
  });
  const on = looked === undefined ? '' : printer.restriction(looked);
  const having = folded.having === undefined ? [] : [printer.restriction(folded.having)];
  const conditions = always || on === '' ? having : [on, ...having];
  const from = always ? `(SELECT 1) AS o LEFT JOIN ${view} ON ${on}` : view;
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const items = folded.items.map((item, index) => `${printer.expression(item)} AS ${outputName(index)}`).join(', ');
  return printItems(printer, select, folded.orderBy, { items, rest: () => ` FROM ${from}${where}` });
}

function givenPart(
  given: TypedExpression | undefined,
  type: Type | undefined,
  index: number,
): readonly TypedExpression[] {
  if (given === undefined || type === undefined) return [];
  const facts = { nullable: true, sensitive: false };
  const part: TypedExpression = { kind: 'column', relation: FOLD_ROW, column: `k${index}`, type, ...facts };
  return [{ kind: 'call', function: 'equal', arguments: [part, given], type: { kind: 'BOOLEAN' }, ...facts }];
}

function isCount({ fold }: FoldedSelect, column: string): boolean {
  return column.startsWith('s') && fold.slots[Number(column.slice(1))]?.function === 'COUNT';
}
