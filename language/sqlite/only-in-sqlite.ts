import { fail } from '../failure/failure.ts';
import * as aggregate from '../values/aggregate.ts';
import { and } from '../values/boolean.ts';
import type { Comparable } from '../values/compare.ts';
import { compareDecimal, fitDecimal, powerOfTen } from '../values/decimal.ts';
import { fitDouble } from '../values/double.ts';
import { fitBigint, fitInt } from '../values/integer.ts';
import { structFieldText } from '../values/json-path.ts';
import { intervalListKey, packIntervals, unpackIntervals } from '../values/interval-forms.ts';
import { distinctIntervals, keyedInterval } from '../values/interval-order.ts';
import {
  intervalSummand,
  meanOfIntervalParts,
  meanOfIntervals,
  sumOfIntervalParts,
  sumOfIntervals,
} from '../values/interval-sum.ts';
import { writeJson } from '../values/json-write.ts';
import { compareAny, type Comparison } from '../values/list.ts';
import { notAbove, notBelow } from '../values/null-aware.ts';
import { fromPayload } from '../values/payload.ts';
import { sql } from '../values/sql.ts';
import { seenCells } from './seen-cells.ts';
import type { StructField, Type, Value } from '../values/type.ts';

let keptValue: boolean | null = null;
let keptStart = 'null';

/** `x >= low`, and `x` kept with that truth for `keptBetween`. Whole numbers and decimals cross as text. */
function startBetween<T extends Comparable>(value: T | null, low: T | null): boolean | null {
  const above = notBelow(value, low);
  keptStart = value === null ? 'null' : `${above}:${String(value)}`;
  return above;
}

function endBetween<T extends Comparable>(read: (text: string) => T) {
  return (start: string, high: T | null): boolean | null => {
    if (start === 'null') return null;
    const at = start.indexOf(':');
    return and(start.slice(0, at) === 'true' ? true : null, notAbove(read(start.slice(at + 1)), high));
  };
}

/** Functions that only printed SQL needs, in addition to those of sql.ts. All but `greatest…`, `least…` and `any…` are already strict. */
export const sqliteOnly = {
  ...aggregate,
  overflow: (type: string, where: string): number => {
    throw fail('R0202', { type, where });
  },
  rowBegins: seenCells.begin,
  cellSeen: seenCells.add,
  fitInt: (value: number | null, where: string) => (value === null ? null : fitInt(value, where)),
  /** SQLite makes an overflowing sum, difference or product a REAL, whose text has a point or an exponent. */
  fitBigint: (value: string | null, where: string) => (value === null ? null : fitBigint(exactOf(value), where)),
  fitDecimal: (value: string | null, precision: number, scale: number, where: string) =>
    value === null ? null : fitDecimal(exactOf(value), precision, scale, where),
  fitDouble: (value: number | null, where: string) => (value === null ? null : fitDouble(value, where)),
  /** LIMIT and OFFSET; SQLite would read a negative number as "no limit". */
  rowCount: (value: bigint | null, clause: string) => {
    if (value !== null && value < 0n) throw fail('R0205', { function: clause, problem: 'it takes no negative number' });
    return value;
  },
  /** Returns its argument and keeps it for `kept`, which follows directly: SQL has no name for a value in the middle of an expression. */
  keep: (value: boolean | null) => (keptValue = value),
  kept: () => keptValue,
  /** A whole number or decimal with this number of zeros behind it, to compare by `=` numbers that have more digits than SQLite's. */
  widen: (value: bigint | null, zeros: number) => (value === null ? null : value * powerOfTen(zeros)),
  startBetweenLong: startBetween,
  startBetweenDouble: startBetween,
  startBetweenText: startBetween,
  keptStart: () => keptStart,
  endBetweenLong: endBetween(BigInt),
  endBetweenDouble: endBetween(Number),
  endBetweenText: endBetween(String),
  betweenSymmetricLong: sql.betweenSymmetric,
  betweenSymmetricDouble: sql.betweenSymmetric,
  betweenSymmetricText: sql.betweenSymmetric,
  /** IS DISTINCT FROM for decimals of different scales. */
  distinctDecimal: (a: bigint | null, b: bigint | null, aScale: number, bScale: number) =>
    a === null || b === null ? a !== b : compareDecimal(a, b, aScale, bScale) !== 0,
  greatestInt: sql.greatest,
  greatestLong: sql.greatest,
  greatestDouble: sql.greatest,
  greatestText: sql.greatest,
  greatestBoolean: sql.greatest,
  leastInt: sql.least,
  leastLong: sql.least,
  leastDouble: sql.least,
  leastText: sql.least,
  leastBoolean: sql.least,
  anyInt,
  anyLong: anyInt,
  anyDouble: anyInt,
  anyText: anyInt,
  anyBoolean: anyInt,
  keyedInterval: (interval: string | null) => (interval === null ? null : keyedInterval(interval)),
  intervalListKey: (list: string | null) => (list === null ? null : intervalListKey(list)),
  packIntervals: (value: string | null) => (value === null ? null : packIntervals(value)),
  unpackIntervals: (packed: string | null) => (packed === null ? null : unpackIntervals(packed)),
  distinctIntervals,
  intervalSummand: (interval: string | null, part: number) =>
    interval === null ? null : intervalSummand(interval, part),
  sumOfIntervalParts,
  meanOfIntervalParts,
  sumOfIntervals,
  meanOfIntervals,
  /** A list or struct, held as JSON of payload forms, as text or JSON for people. */
  nestedToJson: (value: string | null, type: string) => {
    const known = JSON.parse(type) as Type;
    return value === null ? null : writeJson(fromPayload(JSON.parse(value), known), known);
  },
  nestedFieldText: (value: string | null, field: string) => {
    const known = JSON.parse(field) as StructField;
    const struct = value === null ? null : fromPayload(JSON.parse(value), { kind: 'STRUCT', fields: [known] });
    return struct instanceof Map ? structFieldText(struct, known) : null;
  },
} as const;

function exactOf(value: string): bigint {
  if (/^-?\d+$/.test(value)) return BigInt(value);
  throw fail('R0202', { type: 'BIGINT', where: '' });
}

function anyInt(comparison: string, value: Value, type: string, list: string | null, elements: string): boolean | null {
  const of = JSON.parse(elements) as Type;
  const values = list === null ? null : (fromPayload(JSON.parse(list), { kind: 'LIST', of }) as readonly Value[]);
  return compareAny(comparison as Comparison, value, JSON.parse(type) as Type, values, of); // printed from the catalogue only
}
