/**
 * The functions that printed SQL calls, for sql.js: each is a function of sql.ts under the name `schemac_…`, so that both engines share one
 * meaning. sql.js rounds 64-bit integers on input and cannot return bigints; such values cross as text, and `sqliteCall` prints the casts.
 */
import { fail, Failure } from '../failure/failure.ts';
import { sql } from '../values/sql.ts';
import { textLimit } from '../values/text.ts';
import { encodeFailure } from './failure.ts';
import { sqliteOnly } from './only-in-sqlite.ts';
import { signatures, sqliteName, type Crossing, type SqliteFunctionName } from './signatures.ts';

export type SqliteValue = null | string | number | boolean | Uint8Array;
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
      name: sqliteName(name),
      arity,
      call: withArity(arity, guarded(sqliteName(name).slice('schemac_'.length).toUpperCase(), inner, crossings)),
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

/** A function with exactly that number of parameters. */
export function withArity(arity: number, call: (given: readonly SqliteValue[]) => SqliteValue): SqliteFunction['call'] {
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
    case 5:
      return (a: SqliteValue, b: SqliteValue, c: SqliteValue, d: SqliteValue, e: SqliteValue) => call([a, b, c, d, e]);
    default:
      return Object.defineProperty((...given: SqliteValue[]) => call(given), 'length', { value: arity });
  }
}
