import { createHash } from 'node:crypto';
import type { TypedExpression } from '../catalog/expression.ts';
import { conjunction, conjuncts, mapExpression, someExpression } from '../catalog/map-expression.ts';
import type { BoundQuery, BoundSelect } from '../catalog/query.ts';
import { lookupFunction } from '../functions/catalogue.ts';
import { EVENT_ROW, type Fold, type FoldSlot } from './fold.ts';

/** A grouped query over one event relation, seen as a fold and what is computed from it. */
export interface FoldedQuery {
  readonly fold: Fold;
  /** The other side of each key part that a WHERE gave by an equality (`stream_id = :id`); none for GROUP BY parts. */
  readonly given: readonly (TypedExpression | undefined)[];
  /** One an output column: over slots (`s<n>`) and key parts (`k<n>`) as columns of relation `FOLD_ROW`. */
  readonly outputs: readonly TypedExpression[];
  /** True for an aggregation without GROUP BY: it has a row even when nothing matches. */
  readonly always: boolean;
}
/** The relation id of a fold's own row in `outputs`. */
export const FOLD_ROW = -1;

/** The query as a fold, or a sentence that says why it is none. */
export function foldQuery(query: BoundQuery): FoldedQuery | string {
  const { body } = query;
  if (query.with.length > 0) return 'it has a WITH';
  if (body.kind !== 'select') return 'it is not a plain SELECT';
  if (query.limit !== undefined || query.offset !== undefined) return 'it has LIMIT or OFFSET';
  if (!body.aggregated) return 'it lists single events';
  if (body.distinct) return 'it has DISTINCT';
  if (body.having !== undefined) return 'it has HAVING';
  const { from } = body;
  if (from?.kind !== 'relation' || from.source.kind !== 'events') return 'it is not over exactly one event relation';
  if (from.store !== undefined) return 'it reads another store';
  return foldSelect(body, from.id, from.source.aggregate);
}

function foldSelect(select: BoundSelect, relation: number, aggregate: string): FoldedQuery | string {
  const onRow = (expression: TypedExpression): TypedExpression =>
    mapExpression(expression, (part) =>
      part.kind === 'column' && part.relation === relation ? { ...part, relation: EVENT_ROW } : undefined,
    );

  const key: TypedExpression[] = [];
  const given: (TypedExpression | undefined)[] = [];
  for (const part of select.groupBy) {
    const problem = unfoldable(part);
    if (problem !== undefined) return problem;
    key.push(onRow(part));
    given.push(undefined);
  }
  const conditions: TypedExpression[] = [];
  for (const condition of conjuncts(select.where)) {
    const equality = keyEquality(condition, relation);
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
    const problem = unfoldable(condition);
    if (problem !== undefined) return `its WHERE ${problem}`;
    conditions.push(onRow(condition));
  }
  if (key.some((part) => part.type.kind === 'DOUBLE')) return 'it groups by a DOUBLE';

  const slots: FoldSlot[] = [];
  const outputs: TypedExpression[] = [];
  for (const item of select.items) {
    const output = foldItem(item, select.groupBy, slots, onRow);
    if (typeof output === 'string') return output;
    outputs.push(output);
  }
  const where = conjunction(conditions);
  const content = { aggregate, key, ...(where === undefined ? {} : { where }), slots };
  const id = `f_${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)}`;
  return { fold: { id, ...content }, given, outputs, always: select.groupBy.length === 0 };
}

/** An item with its aggregates turned into slots and its group expressions into key parts. */
function foldItem(
  item: TypedExpression,
  groupBy: readonly TypedExpression[],
  slots: FoldSlot[],
  onRow: (expression: TypedExpression) => TypedExpression,
): TypedExpression | string {
  let problem: string | undefined;
  const output = mapExpression(item, (part) => {
    const group = groupBy.findIndex((expression) => same(expression, part));
    if (group >= 0) return { ...facts(part), kind: 'column', relation: FOLD_ROW, column: `k${group}` };
    if (part.kind === 'aggregate') {
      const slot = slotOf(part, onRow);
      if (typeof slot === 'string') {
        problem ??= slot;
        return part;
      }
      let index = slots.findIndex((known) => same(known, slot));
      if (index < 0) index = slots.push(slot) - 1;
      return { ...facts(part), kind: 'column', relation: FOLD_ROW, column: `s${index}` };
    }
    if (part.kind === 'column') problem ??= `it reads ${part.column} of single events`;
    problem ??= shapeProblem(part);
    return undefined;
  });
  return problem ?? output;
}

function slotOf(
  part: TypedExpression & { kind: 'aggregate' },
  onRow: (expression: TypedExpression) => TypedExpression,
): FoldSlot | string {
  const { function: name } = part;
  if (name === 'ARRAY_AGG' || name === 'STRING_AGG') return `${name} keeps every value`;
  if (part.distinct && name !== 'MIN' && name !== 'MAX') return `${name}(DISTINCT …) keeps every value`;
  for (const argument of [...part.arguments, ...(part.filter === undefined ? [] : [part.filter])]) {
    const problem = unfoldable(argument);
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

/** Why an expression over one event row cannot be folded, if it cannot: it must depend on nothing but that row. */
function unfoldable(expression: TypedExpression): string | undefined {
  let problem: string | undefined;
  someExpression(expression, (part) => {
    problem ??= part.kind === 'argument' ? `compares with :${part.name} by more than an equality` : shapeProblem(part);
    return problem !== undefined;
  });
  return problem;
}

function shapeProblem(part: TypedExpression): string | undefined {
  switch (part.kind) {
    case 'in-query':
    case 'scalar-query':
    case 'exists':
      return 'it holds a subquery';
    case 'window':
      return 'it holds a window function';
    case 'call':
      return lookupFunction(part.function)?.volatility === 'immutable' ? undefined : `it calls ${part.function}`;
    default:
      return undefined;
  }
}

/** `<expression of the row> = <expression of arguments>`, either way round. */
function keyEquality(
  condition: TypedExpression,
  relation: number,
): { row: TypedExpression; given: TypedExpression } | undefined {
  if (condition.kind !== 'call' || condition.function !== 'equal') return undefined;
  const [left, right] = condition.arguments;
  if (left === undefined || right === undefined) return undefined;
  if (isRow(left, relation) && isGiven(right)) return { row: left, given: right };
  if (isRow(right, relation) && isGiven(left)) return { row: right, given: left };
  return undefined;
}

function isRow(expression: TypedExpression, relation: number): boolean {
  return (
    unfoldable(expression) === undefined &&
    someExpression(expression, (part) => part.kind === 'column' && part.relation === relation)
  );
}

/** Over arguments alone, at least one: a literal belongs to the fold's own condition. */
export function isGiven(expression: TypedExpression): boolean {
  const foreign = someExpression(
    expression,
    (part) => part.kind === 'column' || part.kind === 'aggregate' || shapeProblem(part) !== undefined,
  );
  return !foreign && someExpression(expression, (part) => part.kind === 'argument');
}

/** Catalog shapes are plain data built in one order, so equal content has equal text. */
function same(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function facts({
  type,
  nullable,
  sensitive,
}: TypedExpression): Pick<TypedExpression, 'type' | 'nullable' | 'sensitive'> {
  return { type, nullable, sensitive };
}
