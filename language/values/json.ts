/**
 * JSON values as sent by callers, numbers kept as the exact text that was sent (docs/language.md#types: never through a float). Objects are
 * Maps, so that a key such as `__proto__` is data.
 */
export type JsonValue = null | boolean | string | ExactNumber | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** A JSON number as its text, which is always valid JSON number syntax. */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
