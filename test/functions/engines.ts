/**
 * The two engines of the product, as a table of one expression over columns `c0`, `c1`, …: values in, value or failure
 * code out.
 */
import initSqlJs, { type SqlValue } from 'sql.js';
import { printCastSqlite, printCastTypescript } from '../../compiler/functions/cast.ts';
import type { FunctionEntry, PrintedArgument, Resolution } from '../../compiler/functions/entry.ts';
import { Failure } from '../../language/failure/failure.ts';
import { sql } from '../../language/values/sql.ts';
import { decodeFailure } from '../../language/sqlite/failure.ts';
import { sqliteFunctions } from '../../language/sqlite/functions.ts';
import { momentFunctions } from '../../language/sqlite/moment.ts';
import { fromSqlite, sqliteParameter, toSqlite } from '../../language/sqlite/value.ts';
import type { Type, Value } from '../../language/values/type.ts';

export type Outcome = { readonly value: Value } | { readonly failure: string };
export type Evaluate = (values: readonly Value[]) => Outcome;

const engine = await initSqlJs({ useOldExtensionFunctions: false } as Parameters<typeof initSqlJs>[0]);
const database = new engine.Database();
const moment = { now: 1_792_540_800_123_456n, random: () => 0.25, uuid: () => '11111111-2222-4333-8444-555555555555' };
for (const { name, call } of [...sqliteFunctions, ...momentFunctions(() => moment)])
  database.create_function(name, call);

export interface Printed {
  readonly sqlite: string;
  readonly typescript: string;
  readonly result: Type;
}

/** Columns as an emitter describes them. */
export interface ColumnForm {
  readonly nullable: boolean;
  readonly simple: boolean;
}

/** The call of an entry over columns of these types, with the casts that the analyser puts around its arguments. */
export function printCall(
  entry: FunctionEntry,
  resolution: Resolution,
  types: readonly Type[],
  form: ColumnForm,
  literals: readonly (string | undefined)[] = [],
): Printed {
  const argument = (target: 'sqlite' | 'typescript', type: Type, index: number): PrintedArgument => {
    const literal = literals[index];
    const column: PrintedArgument =
      literal === undefined
        ? { text: columnText(target, index, form), type, nullable: form.nullable, simple: form.simple }
        : { text: literal, type, nullable: false, simple: true };
    const wanted = resolution.parameters[index] ?? type;
    if (JSON.stringify(wanted) === JSON.stringify(type)) return column;
    const print = target === 'sqlite' ? printCastSqlite : printCastTypescript;
    return { ...column, text: print(column, wanted, 'implicit'), type: wanted, simple: literal !== undefined };
  };
  const call = (target: 'sqlite' | 'typescript') => ({
    arguments: types.map((type, index) => argument(target, type, index)),
    result: resolution.result,
  });
  return {
    sqlite: entry.sqlite(call('sqlite')),
    typescript: entry.typescript(call('typescript')),
    result: resolution.result,
  };
}

/** An expression that is not simple must be printed only once. */
export function columnText(target: 'sqlite' | 'typescript', index: number, form: ColumnForm): string {
  if (form.simple) return `c${index}`;
  return target === 'sqlite' ? `(+c${index})` : `(c${index})`;
}

export function sqliteEvaluator(
  text: string,
  types: readonly Type[],
  result: Type,
): { evaluate: Evaluate; free: () => void } {
  const columns = types.map((type, index) => `${sqliteParameter(index + 1, type)} AS c${index}`);
  const from = columns.length === 0 ? '' : ` FROM (SELECT ${columns.join(', ')} LIMIT 1)`;
  const statement = database.prepare(`SELECT ${text} AS result${from}`);
  return {
    evaluate: (values) =>
      attempt(() => {
        try {
          statement.bind(values.map((value, index) => toSqlite(value, types[index] ?? { kind: 'NULL' }) as SqlValue));
          statement.step();
          // The published types lack the option that keeps integers exact.
          const row = (statement as unknown as { get: (values: null, options: object) => unknown[] }).get(null, {
            useBigInt: true,
          });
          return fromSqlite(row[0], result);
        } finally {
          statement.reset();
        }
      }),
    free: () => statement.free(),
  };
}

export function typescriptEvaluator(text: string, arity: number): Evaluate {
  const names = Array.from({ length: arity }, (_, index) => `c${index}`);
  // oxlint-disable-next-line typescript/no-implied-eval -- running the printed text is what is tested
  const run = new Function('sql', 'context', ...names, `'use strict'; return ${text};`) as (
    ...given: unknown[]
  ) => Value;
  return (values) => attempt(() => run(sql, moment, ...values));
}

function attempt(work: () => Value): Outcome {
  try {
    return { value: work() };
  } catch (error) {
    const failure = error instanceof Failure ? error : decodeFailure(error);
    if (failure === undefined) throw error;
    return { failure: failure.code };
  }
}

/** For comparing and showing: bigints and maps as text, doubles to 12 digits. */
export function shown(outcome: Outcome, type: Type): string {
  if ('failure' in outcome) return outcome.failure;
  const { value } = outcome;
  if (type.kind === 'DOUBLE' && typeof value === 'number') return String(Number(value.toPrecision(12)) + 0);
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? `${part}n` : part instanceof Map ? [...part] : part,
  );
}
