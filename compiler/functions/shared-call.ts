/** Printers of entries that are one call of the same function on both engines. */
import { sqliteCall } from '../../language/sqlite/call.ts';
import type { SqliteFunctionName } from '../../language/sqlite/signatures.ts';
import type { sql } from '../../language/values/sql.ts';
import type { FunctionEntry, PrintedCall } from './entry.ts';
import { quoteSqlite } from './sqlite-text.ts';
import { quoteTypescript, sqlCall } from './typescript-text.ts';

type SharedName = SqliteFunctionName & keyof typeof sql;

/** `defaults` replace trailing arguments that are absent. */
export function sharedCall(
  name: SharedName,
  defaults: readonly (string | undefined)[] = [],
): Pick<FunctionEntry, 'sqlite' | 'typescript'> {
  const missing = (given: number): readonly string[] => defaults.slice(given).filter((value) => value !== undefined);
  return {
    sqlite: ({ arguments: given }) =>
      sqliteCall(name, ...given.map((argument) => argument.text), ...missing(given.length).map(quoteSqlite)),
    typescript: ({ arguments: given }) =>
      sqlCall(name, ...given.map((argument) => argument.text), ...missing(given.length).map(quoteTypescript)),
  };
}

/** Prints calls of the same functions on both engines; `called` prints one. */
export function sharedCalls(
  print: (call: PrintedCall, called: (name: SharedName, ...given: readonly string[]) => string) => string,
): Pick<FunctionEntry, 'sqlite' | 'typescript'> {
  return { sqlite: (call) => print(call, sqliteCall), typescript: (call) => print(call, sqlCall) };
}
