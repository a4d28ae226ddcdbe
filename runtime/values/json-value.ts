import { parseJson, type JsonLimits } from './json-parse.ts';
import { writeJson } from './json-write.ts';
import type { JsonValue } from './json.ts';
import type { Type, Value } from './type.ts';

const unlimited: JsonLimits = { depth: 1000, keysPerObject: Infinity, nodes: Infinity, stringLength: Infinity };

/** The value of JSON text that we wrote or checked ourselves; anything else there is a fault of ours and throws. */
export function trustedJson(text: string): JsonValue {
  const parsed = parseJson(text, unlimited);
  if (parsed.problem !== undefined) throw new TypeError(`stored JSON at ${parsed.offset}: ${parsed.problem}`);
  return parsed.value;
}

/** A value as a caller would send it in JSON: exact numbers, ISO timestamps. */
export function toJsonValue(value: Value, type: Type): JsonValue {
  return trustedJson(writeJson(value, type));
}
