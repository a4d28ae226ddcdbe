/** Values to JSON text as clients receive it (docs/language.md#types); numbers are written exactly. */
import { printDate } from './date.ts';
import { printDecimal } from './decimal.ts';
import { printDouble } from './double.ts';
import { ExactNumber, type JsonValue } from './json.ts';
import { printTimestamp, printWallTime } from './timestamp.ts';
import type { Type, Value } from './type.ts';

/**
 * Decimals become JSON numbers with their declared scale, a BIGINT a number while JavaScript can hold it exactly and else a string, timestamps
 * and dates ISO strings, lists arrays, structs objects with the fields that the value has, in the type's order.
 */
export function writeJson(value: Value, type: Type): string {
  if (value === null) return 'null';
  switch (type.kind) {
    case 'DECIMAL':
      return typeof value === 'bigint' ? printDecimal(value, type.scale, type.bare) : unexpected(value, type);
    case 'BIGINT':
      return typeof value === 'bigint' ? writeBigint(value) : unexpected(value, type);
    case 'DOUBLE':
      return typeof value === 'number' ? printDouble(value) : unexpected(value, type);
    case 'TIMESTAMP':
      return typeof value === 'bigint' ? `"${printTimestamp(value)}"` : unexpected(value, type);
    case 'WALL':
      return typeof value === 'bigint' ? `"${printWallTime(value)}"` : unexpected(value, type);
    case 'DATE':
      return typeof value === 'number' ? `"${printDate(value)}"` : unexpected(value, type);
    case 'JSON':
      return typeof value === 'string' ? value : unexpected(value, type);
    case 'LIST':
      return Array.isArray(value)
        ? `[${value.map((item: Value) => writeJson(item, type.of)).join(',')}]`
        : unexpected(value, type);
    case 'STRUCT':
      return value instanceof Map ? writeStruct(value, type.fields) : unexpected(value, type);
    default:
      return JSON.stringify(value);
  }
}

function writeBigint(value: bigint): string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? String(number) : `"${value}"`;
}

function writeStruct(value: ReadonlyMap<string, Value>, fields: readonly { name: string; type: Type }[]): string {
  const own = fields.filter((field) => value.has(field.name));
  return `{${own.map((field) => `${JSON.stringify(field.name)}:${writeJson(value.get(field.name) ?? null, field.type)}`).join(',')}}`;
}

/** A value that is not of its type is a bug of the program, never a mistake of a caller. */
function unexpected(value: Value, type: Type): never {
  throw new TypeError(`expected a ${type.kind}, not a ${typeof value}`);
}

/** Canonical text of a JSON value: no spaces, keys in their order, numbers as written. */
export function writeJsonValue(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.text;
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, JsonValue>)];
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${writeJsonValue(member)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(writeJsonValue).join(',')}]`;
  return JSON.stringify(value);
}
