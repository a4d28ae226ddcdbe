/** A JSON Schema, of the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An object that always has these properties. */
export function closed(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { ...withAll(properties), required, additionalProperties: false };
}

/** An object that always has these properties, and may have others. */
export function withAll(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

export const text: JsonSchema = { type: 'string' };
export const whole: JsonSchema = { type: 'integer' };
export const textOrNull: JsonSchema = { anyOf: [text, { type: 'null' }] };

/** The schema with these texts before its own description; texts that are absent are left out. */
export function described(schema: JsonSchema, ...texts: readonly (string | undefined)[]): JsonSchema {
  const given = texts.filter((part) => part !== undefined);
  if (given.length === 0) return schema;
  const own = 'description' in schema ? [String(schema['description'])] : [];
  return { ...schema, description: [...given, ...own].join('\n\n') };
}
