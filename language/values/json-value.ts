import { parseJson, storedJsonLimits } from './json-parse.ts';
import { writeJson } from './json-write.ts';
import type { JsonValue } from './json.ts';
import type { Type, Value } from './type.ts';

/** The value of JSON text that this program wrote or checked; any other text is a bug and throws. */
export function trustedJson(text: string): JsonValue {
  const parsed = parseJson(text, storedJsonLimits);
  if (parsed.problem !== undefined) throw new TypeError(`stored JSON at ${parsed.offset}: ${parsed.problem}`);
  return parsed.value;
}

/** A value as a caller would send it in JSON: exact numbers, ISO timestamps. */
export function toJsonValue(value: Value, type: Type): JsonValue {
  return trustedJson(writeJson(value, type));
}
