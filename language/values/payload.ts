/**
 * The payload form of values (column "log payload" of type.ts): the form in the log and inside lists in SQLite. All leaves are safe in
 * JSON. Older forms can also be read, since a field's type may have widened since they were written.
 */
import { parseDate, printDate } from './date.ts';
import { parseDecimal, printDecimal, rescale } from './decimal.ts';
import { fitDouble, printDouble } from './double.ts';
import { parseTimestamp, printTimestamp, printWallTime } from './timestamp.ts';
import type { Type, Value } from './type.ts';

export type Payload = null | string | number | boolean | readonly Payload[] | { readonly [name: string]: Payload };

/** Values to plain data that `JSON.stringify` keeps exactly. */
export function toPayload(value: Value, type: Type): Payload {
  if (value === null) return null;
  switch (type.kind) {
    case 'BIGINT':
      return (value as bigint).toString(); // a value of a BIGINT
    case 'DECIMAL':
      return printDecimal(value as bigint, type.scale, type.bare); // a value of a DECIMAL is a bigint
    case 'TIMESTAMP':
      return printTimestamp(value as bigint); // so is one of a TIMESTAMP
    case 'WALL':
      return printWallTime(value as bigint); // and one of a wall time
    case 'DATE':
      return printDate(value as number);
    case 'LIST':
      return (value as readonly Value[]).map((item) => toPayload(item, type.of));
    case 'STRUCT':
      return structPayload(value as ReadonlyMap<string, Value>, type.fields);
    default:
      return value as string | number | boolean;
  }
}

function structPayload(value: ReadonlyMap<string, Value>, fields: readonly { name: string; type: Type }[]): Payload {
  const own = fields.filter((field) => value.has(field.name));
  return Object.fromEntries(own.map((field) => [field.name, toPayload(value.get(field.name) ?? null, field.type)]));
}

/**
 * A value of the type from the stored form of it or of a narrower type: an INT read as BIGINT, DECIMAL or DOUBLE, a BIGINT as DECIMAL, a
 * VARCHAR as STRING. Anything else is a damaged record and throws a TypeError.
 */
export function fromPayload(stored: unknown, type: Type): Value {
  if (stored === null || stored === undefined) return null;
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
      return typeof stored === 'string' ? stored : String(scalar(stored, type));
    case 'INT':
      return Number(whole(stored, type));
    case 'BIGINT':
      return whole(stored, type);
    case 'DECIMAL': {
      const written = parseDecimal(String(scalar(stored, type))) ?? damaged(type);
      return rescale(written.unscaled, written.scale, type.scale);
    }
    case 'DOUBLE':
      return fitDouble(Number(scalar(stored, type)));
    case 'BOOLEAN':
      return typeof stored === 'boolean' ? stored : damaged(type);
    case 'WALL':
    case 'TIMESTAMP':
      return parseTimestamp(String(scalar(stored, type))) ?? damaged(type);
    case 'DATE':
      return parseDate(String(scalar(stored, type))) ?? damaged(type);
    case 'LIST':
      return Array.isArray(stored) ? stored.map((item: unknown) => fromPayload(item, type.of)) : damaged(type);
    case 'STRUCT':
      return readStruct(stored, type.fields);
    case 'NULL':
      return null;
  }
}

function readStruct(stored: unknown, fields: readonly { name: string; type: Type }[]): Value {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored))
    return damaged({ kind: 'STRUCT', fields });
  const known = new Map<string, unknown>(Object.entries(stored));
  return new Map(
    fields
      .filter((field) => known.has(field.name))
      .map((field) => [field.name, fromPayload(known.get(field.name), field.type)]),
  );
}

function scalar(stored: unknown, type: Type): string | number | boolean {
  if (typeof stored === 'number') return type.kind === 'DOUBLE' ? stored : printDouble(stored);
  return typeof stored === 'string' || typeof stored === 'boolean' ? stored : damaged(type);
}

function whole(stored: unknown, type: Type): bigint {
  const written = parseDecimal(String(scalar(stored, type)));
  return written?.scale === 0 ? written.unscaled : damaged(type);
}

function damaged(type: Type): never {
  throw new TypeError(`stored data is no ${type.kind}`);
}
