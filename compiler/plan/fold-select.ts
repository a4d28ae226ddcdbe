/**
 * Splits a grouped SELECT over one event relation into a fold and the rest that is computed over the fold's rows. Takes a bound SELECT,
 * gives a `FoldedSelect`, or a sentence that says why it is not a fold; prints and decides nothing else.
 */
import { callerPartText } from '../../language/contract/caller.ts';
import { writtenName } from '../../language/catalog/distinct-names.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { conjunction, conjuncts, mapExpression, someExpression } from '../../language/catalog/map-expression.ts';
import type { BoundSelect, SortKey } from '../../language/catalog/query.ts';
import { lookupFunction } from '../functions/catalogue.ts';
import { isKeyOf } from './key-type.ts';
import { EVENT_ROW, foldOf, type Fold, type FoldSlot } from '../../language/plan/fold.ts';

/**
 * The SELECT over its fold's rows: `items`, `having` and `orderBy` are over slots (`s<n>`) and key parts (`k<n>`) as columns of relation
 * `FOLD_ROW`.
 */
export interface FoldedSelect {
  readonly fold: Fold;
  /** The other side of each key part that the WHERE fixes by an equality (`stream_id = :id`); none for GROUP BY parts. */
  readonly given: readonly (TypedExpression | undefined)[];
  readonly items: readonly TypedExpression[];
  readonly having?: TypedExpression;
  readonly orderBy: readonly SortKey[];
  /** True for an aggregation without GROUP BY: it has a row even if nothing matches. */
  readonly always: boolean;
}
/** The relation id of a fold's own row. */
export const FOLD_ROW = -1;

/** The possible sources of the other side of a key's equality: columns of outer queries only, or also arguments of the command. */
export type GivenFrom = 'outer' | 'anywhere';

export function foldSelect(
  select: BoundSelect,
  orderBy: readonly SortKey[],
  givenFrom: GivenFrom,
): FoldedSelect | string {
  const { from } = select;
  if (from === undefined) return 'it reads no events';
  if (from.kind !== 'relation' || from.source.kind !== 'events') return 'it is not over exactly one event relation';
  if (from.store !== undefined) return 'it reads another store';
  if (!select.aggregated) return 'it lists single events';
  return foldEvents(select, orderBy, givenFrom, from.id, from.source.aggregate);
}

function foldEvents(
  select: BoundSelect,
  orderBy: readonly SortKey[],
  givenFrom: GivenFrom,
  relation: number,
  aggregate: string,
): FoldedSelect | string {
  const rows: EventRows = {
    relation,
    onRow: (expression) =>
      mapExpression(expression, (part) =>
        part.kind === 'column' && part.relation === relation ? { ...part, relation: EVENT_ROW } : undefined,
      ),
  };
  const keyed = foldKey(select, rows, givenFrom);
  if (typeof keyed === 'string') return keyed;
  const groups = numbered(select.groupBy);
  const slots = numbered<FoldSlot>([]);
  let problem: string | undefined;
  const residual = (expression: TypedExpression): TypedExpression => {
    const over = foldItem(expression, groups, slots, rows);
    if (typeof over !== 'string') return over;
    problem ??= over;
    return expression;
  };
  const items = select.items.map(residual);
  const having = select.having === undefined ? undefined : residual(select.having);
  const sorted = orderBy.map((by) => (by.by === 'output' ? by : { ...by, expression: residual(by.expression) }));
  if (problem !== undefined) return problem;
  if (keyed.key.length === 0 && slots.all.length === 0) return 'it aggregates nothing';
  const where = conjunction(keyed.conditions);
  return {
    fold: foldOf({ aggregate, key: keyed.key, ...(where === undefined ? {} : { where }), slots: slots.all }),
    given: keyed.given,
    items,
    ...(having === undefined ? {} : { having }),
    orderBy: sorted,
    always: select.groupBy.length === 0,
  };
}

/** The folded event relation, and how its columns map to those of one event row. */
interface EventRows {
  readonly relation: number;
  readonly onRow: (expression: TypedExpression) => TypedExpression;
}

interface FoldKey {
  readonly key: readonly TypedExpression[];
  readonly given: readonly (TypedExpression | undefined)[];
  /** The remaining parts of the WHERE. */
  readonly conditions: readonly TypedExpression[];
}

/** GROUP BY first, in its order; then the columns that the WHERE fixes by an equality. */
function foldKey(select: BoundSelect, { relation, onRow }: EventRows, givenFrom: GivenFrom): FoldKey | string {
  const key: TypedExpression[] = [];
  const given: (TypedExpression | undefined)[] = [];
  for (const part of select.groupBy) {
    const problem = unfoldable(part, relation);
    if (problem !== undefined) return problem;
    key.push(onRow(part));
    given.push(undefined);
  }
  const conditions: TypedExpression[] = [];
  for (const condition of conjuncts(select.where)) {
    const equality = keyEquality(condition, relation, givenFrom);
    if (equality !== undefined) {
      const row = onRow(equality.row);
      const known = key.findIndex((part, index) => given[index] === undefined && same(part, row));
      if (known >= 0) given[known] = equality.given;
      else {
        key.push(row);
        given.push(equality.given);
      }
      continue;
    }
    const problem = unfoldable(condition, relation);
    if (problem !== undefined) return `its WHERE: ${problem}`;
    conditions.push(onRow(condition));
  }
  const unkeyed = key.find(({ type }) => type.kind === 'DOUBLE' || type.kind === 'INTERVAL')?.type.kind;
  if (unkeyed !== undefined) return `it groups by ${unkeyed === 'DOUBLE' ? 'a' : 'an'} ${unkeyed}`;
  return { key, given, conditions };
}

/** An item with its aggregates turned into slots and its group expressions into key parts. */
function foldItem(
  item: TypedExpression,
  groupBy: Numbered<TypedExpression>,
  slots: Numbered<FoldSlot>,
  rows: EventRows,
): TypedExpression | string {
  let problem: string | undefined;
  const kinds = new Set(groupBy.all.map(({ kind }) => kind));
  const output = mapExpression(item, (part) => {
    const group = kinds.has(part.kind) ? groupBy.find(part) : undefined;
    if (group !== undefined) return { ...facts(part), kind: 'column', relation: FOLD_ROW, column: `k${group}` };
    if (part.kind === 'aggregate') {
      const slot = slotOf(part, rows);
      if (typeof slot === 'string') {
        problem ??= slot;
        return part;
      }
      return { ...facts(part), kind: 'column', relation: FOLD_ROW, column: `s${slots.add(slot)}` };
    }
    if (part.kind === 'column' && part.relation === rows.relation)
      problem ??= `it reads ${writtenName(part.column)} of single rows`;
    problem ??= shapeProblem(part);
    return undefined;
  });
  return problem ?? output;
}

function slotOf(part: TypedExpression & { kind: 'aggregate' }, { relation, onRow }: EventRows): FoldSlot | string {
  const { function: name } = part;
  if (name === 'ARRAY_AGG' || name === 'STRING_AGG') return `${name} keeps every value`;
  if (part.distinct && name !== 'MIN' && name !== 'MAX') return `${name}(DISTINCT …) keeps every value`;
  for (const argument of [...part.arguments, ...(part.filter === undefined ? [] : [part.filter])]) {
    const problem = unfoldable(argument, relation);
    if (problem !== undefined) return problem;
  }
  const [argument] = part.arguments;
  return {
    function: name,
    ...(argument === undefined ? {} : { argument: onRow(argument) }),
    ...(part.filter === undefined ? {} : { filter: onRow(part.filter) }),
    type: part.type,
  };
}

/** Why an expression over one event row cannot be folded, if so: it must depend only on that row. */
function unfoldable(expression: TypedExpression, relation: number): string | undefined {
  let problem: string | undefined;
  someExpression(expression, (part) => {
    if (part.kind === 'argument') problem ??= `it compares with :${part.name} by more than an equality`;
    else if (part.kind === 'caller')
      problem ??= `it compares with ${callerPartText(part.part)} by more than an equality`;
    else if (part.kind === 'column' && part.relation !== relation)
      problem ??= `it compares with ${writtenName(part.column)} of another row by more than an equality`;
    else problem ??= shapeProblem(part);
    return problem !== undefined;
  });
  return problem;
}

/** Why an expression over a fold's rows is not allowed, if so. */
export function shapeProblem(part: TypedExpression): string | undefined {
  switch (part.kind) {
    case 'in-query':
    case 'scalar-query':
    case 'exists':
      return 'it holds a subquery';
    case 'window':
      return 'it holds a window function';
    case 'call':
      return lookupFunction(part.function)?.volatility === undefined ? undefined : `it calls ${part.function}`;
    default:
      return undefined;
  }
}

/** `<expression of the row> = <given expression>`, in either order. */
function keyEquality(
  condition: TypedExpression,
  relation: number,
  givenFrom: GivenFrom,
): { row: TypedExpression; given: TypedExpression } | undefined {
  if (condition.kind !== 'call' || condition.function !== 'equal') return undefined;
  const [left, right] = condition.arguments;
  if (left === undefined || right === undefined || !isKeyOf(right.type, left.type)) return undefined;
  const isOther = (side: TypedExpression): boolean => isGiven(side, relation, givenFrom);
  if (isRow(left, relation) && isOther(right)) return { row: left, given: right };
  if (isRow(right, relation) && isOther(left)) return { row: right, given: left };
  return undefined;
}

function isRow(expression: TypedExpression, relation: number): boolean {
  return (
    unfoldable(expression, relation) === undefined &&
    someExpression(expression, (part) => part.kind === 'column' && part.relation === relation)
  );
}

/** Over columns of outer queries or arguments, at least one of them: a literal belongs to the fold's own condition. */
function isGiven(expression: TypedExpression, relation: number, from: GivenFrom): boolean {
  const unfit = someExpression(
    expression,
    (part) =>
      (part.kind === 'column' && part.relation === relation) ||
      part.kind === 'aggregate' ||
      ((part.kind === 'argument' || part.kind === 'caller') && from === 'outer') ||
      shapeProblem(part) !== undefined,
  );
  return (
    !unfit && someExpression(expression, ({ kind }) => kind === 'column' || kind === 'argument' || kind === 'caller')
  );
}

/** Catalog shapes are plain data built in one order, so equal content has equal text. */
function same(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Different shapes with their numbers from 0, found by their text: a query may have hundreds of them. */
interface Numbered<T extends object> {
  readonly all: readonly T[];
  readonly find: (shape: object) => number | undefined;
  /** The number of an equal one, or that of the added one. */
  readonly add: (shape: T) => number;
}

function numbered<T extends object>(shapes: readonly T[]): Numbered<T> {
  const all = [...shapes];
  const numbers = new Map<string, number>();
  const put = (shape: object, number: number): number => {
    const text = JSON.stringify(shape);
    const known = numbers.get(text);
    if (known === undefined) numbers.set(text, number);
    return known ?? number;
  };
  all.forEach(put);
  return {
    all,
    find: (shape) => numbers.get(JSON.stringify(shape)),
    add: (shape) => {
      const number = put(shape, all.length);
      if (number === all.length) all.push(shape);
      return number;
    },
  };
}

function facts({
  type,
  nullable,
  sensitive,
}: TypedExpression): Pick<TypedExpression, 'type' | 'nullable' | 'sensitive'> {
  return { type, nullable, sensitive };
}
