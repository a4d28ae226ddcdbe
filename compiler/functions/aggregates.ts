/**
 * Types of aggregates and window functions (docs/language.md#types). Takes the arguments, gives a resolution; the plan decides how they are
 * computed.
 */
import type { Type } from '../../language/values/type.ts';
import type { AggregateName, WindowOnlyName } from '../../language/catalog/expression.ts';
import type { GivenArgument, Resolution, Unresolvable } from './entry.ts';
import { wrongCount } from './signature.ts';
import {
  BIGINT,
  BOOLEAN,
  commonTypeOf,
  DOUBLE,
  INT,
  isComparable,
  isNumeric,
  isText,
  maximumPrecision,
  namesOf,
  STRING,
} from './typing.ts';

/** An aggregate as written; some are other aggregates under a second name. */
export type WrittenAggregate = AggregateName | TruthAggregate;
type TruthAggregate = 'BOOL_AND' | 'BOOL_OR' | 'EVERY';

export interface AggregateEntry {
  readonly name: WrittenAggregate | WindowOnlyName;
  readonly usage: readonly string[];
  readonly resolve: (given: readonly GivenArgument[]) => Resolution | Unresolvable;
}

/** An aggregate over a group without values gives NULL. */
const mayBeNull = (): boolean => true;
const neverNull = (): boolean => false;

/** The type of a value without context: a string literal is a STRING. */
function typeOf(given: GivenArgument): Type {
  return given.untyped ? STRING : given.type;
}

function one(
  name: AggregateName,
  usage: string,
  result: (type: Type, given: readonly GivenArgument[]) => Type | Unresolvable,
): AggregateEntry {
  return {
    name,
    usage: [usage],
    resolve: (given) => {
      const [only] = given;
      if (only === undefined || given.length !== 1) return wrongCount(name, given.length, [1]);
      const resolved = result(typeOf(only), given);
      return 'problem' in resolved ? resolved : { parameters: [typeOf(only)], result: resolved, nullable: mayBeNull };
    },
  };
}

function sumType(type: Type, given: readonly GivenArgument[]): Type | Unresolvable {
  if (type.kind === 'INT' || type.kind === 'BIGINT') return BIGINT;
  if (type.kind === 'DECIMAL') return { kind: 'DECIMAL', precision: maximumPrecision, scale: type.scale };
  if (type.kind === 'DOUBLE' || type.kind === 'INTERVAL') return type;
  return { problem: `SUM takes numbers and INTERVALs, not ${namesOf(given)}` };
}

function averageType(type: Type, given: readonly GivenArgument[]): Type | Unresolvable {
  if (type.kind === 'DOUBLE' || type.kind === 'INTERVAL') return type;
  if (!isNumeric(type)) return { problem: `AVG takes numbers and INTERVALs, not ${namesOf(given)}` };
  return { kind: 'DECIMAL', precision: maximumPrecision, scale: Math.max(6, type.kind === 'DECIMAL' ? type.scale : 0) };
}

function extremeType(name: string): (type: Type, given: readonly GivenArgument[]) => Type | Unresolvable {
  return (type, given) =>
    isComparable(type) && type.kind !== 'BOOLEAN'
      ? type
      : { problem: `${name} takes values that have an order, not ${namesOf(given)}` };
}

/** FALSE comes before TRUE, so all are TRUE if the smallest is, and at least one is if the largest is. */
const truthAggregates: Readonly<Record<TruthAggregate, 'MIN' | 'MAX'>> = {
  BOOL_AND: 'MIN',
  BOOL_OR: 'MAX',
  EVERY: 'MIN',
};

function truth(name: TruthAggregate): AggregateEntry {
  return {
    name,
    usage: [`${name}(x)`],
    resolve: (given) => {
      const [only] = given;
      if (only === undefined || given.length !== 1) return wrongCount(name, given.length, [1]);
      if (!only.untyped && only.type.kind !== 'BOOLEAN')
        return { problem: `${name} takes BOOLEAN, not ${namesOf(given)}` };
      return { parameters: [BOOLEAN], result: BOOLEAN, nullable: mayBeNull };
    },
  };
}

const count: AggregateEntry = {
  name: 'COUNT',
  usage: ['COUNT(*)', 'COUNT([DISTINCT] x)'],
  resolve: (given) => {
    if (given.length > 1) return wrongCount('COUNT', given.length, [0, 1]);
    return { parameters: given.map(typeOf), result: BIGINT, nullable: neverNull };
  },
};

const stringAggregate: AggregateEntry = {
  name: 'STRING_AGG',
  usage: ['STRING_AGG(text, separator)'],
  resolve: (given) => {
    if (given.length !== 2) return wrongCount('STRING_AGG', given.length, [2]);
    if (!given.every((argument) => argument.untyped || isText(argument.type))) {
      return { problem: `STRING_AGG takes STRING and a separator, not ${namesOf(given)}; write CAST(… AS STRING)` };
    }
    return { parameters: [STRING, STRING], result: STRING, nullable: mayBeNull };
  },
};

const aggregates: readonly AggregateEntry[] = [
  one('LAST', 'LAST(x)', (type) => type),
  one('FIRST', 'FIRST(x)', (type) => type),
  count,
  one('SUM', 'SUM([DISTINCT] x)', sumType),
  one('AVG', 'AVG([DISTINCT] x)', averageType),
  one('MIN', 'MIN(x)', extremeType('MIN')),
  one('MAX', 'MAX(x)', extremeType('MAX')),
  truth('BOOL_AND'),
  truth('BOOL_OR'),
  truth('EVERY'),
  one('ARRAY_AGG', 'ARRAY_AGG([DISTINCT] x)', (type) => ({ kind: 'LIST', of: type })),
  stringAggregate,
];

function rank(name: WindowOnlyName, result: Type): AggregateEntry {
  return {
    name,
    usage: [`${name}() OVER (…)`],
    resolve: (given) =>
      given.length === 0 ? { parameters: [], result, nullable: neverNull } : wrongCount(name, given.length, [0]),
  };
}

function integerArgument(name: string, given: GivenArgument): Unresolvable | undefined {
  return given.type.kind === 'INT' || given.literal === null
    ? undefined
    : { problem: `${name} takes an INT, not ${namesOf([given])}` };
}

/** `LAG(x [, offset [, default]])`. */
function neighbour(name: 'LAG' | 'LEAD'): AggregateEntry {
  return {
    name,
    usage: [`${name}(x [, offset [, default]]) OVER (…)`],
    resolve: (given) => {
      const [value, offset, otherwise] = given;
      if (value === undefined || given.length > 3) return wrongCount(name, given.length, [1, 2, 3]);
      const problem = offset === undefined ? undefined : integerArgument(name, offset);
      if (problem !== undefined) return problem;
      const result = commonTypeOf(otherwise === undefined ? [value] : [value, otherwise]);
      if (result === undefined)
        return { problem: `${name} takes a default of the value's type, not ${namesOf([value, otherwise ?? value])}` };
      return { parameters: [result, INT, result].slice(0, given.length), result, nullable: mayBeNull };
    },
  };
}

function framed(name: 'FIRST_VALUE' | 'LAST_VALUE'): AggregateEntry {
  return {
    name,
    usage: [`${name}(x) OVER (…)`],
    resolve: (given) => {
      const [only] = given;
      if (only === undefined || given.length !== 1) return wrongCount(name, given.length, [1]);
      return { parameters: [typeOf(only)], result: typeOf(only), nullable: mayBeNull };
    },
  };
}

const tile: AggregateEntry = {
  name: 'NTILE',
  usage: ['NTILE(buckets) OVER (…)'],
  resolve: (given) => {
    const [buckets] = given;
    if (buckets === undefined || given.length !== 1) return wrongCount('NTILE', given.length, [1]);
    return integerArgument('NTILE', buckets) ?? { parameters: [INT], result: INT, nullable: mayBeNull };
  },
};

const nth: AggregateEntry = {
  name: 'NTH_VALUE',
  usage: ['NTH_VALUE(x, n) OVER (…)'],
  resolve: (given) => {
    const [value, place] = given;
    if (value === undefined || place === undefined || given.length !== 2)
      return wrongCount('NTH_VALUE', given.length, [2]);
    return (
      integerArgument('NTH_VALUE', place) ?? {
        parameters: [typeOf(value), INT],
        result: typeOf(value),
        nullable: mayBeNull,
      }
    );
  },
};

const windows: readonly AggregateEntry[] = [
  rank('ROW_NUMBER', BIGINT),
  rank('RANK', BIGINT),
  rank('DENSE_RANK', BIGINT),
  rank('PERCENT_RANK', DOUBLE),
  rank('CUME_DIST', DOUBLE),
  tile,
  neighbour('LAG'),
  neighbour('LEAD'),
  framed('FIRST_VALUE'),
  framed('LAST_VALUE'),
  nth,
];

export const aggregateNames: readonly string[] = aggregates.map((entry) => entry.name);
export const windowNames: readonly string[] = windows.map((entry) => entry.name);
export const aggregateReference: readonly AggregateEntry[] = [...aggregates, ...windows];

/** The aggregate's name in its own spelling, if `name` is one in any case. */
export function findAggregate(name: string): WrittenAggregate | undefined {
  return aggregates.find((entry) => entry.name === name.toUpperCase())?.name as WrittenAggregate | undefined; // names of the list above
}
/** The aggregate that computes the written one. */
export function computedAggregate(name: WrittenAggregate): AggregateName;
export function computedAggregate(name: WrittenAggregate | WindowOnlyName): AggregateName | WindowOnlyName;
export function computedAggregate(name: WrittenAggregate | WindowOnlyName): AggregateName | WindowOnlyName {
  return isTruthAggregate(name) ? truthAggregates[name] : name;
}
function isTruthAggregate(name: string): name is TruthAggregate {
  return Object.hasOwn(truthAggregates, name);
}
/** The window-only function's name in its own spelling, if `name` is one in any case. */
export function findWindowOnly(name: string): WindowOnlyName | undefined {
  return windows.find((entry) => entry.name === name.toUpperCase())?.name as WindowOnlyName | undefined; // names of the list above
}

/** Types for a call of an aggregate or window-only function; COUNT(*) has no arguments. */
export function resolveAggregate(
  name: WrittenAggregate | WindowOnlyName,
  given: readonly GivenArgument[],
  distinct: boolean,
): Resolution | Unresolvable {
  const entry = aggregateReference.find((known) => known.name === name);
  if (entry === undefined) return { problem: `there is no aggregate ${name}` };
  const unique = given[0];
  if (distinct && unique !== undefined && !isComparable(unique.type))
    return { problem: `DISTINCT takes values that compare, not ${namesOf([unique])}` };
  if (distinct && (name === 'LAST' || name === 'FIRST')) return { problem: `${name} takes no DISTINCT` };
  return entry.resolve(given);
}
