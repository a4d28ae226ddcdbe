/**
 * Readers of command arguments (docs/language.md#types): for each type of the language, the TypeScript type of its
 * values. `values/input.ts` decides which JSON values are accepted.
 */
import type { Type } from '../../language/values/type.ts';

export interface Reader<T> {
  readonly type: Type;
  /** Never set: it gives the reader its type parameter. */
  readonly holds?: T;
}

export const text: Reader<string> = { type: { kind: 'STRING' } };
export const uuid: Reader<string> = { type: { kind: 'UUID' } };
export const int: Reader<number> = { type: { kind: 'INT' } };
export const bigint: Reader<bigint> = { type: { kind: 'BIGINT' } };
export const double: Reader<number> = { type: { kind: 'DOUBLE' } };
export const boolean: Reader<boolean> = { type: { kind: 'BOOLEAN' } };
/** µs since 1970. */
export const timestamp: Reader<bigint> = { type: { kind: 'TIMESTAMP' } };
/** Days since 1970. */
export const date: Reader<number> = { type: { kind: 'DATE' } };
/** JSON text. */
export const json: Reader<string> = { type: { kind: 'JSON' } };

/** At most `length` characters. */
export function varchar(length: number): Reader<string> {
  return remembered(varchars, length, { kind: 'STRING', length });
}
/** A value of an ENUM, whose values are a JSON array. */
export function enumeration(name: string, values: string): Reader<string> {
  const known = enumerations.get(name);
  if (known?.values === values) return known.reader;
  const type: Type = { kind: 'STRING', enum: { name, values: JSON.parse(values) as readonly string[] } }; // printed by the compiler
  const reader = { type };
  enumerations.set(name, { values, reader });
  return reader;
}
/** The value × 10^scale. */
export function decimal(precision: number, scale: number): Reader<bigint> {
  return remembered(decimals, precision * 100 + scale, { kind: 'DECIMAL', precision, scale });
}

/** By the name of the ENUM, the latest definition only, so that a registry that changes for years does not grow. */
const enumerations = new Map<string, { readonly values: string; readonly reader: Reader<string> }>();
const varchars = new Map<number, Reader<string>>();
const decimals = new Map<number, Reader<bigint>>();

/** Keeps one reader for each type, because generated decoders request theirs on every call. */
function remembered<T>(readers: Map<number, Reader<T>>, key: number, type: Type): Reader<T> {
  const known = readers.get(key);
  if (known !== undefined) return known;
  const reader = { type };
  readers.set(key, reader);
  return reader;
}
