import { recursionStep } from '../../../language/sqlite/moment.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundRelation, BoundSelect, SortKey } from '../../../language/catalog/query.ts';
import { printItems } from './distinct-rows.ts';
import { itemSizes } from './merged-size.ts';
import { printKey } from './print-order.ts';
import { printFrom } from './print-relation.ts';
import { packedIn } from './print-recursion.ts';
import { printWindows } from './print-window.ts';
import { instancesOf } from './shape.ts';
import { outputName, type Level, type Printer } from './printer.ts';
import type { Type } from '../../../language/values/type.ts';
import { conjunction } from '../../../language/catalog/map-expression.ts';
import { foldSelect, FOLD_ROW, type FoldedSelect } from '../../plan/fold-select.ts';
import { quoteIdentifier } from './physical-names.ts';

/** Prints a SELECT with the ORDER BY of its query. */
export function printSelect(printer: Printer, select: BoundSelect, orderBy: readonly SortKey[]): string {
  const folded = printFoldedSelect(printer, select, orderBy);
  if (folded !== undefined) return folded;
  const from = select.from === undefined ? '' : ` FROM ${printFrom(printer, select.from)}`;
  printer.levels.push(levelOf(printer, select.from));
  const text = printClauses(printer, select, from, orderBy);
  printer.levels.pop();
  return text;
}

/** A select without FROM has no column for an aggregate to name; it gets one. */
const noRelation = ' FROM (SELECT 1 AS c0) AS r';

function levelOf(printer: Printer, from: BoundRelation | undefined): Level {
  const relations = from === undefined ? [] : instancesOf(from);
  const [first] = relations;
  const witness = first === undefined ? `r.${outputName(0)}` : (printer.relations.get(first)?.witness ?? '');
  return { relations: new Set(relations), witness, windows: new Map() };
}

function printClauses(printer: Printer, select: BoundSelect, from: string, orderBy: readonly SortKey[]): string {
  const where = printWhere(printer, select);
  const printed = select.items.map((item) => packedIn(printer, select, item.type, printer.expression(item)));
  const sizes = itemSizes(printer, printed);
  if (sizes !== undefined) printer.sizes.set(select, sizes);
  const items = printed.map((item, index) => `${item} AS ${outputName(index)}`).join(', ');
  if (select.aggregated && select.groupBy.length === 0) {
    return printWhole(printer, select, items, (select.from === undefined ? noRelation : from) + where);
  }
  const groups = printGroups(printer, select);
  return printItems(printer, select, orderBy, {
    items,
    rest: () => `${from}${where}${groups}${printWindows(printer)}`,
  });
}

function printWhere(printer: Printer, select: BoundSelect): string {
  const condition = select.where === undefined ? undefined : printer.restriction(select.where);
  if (!printer.steps.has(select)) return condition === undefined ? '' : ` WHERE ${condition}`;
  return condition === undefined ? ` WHERE ${recursionStep}()` : ` WHERE (${condition}) AND ${recursionStep}()`;
}

function printGroups(printer: Printer, select: BoundSelect): string {
  if (select.groupBy.length === 0) return '';
  const keys = select.groupBy.map((key) => printKey(printer, key));
  const having = select.having === undefined ? '' : ` HAVING ${printer.restriction(select.having)}`;
  return ` GROUP BY ${keys.join(', ')}${having}`;
}

/**
 * All rows as one group: the result is one row, so nothing is sorted or deduplicated. SQLite treats a select as an
 * aggregate, and accepts a HAVING, only if an aggregate is among its items; if that is not certain, a count is added
 * and dropped again.
 */
function printWhole(printer: Printer, select: BoundSelect, items: string, from: string): string {
  const rest = from + printWindows(printer);
  if (select.having === undefined && select.items.some(printsAggregate)) return `SELECT ${items}${rest}`;
  const names = select.items.map((_, index) => outputName(index)).join(', ');
  const having = select.having === undefined ? '1' : printer.expression(select.having);
  return `SELECT ${names} FROM (SELECT ${items}, ${having} AS h, COUNT(*) AS n${rest}) WHERE h`;
}

/** Functions may omit arguments without effect, such as those after a constant in COALESCE. */
function printsAggregate(item: TypedExpression): boolean {
  return item.kind === 'aggregate' || (item.kind === 'cast' && printsAggregate(item.operand));
}

/** The rest of a SELECT over the rows of its fold; undefined when it has no fold, or folds are not read. */
function printFoldedSelect(printer: Printer, select: BoundSelect, orderBy: readonly SortKey[]): string | undefined {
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
