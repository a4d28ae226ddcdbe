/**
 * The functions that printed SQL calls, for sql.js: each is a function of sql.ts under the name `schemac_…`, so that both engines share one
 * meaning. sql.js rounds 64-bit integers on input and cannot return bigints; such values cross as text, and `sqliteCall` prints the casts.
 */
import { Failure } from '../failure/failure.ts';
import { fail } from '../failure/failure.ts';
import * as aggregate from '../values/aggregate.ts';
import { and } from '../values/boolean.ts';
import type { Comparable } from '../values/compare.ts';
import { compareDecimal, fitDecimal, powerOfTen } from '../values/decimal.ts';
import { fitDouble } from '../values/double.ts';
import { fitBigint, fitInt } from '../values/integer.ts';
import { writeJson } from '../values/json-write.ts';
import { structFieldText } from '../values/json-path.ts';
import { compareAny, type Comparison } from '../values/list.ts';
import { fromPayload } from '../values/payload.ts';
import { notAbove, notBelow } from '../values/null-aware.ts';
import { sql } from '../values/sql.ts';
import { textLimit } from '../values/text.ts';
import { encodeFailure } from './failure.ts';
import type { StructField, Type, Value } from '../values/type.ts';

/**
 * How an argument or result crosses: `int` as a number of 32 bits, `long` as the text of a bigint, `sum` as the text of SQLite's result of
 * an integer expression, which is a REAL past 64 bits; others unchanged.
 */
type Crossing = 'int' | 'long' | 'sum' | 'double' | 'text' | 'boolean';
/** Crossings of the arguments, then of the result. */
type Signature = readonly [...Crossing[], Crossing];

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

/** Functions that only printed SQL needs, besides sql.ts. All but `greatest…`, `least…` and `any…` are already strict. */
const sqliteOnly = {
  ...aggregate,
  overflow: (type: string, where: string): number => {
    throw fail('R0202', { type, where });
  },
  fitInt: (value: number | null, where: string) => (value === null ? null : fitInt(value, where)),
  /** SQLite makes an overflowing sum, difference or product a REAL, whose text has a point or an exponent. */
  fitBigint: (value: string | null, where: string) => (value === null ? null : fitBigint(exactOf(value), where)),
  fitDecimal: (value: string | null, precision: number, scale: number, where: string) =>
    value === null ? null : fitDecimal(exactOf(value), precision, scale, where),
  fitDouble: (value: number | null, where: string) => (value === null ? null : fitDouble(value, where)),
  /** LIMIT and OFFSET; SQLite would read a negative number as "no limit". */
  rowCount: (value: bigint | null, clause: string) => {
    if (value !== null && value < 0n)
      throw fail('R0205', { function: clause, problem: `it takes no negative number, as ${value} is` });
    return value;
  },
  /** Returns its argument and keeps it for `kept`, which follows directly: SQL has no name for a value in the middle of an expression. */
  keep: (value: boolean | null) => (keptValue = value),
  kept: () => keptValue,
  /** A whole number or decimal followed by so many zeros, to compare by `=` numbers that have more digits than SQLite's. */
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

const signatures = {
  overflow: ['text', 'text', 'int'],
  fitInt: ['int', 'text', 'int'],
  fitBigint: ['sum', 'text', 'long'],
  fitDecimal: ['sum', 'int', 'int', 'text', 'long'],
  fitDouble: ['double', 'text', 'double'],
  rowCount: ['long', 'text', 'long'],
  widen: ['long', 'int', 'text'],
  startBetweenLong: ['long', 'long', 'boolean'],
  startBetweenDouble: ['double', 'double', 'boolean'],
  startBetweenText: ['text', 'text', 'boolean'],
  keptStart: ['text'],
  endBetweenLong: ['text', 'long', 'boolean'],
  endBetweenDouble: ['text', 'double', 'boolean'],
  endBetweenText: ['text', 'text', 'boolean'],
  betweenSymmetricLong: ['long', 'long', 'long', 'boolean'],
  betweenSymmetricDouble: ['double', 'double', 'double', 'boolean'],
  betweenSymmetricText: ['text', 'text', 'text', 'boolean'],
  nullIfDecimal: ['long', 'long', 'int', 'int', 'long'],
  keep: ['boolean', 'boolean'],
  kept: ['boolean'],
  compareDecimal: ['long', 'long', 'int', 'int', 'int'],
  distinctDecimal: ['long', 'long', 'int', 'int', 'boolean'],
  like: ['text', 'text', 'text', 'boolean'],
  ilike: ['text', 'text', 'text', 'boolean'],
  divideInt: ['int', 'int', 'int'],
  moduloInt: ['int', 'int', 'int'],
  absInt: ['int', 'int'],
  divideBigint: ['long', 'long', 'long'],
  moduloBigint: ['long', 'long', 'long'],
  absBigint: ['long', 'long'],
  addDecimal: ['long', 'long', 'int', 'int', 'long'],
  subtractDecimal: ['long', 'long', 'int', 'int', 'long'],
  multiplyDecimal: ['long', 'long', 'int', 'long'],
  divideDecimal: ['long', 'long', 'int', 'long'],
  moduloDecimal: ['long', 'long', 'int', 'int', 'long'],
  roundDecimal: ['long', 'int', 'int', 'int', 'long'],
  truncateDecimal: ['long', 'int', 'int', 'int', 'long'],
  ceilDecimal: ['long', 'int', 'long'],
  floorDecimal: ['long', 'int', 'long'],
  divideDouble: ['double', 'double', 'double'],
  roundDouble: ['double', 'double'],
  truncateDouble: ['double', 'double'],
  ceilDouble: ['double', 'double'],
  floorDouble: ['double', 'double'],
  power: ['double', 'double', 'double'],
  sqrt: ['double', 'double'],
  exp: ['double', 'double'],
  ln: ['double', 'double'],
  log10: ['double', 'double'],
  logarithm: ['double', 'double', 'double'],
  upper: ['text', 'text'],
  lower: ['text', 'text'],
  initcap: ['text', 'text'],
  substring: ['text', 'int', 'int', 'text'],
  substringFrom: ['text', 'int', 'text'],
  left: ['text', 'int', 'text'],
  right: ['text', 'int', 'text'],
  padLeft: ['text', 'int', 'text', 'text'],
  padRight: ['text', 'int', 'text', 'text'],
  trim: ['text', 'text', 'text'],
  trimLeft: ['text', 'text', 'text'],
  trimRight: ['text', 'text', 'text'],
  position: ['text', 'text', 'int'],
  startsWith: ['text', 'text', 'boolean'],
  replaceAll: ['text', 'text', 'text', 'text'],
  splitPart: ['text', 'text', 'int', 'text'],
  reverse: ['text', 'text'],
  repeat: ['text', 'int', 'text'],
  digest: ['text', 'text', 'text'],
  encodeBytes: ['text', 'text', 'text'],
  encodeText: ['text', 'text', 'text'],
  datePart: ['text', 'int', 'int'],
  timestampPart: ['text', 'long', 'int'],
  hour: ['long', 'int'],
  minute: ['long', 'int'],
  microsecondOfMinute: ['long', 'long'],
  truncateTimestamp: ['text', 'long', 'long'],
  addDays: ['int', 'int', 'int'],
  subtractDays: ['int', 'int', 'int'],
  addInterval: ['long', 'text', 'long'],
  subtractInterval: ['long', 'text', 'long'],
  subtractTimestamps: ['long', 'long', 'text'],
  addIntervals: ['text', 'text', 'text'],
  subtractIntervals: ['text', 'text', 'text'],
  negateInterval: ['text', 'text'],
  multiplyInterval: ['text', 'text', 'text'],
  divideInterval: ['text', 'text', 'text'],
  intervalLength: ['text', 'long'],
  intervalPart: ['text', 'text', 'int'],
  intervalMicroseconds: ['text', 'long'],
  intervalEpoch: ['text', 'long'],
  bigintToDecimal: ['long', 'int', 'int', 'text', 'long'],
  decimalToInt: ['long', 'int', 'text', 'int'],
  decimalToBigint: ['long', 'int', 'text', 'long'],
  decimalToDecimal: ['long', 'int', 'int', 'int', 'text', 'long'],
  decimalToDouble: ['long', 'int', 'double'],
  decimalToText: ['long', 'int', 'text'],
  bareDecimalToText: ['long', 'int', 'text'],
  doubleToInt: ['double', 'text', 'int'],
  doubleToBigint: ['double', 'text', 'long'],
  doubleToDecimal: ['double', 'int', 'int', 'text', 'long'],
  doubleToText: ['double', 'text'],
  timestampToDate: ['long', 'int'],
  timestampToText: ['long', 'text'],
  wallTimeToText: ['long', 'text'],
  toWallTime: ['long', 'text', 'long'],
  fromWallTime: ['long', 'text', 'long'],
  truncateInZone: ['text', 'long', 'text', 'long'],
  dateToText: ['int', 'text'],
  textToInt: ['text', 'text', 'int'],
  textToBigint: ['text', 'text', 'long'],
  textToDecimal: ['text', 'int', 'int', 'text', 'long'],
  textToDouble: ['text', 'text', 'double'],
  textToBoolean: ['text', 'boolean'],
  textToTimestamp: ['text', 'long'],
  textToDate: ['text', 'int'],
  textToInterval: ['text', 'text'],
  textToJson: ['text', 'text'],
  cutText: ['text', 'int', 'text'],
  fitText: ['text', 'int', 'text', 'text'],
  fitEnum: ['text', 'text', 'text', 'text', 'text'],
  jsonField: ['text', 'text', 'text'],
  jsonItem: ['text', 'int', 'text'],
  jsonFieldText: ['text', 'text', 'text'],
  jsonItemText: ['text', 'int', 'text'],
  nestedToJson: ['text', 'text', 'text'],
  nestedFieldText: ['text', 'text', 'text'],
  greatestInt: ['int', 'int', 'int'],
  greatestLong: ['long', 'long', 'long'],
  greatestDouble: ['double', 'double', 'double'],
  greatestText: ['text', 'text', 'text'],
  greatestBoolean: ['boolean', 'boolean', 'boolean'],
  leastInt: ['int', 'int', 'int'],
  leastLong: ['long', 'long', 'long'],
  leastDouble: ['double', 'double', 'double'],
  leastText: ['text', 'text', 'text'],
  leastBoolean: ['boolean', 'boolean', 'boolean'],
  anyInt: ['text', 'int', 'text', 'text', 'text', 'boolean'],
  anyLong: ['text', 'long', 'text', 'text', 'text', 'boolean'],
  anyDouble: ['text', 'double', 'text', 'text', 'text', 'boolean'],
  anyText: ['text', 'text', 'text', 'text', 'text', 'boolean'],
  anyBoolean: ['text', 'boolean', 'text', 'text', 'text', 'boolean'],
  sumOfHalves: ['long', 'long', 'int', 'int', 'long'],
  averageOfHalves: ['long', 'long', 'int', 'int', 'int', 'long'],
  sumOfList: ['text', 'int', 'int', 'long'],
  averageOfList: ['text', 'int', 'int', 'long'],
  joinTexts: ['text', 'text', 'text'],
  severalRows: ['int'],
} as const satisfies Readonly<Partial<Record<keyof typeof sql | keyof typeof sqliteOnly, Signature>>>;

export type SqliteFunctionName = keyof typeof signatures;

/** A function call as SQL text, with arguments as SQL text; type.ts says how SQLite holds the values. */
export function sqliteCall(name: SqliteFunctionName, ...given: readonly string[]): string {
  const crossings: readonly Crossing[] = signatures[name];
  const passed = given.map((argument, index) =>
    asText.has(crossings[index]) ? `CAST(${argument} AS TEXT)` : argument,
  );
  const call = `schemac_${snake(name)}(${passed.join(', ')})`;
  const result = crossings.at(-1);
  return result === 'int' || result === 'long' ? `CAST(${call} AS INTEGER)` : call;
}

const asText: ReadonlySet<Crossing | undefined> = new Set<Crossing>(['long', 'sum']);

/** Functions that never fail because of their arguments. */
const unfailing: ReadonlySet<string> = new Set(
  (
    [
      ...([
        'keep',
        'kept',
        'widen',
        'keptStart',
        'nullIfDecimal',
        'compareDecimal',
        'distinctDecimal',
        'decimalToDouble',
        'decimalToText',
      ] as const),
      ...([
        'bareDecimalToText',
        'doubleToText',
        'timestampToDate',
        'timestampToText',
        'wallTimeToText',
        'dateToText',
      ] as const),
      ...(['upper', 'lower', 'initcap', 'trim', 'trimLeft', 'trimRight', 'position', 'startsWith', 'reverse'] as const),
      ...(['cutText', 'jsonField', 'jsonItem', 'jsonFieldText', 'jsonItemText', 'hour', 'minute'] as const),
      ...(['betweenSymmetricLong', 'betweenSymmetricDouble', 'betweenSymmetricText'] as const),
      ...(['anyInt', 'anyLong', 'anyDouble', 'anyText', 'anyBoolean'] as const),
    ] satisfies readonly SqliteFunctionName[]
  ).map((name) => `schemac_${snake(name)}`),
);

/** Whether evaluating this SQL text can fail: only calls printed by `sqliteCall` can. A text literal that looks like a call does no harm. */
export function mayFail(text: string): boolean {
  return Array.from(text.matchAll(/schemac_\w+/g)).some(([name]) => !unfailing.has(name));
}

function snake(name: string): string {
  return name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);
}

type SqliteValue = null | string | number | boolean | Uint8Array;
export interface SqliteFunction {
  readonly name: string;
  readonly arity: number;
  /** Has exactly `arity` parameters (sql.js reads `length`). Throws an Error whose message `decodeFailure` understands. */
  readonly call: (...given: SqliteValue[]) => SqliteValue;
}

const implementations: Readonly<Record<string, unknown>> = { ...sql, ...sqliteOnly };

/** For `db.create_function(name, call)`. */
export const sqliteFunctions: readonly SqliteFunction[] = (Object.keys(signatures) as SqliteFunctionName[]).map(
  (name) => {
    const crossings: readonly Crossing[] = signatures[name];
    const inner = implementations[name] as (...given: unknown[]) => unknown;
    const arity = crossings.length - 1;
    return {
      name: `schemac_${snake(name)}`,
      arity,
      call: withArity(arity, guarded(snake(name).toUpperCase(), inner, crossings)),
    };
  },
);

/** sql.js passes a text on the stack of its module, which has 5 MiB and no guard: a longer text would overwrite other memory. */
const mostResultBytes = 4 * textLimit;

function withinStack(result: SqliteValue, name: string): SqliteValue {
  if (typeof result === 'string' && result.length > textLimit && Buffer.byteLength(result) > mostResultBytes)
    throw fail('R0205', { function: name, problem: `the result would be longer than ${mostResultBytes} bytes` });
  return result;
}

function guarded(name: string, inner: (...given: unknown[]) => unknown, crossings: readonly Crossing[]) {
  return (given: readonly SqliteValue[]): SqliteValue => {
    try {
      const passed = given.map((argument, index) => fromSqlite(argument, crossings[index] ?? 'text'));
      return withinStack(toSqlite(inner(...passed)), name);
    } catch (error) {
      throw error instanceof Failure ? new Error(encodeFailure(error)) : error;
    }
  };
}

function fromSqlite(value: SqliteValue, crossing: Crossing): unknown {
  if (value === null) return null;
  if (crossing === 'long') return BigInt(String(value));
  return crossing === 'boolean' ? value !== 0 : value;
}

function toSqlite(value: unknown): SqliteValue {
  if (value === undefined) return null;
  return typeof value === 'bigint' ? value.toString() : (value as SqliteValue);
}

function withArity(arity: number, call: (given: readonly SqliteValue[]) => SqliteValue): SqliteFunction['call'] {
  switch (arity) {
    case 0:
      return () => call([]);
    case 1:
      return (a: SqliteValue) => call([a]);
    case 2:
      return (a: SqliteValue, b: SqliteValue) => call([a, b]);
    case 3:
      return (a: SqliteValue, b: SqliteValue, c: SqliteValue) => call([a, b, c]);
    case 4:
      return (a: SqliteValue, b: SqliteValue, c: SqliteValue, d: SqliteValue) => call([a, b, c, d]);
    default:
      return (a: SqliteValue, b: SqliteValue, c: SqliteValue, d: SqliteValue, e: SqliteValue) => call([a, b, c, d, e]);
  }
}

/** Time and randomness of one query: the results of `schemac_now()`, `schemac_random()` and `schemac_uuid()` while it runs. */
export interface QueryMoment {
  /** µs since 1970. */
  readonly now: bigint;
  readonly random: () => number;
  readonly uuid: () => string;
}
/** The function that a recursive table's step calls for each of its rows; always TRUE. */
export const recursionStep = 'schemac_step';

/** The maximum number of rows from the steps of a query's recursive tables: far more than any series needs, and reached in seconds. */
export const mostSteps = 1_000_000;

/** Registered again before each query, or once over a moment that is replaced. */
export function momentFunctions(moment: () => QueryMoment): readonly SqliteFunction[] {
  let counted: QueryMoment | undefined;
  let steps = 0;
  const step = (): SqliteValue => {
    if (counted !== moment()) {
      counted = moment();
      steps = 0;
    }
    steps += 1;
    if (steps > mostSteps) throw new Error(encodeFailure(fail('R0209', { rows: mostSteps })));
    return 1;
  };
  return [
    { name: recursionStep, arity: 0, call: step },
    { name: 'schemac_now', arity: 0, call: () => moment().now.toString() },
    { name: 'schemac_random', arity: 0, call: () => moment().random() },
    { name: 'schemac_uuid', arity: 0, call: () => moment().uuid() },
  ];
}
