/** Aggregates over the rows of a group or of a window frame, straight from their definitions. */
import type { AggregateShape, TypedExpression } from '../../../language/catalog/expression.ts';
import { compareSame } from '../../../language/values/compare.ts';
import { divideRounded, fitDecimal, powerOfTen } from '../../../language/values/decimal.ts';
import { fitDouble } from '../../../language/values/double.ts';
import { fitBigint } from '../../../language/values/integer.ts';
import { addIntervals, divideInterval } from '../../../language/values/interval.ts';
import { partsOf } from '../../../compiler/analyse/typed/walk.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { comparedBy, compareKeys, identity } from './compare.ts';
import { evaluate } from './expression.ts';
import type { Scope } from './world.ts';

export type Aggregate = Pick<
  AggregateShape,
  'function' | 'arguments' | 'filter' | 'relation' | 'orderBy' | 'distinct'
> & { readonly type: Type };

export function aggregateRows(aggregate: Aggregate, rows: readonly Scope[]): Value {
  const counted = rows.filter((row) => aggregate.filter === undefined || evaluate(aggregate.filter, row) === true);
  const [argument] = aggregate.arguments;
  if (argument === undefined) return BigInt(counted.length);
  const found = distinctly(aggregate, inOrder(aggregate, counted));
  const values = found.map(([value]) => value ?? null).filter((value) => value !== null);
  switch (aggregate.function) {
    case 'COUNT':
      return BigInt(values.length);
    case 'SUM':
      return sum(values, aggregate.type);
    case 'AVG':
      return average(values, argument.type, aggregate.type);
    case 'MIN':
      return best(values, -1);
    case 'MAX':
      return best(values, 1);
    case 'FIRST':
      return byPosition(aggregate, argument, counted)[0] ?? null;
    case 'LAST':
      return byPosition(aggregate, argument, counted).at(-1) ?? null;
    case 'ARRAY_AGG':
      return found.length === 0 ? null : found.map(([value]) => value ?? null);
    case 'STRING_AGG':
      return join(found);
  }
}

/**
 * Rows in the order of the aggregate; without one, DISTINCT values sorted, and values of one event relation in the
 * order of its events.
 */
function inOrder({ arguments: given, orderBy, distinct }: Aggregate, rows: readonly Scope[]): readonly Scope[] {
  if (orderBy.length === 0 && distinct) {
    const rules = given.map(() => ({ direction: 'ASC', nulls: 'LAST' }) as const);
    const valued = rows.map((row) => ({ row, key: given.map((argument) => evaluate(argument, row)) }));
    return valued.sort((a, b) => compareKeys(a.key, b.key, rules)).map(({ row }) => row);
  }
  const [only, ...others] = new Set(given.flatMap(relationsOf));
  if (orderBy.length === 0 && only !== undefined && others.length === 0) {
    return rows.toSorted((a, b) => compareSame(positionOf(only, a), positionOf(only, b)));
  }
  const keys = orderBy.flatMap((key) => (key.by === 'expression' ? [key] : []));
  const keyed = rows.map((row) => ({ row, key: keys.map((key) => evaluate(key.expression, row)) }));
  return keyed.sort((a, b) => compareKeys(a.key, b.key, keys)).map(({ row }) => row);
}

function relationsOf(expression: TypedExpression): readonly number[] {
  return expression.kind === 'column' ? [expression.relation] : partsOf(expression).flatMap(relationsOf);
}

/** NULLs of an outer join are last, as when sorting by position. */
function positionOf(relation: number, row: Scope): bigint {
  const position = row.rows.get(relation)?.get('global_position');
  return typeof position === 'bigint' ? position : 2n ** 63n;
}

function distinctly({ arguments: given, distinct }: Aggregate, rows: readonly Scope[]): readonly (readonly Value[])[] {
  const values = rows.map((row) => given.map((argument) => evaluate(argument, row)));
  if (!distinct) return values;
  return [...new Map(values.map((value) => [identity(value), value])).values()];
}

function sum(values: readonly Value[], type: Type): Value {
  if (values.length === 0) return null;
  if (type.kind === 'INTERVAL') return values.map(String).reduce(addIntervals);
  if (type.kind === 'DOUBLE') return fitDouble(values.reduce((total: number, value) => total + Number(value), 0));
  const total = exactSum(values);
  return type.kind === 'DECIMAL' ? fitDecimal(total, type.precision, type.scale) : fitBigint(total);
}

function average(values: readonly Value[], from: Type, to: Type): Value {
  if (values.length === 0) return null;
  if (to.kind === 'INTERVAL') return divideInterval(values.map(String).reduce(addIntervals), String(values.length));
  if (to.kind !== 'DECIMAL') return Number(sum(values, to)) / values.length;
  const raised = to.scale - (from.kind === 'DECIMAL' ? from.scale : 0);
  const quotient = divideRounded(exactSum(values) * powerOfTen(raised), BigInt(values.length));
  return fitDecimal(quotient, to.precision, to.scale);
}

function exactSum(values: readonly Value[]): bigint {
  return values.reduce((total: bigint, value) => total + BigInt(value as number | bigint), 0n);
}

function best(values: readonly Value[], direction: 1 | -1): Value {
  const sorted = values.toSorted((a, b) => compareSame(comparedBy(a), comparedBy(b)) * direction);
  return sorted.at(-1) ?? null;
}

function byPosition({ relation }: Aggregate, argument: TypedExpression, rows: readonly Scope[]): readonly Value[] {
  const events = rows.filter((row) => relation === undefined || row.rows.get(relation) !== null);
  const positioned = events.map((row) => ({
    position: relation === undefined ? -1n : positionOf(relation, row),
    value: evaluate(argument, row),
  }));
  const sorted = positioned.filter(({ value }) => value !== null).sort((a, b) => compareSame(a.position, b.position));
  return sorted.map(({ value }) => value);
}

function join(found: readonly (readonly Value[])[]): Value {
  let joined: string | null = null;
  for (const [value, separator] of found) {
    if (typeof value !== 'string') continue;
    joined = joined === null ? value : `${joined}${typeof separator === 'string' ? separator : ''}${value}`;
  }
  return joined;
}
