import { parseDate } from '../../../language/values/date.ts';
import { sqliteCall } from '../../../language/sqlite/call.ts';
import { intervalParts } from '../../../language/values/interval.ts';
import { dateParts, findTruncation, truncations } from '../../../language/values/time-parts.ts';
import type { Type } from '../../../language/values/type.ts';
import { castsTo } from '../can-cast.ts';
import { printCastSqlite } from '../cast-sqlite.ts';
import { printCastTypescript } from '../cast-typescript.ts';
import type { FunctionEntry, GivenArgument, PrintedArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { firstArgument, twoOperands } from '../operands.ts';
import { sharedCall } from '../shared-call.ts';
import { anyNullable, neverNullable, wrongCount } from '../signature.ts';
import { quoteSqlite } from '../sqlite-text.ts';
import { quoteTypescript, sqlCall } from '../typescript-text.ts';
import { BIGINT, DATE, decimalOf, INT, isText, namesOf, STRING, TIMESTAMP, WALL } from '../typing.ts';

/** The value of a bare or empty call of the names for the present: one instant per command or query. */
function present(name: string, usage: string, result: Type, sqlite: string, typescript: string): FunctionEntry {
  return {
    name,
    usage: [usage],
    volatility: 'stable',
    resolve: (given) =>
      given.length === 0 ? { parameters: [], result, nullable: neverNullable } : wrongCount(name, given.length, [0]),
    sqlite: () => sqlite,
    typescript: () => typescript,
  };
}

const now = 'CAST(schemac_now() AS INTEGER)';

/** A DATE, TIMESTAMP or wall time unchanged; a literal is a TIMESTAMP, which includes any date. */
function instantType(given: GivenArgument | undefined): Type | undefined {
  if (given === undefined) return undefined;
  if (given.untyped) return TIMESTAMP;
  const { kind } = given.type;
  return kind === 'DATE' || kind === 'TIMESTAMP' || kind === 'WALL' ? given.type : undefined;
}

function notInstant(name: string, given: readonly GivenArgument[]): Unresolvable {
  return {
    problem: `${name} takes a DATE or TIMESTAMP, not ${namesOf(given)}; write CAST(… AS TIMESTAMP) around a text`,
  };
}

/** The SQL and TypeScript of one part. */
function partSqlite(part: string, { text, type }: PrintedArgument): string {
  return sqliteCall(partFunction(type), quoteSqlite(part), text);
}
function partTypescript(part: string, { text, type }: PrintedArgument): string {
  return sqlCall(partFunction(type), quoteTypescript(part), text);
}
function partFunction({ kind }: Type): 'datePart' | 'timestampPart' | 'intervalPart' {
  return kind === 'DATE' ? 'datePart' : kind === 'INTERVAL' ? 'intervalPart' : 'timestampPart';
}

function calendarFunction(part: 'YEAR' | 'MONTH' | 'DAY'): FunctionEntry {
  return {
    name: part,
    usage: [`${part}(instant)`],
    strict: true,
    resolve: (given) => {
      if (given.length !== 1) return wrongCount(part, given.length, [1]);
      const type = instantType(given[0]);
      return type === undefined ? notInstant(part, given) : { parameters: [type], result: INT, nullable: anyNullable };
    },
    sqlite: (call) => partSqlite(part, firstArgument(call)),
    typescript: (call) => partTypescript(part, firstArgument(call)),
  };
}

/** Parts of the clock: the type of each, and its computation from a TIMESTAMP's microseconds. */
interface ClockPart {
  readonly result: Type;
  readonly sqlite: (text: string) => string;
  readonly typescript: (text: string) => string;
}

function called(name: 'hour' | 'minute' | 'microsecondOfMinute', result: Type): ClockPart {
  return { result, sqlite: (text) => sqliteCall(name, text), typescript: (text) => sqlCall(name, text) };
}

/** Microseconds read at another scale are seconds and milliseconds. */
const clockParts: Readonly<Record<string, ClockPart>> = {
  HOUR: called('hour', INT),
  MINUTE: called('minute', INT),
  SECOND: called('microsecondOfMinute', decimalOf(2, 6)),
  MILLISECOND: called('microsecondOfMinute', decimalOf(5, 3)),
  MILLISECONDS: called('microsecondOfMinute', decimalOf(5, 3)),
  MICROSECOND: called('microsecondOfMinute', decimalOf(8, 0)),
  MICROSECONDS: called('microsecondOfMinute', decimalOf(8, 0)),
  EPOCH: { result: decimalOf(12, 6), sqlite: (text) => text, typescript: (text) => text },
};

/** Parts of an INTERVAL that are not whole: the type of each, and its computation. */
const intervalClockParts: Readonly<Record<string, ClockPart>> = {
  SECOND: intervalCalled('intervalMicroseconds', decimalOf(2, 6)),
  MILLISECOND: intervalCalled('intervalMicroseconds', decimalOf(5, 3)),
  MILLISECONDS: intervalCalled('intervalMicroseconds', decimalOf(5, 3)),
  MICROSECOND: intervalCalled('intervalMicroseconds', decimalOf(8, 0)),
  MICROSECONDS: intervalCalled('intervalMicroseconds', decimalOf(8, 0)),
  EPOCH: intervalCalled('intervalEpoch', decimalOf(12, 6)),
};

function intervalCalled(name: 'intervalMicroseconds' | 'intervalEpoch', result: Type): ClockPart {
  return { result, sqlite: (text) => sqliteCall(name, text), typescript: (text) => sqlCall(name, text) };
}

/** `EXTRACT(part FROM instant)`: the part comes first, as a literal. */
const extract: FunctionEntry = {
  name: 'EXTRACT',
  usage: ['EXTRACT(part FROM instant)', 'EXTRACT(part FROM interval)'],
  strict: true,
  resolve: resolveExtract,
  sqlite: (call) => {
    const [part, instant] = extracted(call);
    const clock = clockPart(part, instant.type);
    if (clock === undefined) return partSqlite(part, instant);
    return instant.type.kind === 'DATE' ? `(${instant.text} * 86400)` : clock.sqlite(instant.text);
  },
  typescript: (call) => {
    const [part, instant] = extracted(call);
    const clock = clockPart(part, instant.type);
    if (clock === undefined) return partTypescript(part, instant);
    if (instant.type.kind !== 'DATE') return clock.typescript(instant.text);
    return sqlCall('dateEpoch', instant.text);
  },
};

function clockPart(part: string, type: Type): ClockPart | undefined {
  const parts = type.kind === 'INTERVAL' ? intervalClockParts : clockParts;
  return Object.hasOwn(parts, part) ? parts[part] : undefined;
}

function extracted(call: PrintedCall): readonly [string, PrintedArgument] {
  const [part, instant] = twoOperands(call);
  return [part.text.replaceAll("'", '').toUpperCase(), instant];
}

function resolveExtract(given: readonly GivenArgument[]): Resolution | Unresolvable {
  const [part, instant] = given;
  const type = instant?.type.kind === 'INTERVAL' ? instant.type : instantType(instant);
  if (given.length !== 2 || typeof part?.literal !== 'string')
    return { problem: 'EXTRACT takes the name of a part and an instant: EXTRACT(YEAR FROM x)' };
  if (type === undefined) return notInstant('EXTRACT', given.slice(1));
  const name = part.literal.toUpperCase();
  const known = partsOf(type);
  if (!known.includes(name))
    return {
      problem: `${type.kind === 'INTERVAL' ? 'an' : 'a'} ${type.kind} has no part '${part.literal}'; it has ${known.join(', ')}`,
    };
  const clock = clockPart(name, type);
  const result = clock === undefined ? INT : type.kind === 'DATE' ? BIGINT : clock.result;
  return { parameters: [STRING, type], result, nullable: (nullable) => nullable[1] === true };
}

function partsOf({ kind }: Type): readonly string[] {
  if (kind === 'INTERVAL') return [...intervalParts, ...Object.keys(intervalClockParts)];
  return [...dateParts, ...(kind === 'DATE' ? ['EPOCH'] : Object.keys(clockParts))];
}

function unknownUnit({ literal }: GivenArgument): Unresolvable | undefined {
  if (typeof literal !== 'string' || findTruncation(literal) !== undefined) return undefined;
  return { problem: `DATE_TRUNC knows ${truncations.map((name) => name.toLowerCase()).join(', ')}, not '${literal}'` };
}

const truncate: FunctionEntry = {
  name: 'DATE_TRUNC',
  usage: ["DATE_TRUNC('month', instant)", "DATE_TRUNC('month', instant, 'Europe/Oslo')"],
  strict: true,
  resolve: (given) => {
    const [unit, instant] = given;
    if (given.length !== 2 || unit === undefined) return wrongCount('DATE_TRUNC', given.length, [2, 3]);
    if (!unit.untyped && !isText(unit.type))
      return { problem: `DATE_TRUNC takes the name of a unit first, not ${namesOf([unit])}` };
    if (instantType(instant) === undefined) return notInstant('DATE_TRUNC', given.slice(1));
    const unknown = unknownUnit(unit);
    if (unknown !== undefined) return unknown;
    const type = instant?.type.kind === 'WALL' ? WALL : TIMESTAMP;
    return { parameters: [STRING, type], result: type, nullable: anyNullable };
  },
  ...sharedCall('truncateTimestamp'),
};

/** A literal longer than a day is cut at run time, like a text; any other must already be a DATE. */
function dateOfLiteral({ literal }: GivenArgument): Type {
  return typeof literal === 'string' && castsTo(DATE, literal) && parseDate(literal) === undefined ? STRING : DATE;
}

/** `DATE(x)` is CAST(x AS DATE). */
const date: FunctionEntry = {
  name: 'DATE',
  usage: ['DATE(instant)', 'DATE(text)'],
  strict: true,
  resolve: (given) => {
    const [instant] = given;
    if (given.length !== 1 || instant === undefined) return wrongCount('DATE', given.length, [1]);
    const type = instant.untyped ? dateOfLiteral(instant) : isText(instant.type) ? instant.type : instantType(instant);
    return type === undefined ? notInstant('DATE', given) : { parameters: [type], result: DATE, nullable: anyNullable };
  },
  sqlite: (call) => printCastSqlite(firstArgument(call), DATE, 'explicit'),
  typescript: (call) => printCastTypescript(firstArgument(call), DATE, 'explicit'),
};

export const timeFunctions: readonly FunctionEntry[] = [
  present('NOW', 'NOW()', TIMESTAMP, now, 'context.now'),
  present('CURRENT_TIMESTAMP', 'CURRENT_TIMESTAMP', TIMESTAMP, now, 'context.now'),
  present('CURRENT_DATE', 'CURRENT_DATE', DATE, sqliteCall('timestampToDate', now), 'sql.timestampToDate(context.now)'),
  calendarFunction('YEAR'),
  calendarFunction('MONTH'),
  calendarFunction('DAY'),
  extract,
  truncate,
  date,
];
