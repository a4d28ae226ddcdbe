/**
 * The key by which a value is compared, sorted or grouped: the value itself, but a key for an INTERVAL or a list of them, because equal
 * intervals may be different texts. Every such place of the printers asks here.
 */
import { sqliteCall } from '../../language/sqlite/call.ts';
import type { Type } from '../../language/values/type.ts';
import type { PrintedArgument } from './entry.ts';
import { sqlCall } from './typescript-text.ts';
import { BIGINT, STRING } from './typing.ts';

/** Whether values of the type are compared by a key. */
export function isKeyed(type: Type): boolean {
  return type.kind === 'INTERVAL' || (type.kind === 'LIST' && isKeyed(type.of));
}

/** The SQL of the key of a value of this type. */
export function keyText(text: string, type: Type): string {
  if (!isKeyed(type)) return text;
  return sqliteCall(type.kind === 'LIST' ? 'intervalListKey' : 'intervalKey', text);
}

/** An argument of a comparison in SQL. */
export function keySqlite(argument: PrintedArgument): PrintedArgument {
  if (!isKeyed(argument.type)) return argument;
  return { ...argument, type: STRING, text: keyText(argument.text, argument.type), simple: false };
}

/** An argument of a comparison in TypeScript. */
export function keyTypescript(argument: PrintedArgument): PrintedArgument {
  if (!isKeyed(argument.type)) return argument;
  return { ...argument, type: BIGINT, text: sqlCall('intervalLength', argument.text) };
}
