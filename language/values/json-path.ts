/** `->` and `->>` on JSON text and on structs; NULL where there is no such part. Numbers keep the text they were written with. */
import { printValue } from './cast.ts';
import { fail } from '../failure/failure.ts';
import { parseJson, storedJsonLimits } from './json-parse.ts';
import { ExactNumber, type JsonValue } from './json.ts';
import { writeJsonValue } from './json-write.ts';
import type { StructField, Value } from './type.ts';

/** JSON text in a value was checked on input, except for literals from other sources; those fail like a CAST. */
function part(json: string, key: string | number): JsonValue | undefined {
  const parsed = parseJson(json, storedJsonLimits);
  if (parsed.problem !== undefined) throw fail('R0204', { what: 'the text', type: 'JSON' });
  const { value } = parsed;
  if (typeof key === 'string') return value instanceof Map ? (value.get(key) as JsonValue | undefined) : undefined;
  if (!Array.isArray(value)) return undefined;
  return (value as readonly JsonValue[]).at(key);
}

function asText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : value instanceof ExactNumber ? value.text : writeJsonValue(value);
}

/** A member as JSON text. */
export function jsonField(json: string, key: string): string | null {
  const found = part(json, key);
  return found === undefined ? null : writeJsonValue(found);
}
/** An element as JSON text, counted from 0 or, when negative, from the end. */
export function jsonItem(json: string, index: number): string | null {
  const found = part(json, index);
  return found === undefined ? null : writeJsonValue(found);
}
/** A member as text: strings without quotes, JSON null as NULL. */
export function jsonFieldText(json: string, key: string): string | null {
  return asText(part(json, key));
}
/** An element as text. */
export function jsonItemText(json: string, index: number): string | null {
  return asText(part(json, index));
}

export function structFieldText(struct: ReadonlyMap<string, Value>, field: StructField): string | null {
  const value = struct.get(field.name) ?? null;
  return value === null ? null : printValue(value, field.type);
}
