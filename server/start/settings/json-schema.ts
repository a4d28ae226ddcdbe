/** The part of JSON Schema that `schemac.config.schema.json` uses. */
export interface JsonSchema {
  readonly description?: string;
  /** Absent if `anyOf` gives the allowed types. */
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  /** Alternatives of different types. */
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** `true`: of any JSON type. */
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** Text to add after an unknown name, such as the nearest known name. */
export type Suggest = (name: string, known: Iterable<string>) => string;

/** All parts of `value` that the schema does not allow, as sentences that name the key; empty when it is valid. */
export function checkJson(schema: JsonSchema, value: unknown, suggest: Suggest, path = ''): readonly string[] {
  const at = path === '' ? 'the file' : `'${path}'`;
  if (schema.type === undefined) return checkAny(schema.anyOf ?? [], value, suggest, path, at);
  switch (schema.type) {
    case 'object':
      return isObject(value) ? checkObject(schema, value, suggest, path) : [`${at} takes an object`];
    case 'array': {
      if (!Array.isArray(value)) return [`${at} takes a list`];
      const { items } = schema;
      if (items === undefined) return [];
      return value.flatMap((item: unknown, index) => checkJson(items, item, suggest, `${path}[${index}]`));
    }
    case 'string':
      return typeof value === 'string' ? checkText(schema, value, at) : [`${at} takes a text`];
    case 'integer':
      return checkInteger(schema, value, at);
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${at} takes true or false`];
  }
}

const typeWords = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
} as const satisfies Record<NonNullable<JsonSchema['type']>, string>;

/** The problems by the alternative of the value's own type; if there is none, the types of all alternatives. */
function checkAny(
  alternatives: readonly JsonSchema[],
  value: unknown,
  suggest: Suggest,
  path: string,
  at: string,
): readonly string[] {
  const type = isObject(value) ? 'object' : Array.isArray(value) ? 'array' : typeof value;
  const own = alternatives.find((alternative) => alternative.type === type);
  if (own !== undefined) return checkJson(own, value, suggest, path);
  const words = alternatives.flatMap(
    (alternative) => alternative.enum?.map((word) => `'${word}'`) ?? [typeWords[alternative.type ?? 'object']],
  );
  return [`${at} takes ${words.join(' or ')}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  suggest: Suggest,
  path: string,
): readonly string[] {
  const properties = new Map(Object.entries(schema.properties ?? {}));
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
  return [
    ...missing.map((key) => `'${below(key)}' is missing`),
    ...Object.entries(value).flatMap(([key, item]) => {
      const known = properties.get(key) ?? schema.additionalProperties;
      if (known === true) return [];
      if (typeof known === 'object') return checkJson(known, item, suggest, below(key));
      return [`there is no setting '${below(key)}'${suggest(key, properties.keys())}`];
    }),
  ];
}

function checkText(schema: JsonSchema, value: string, at: string): readonly string[] {
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return [`${at} takes ${schema.enum.map((word) => `'${word}'`).join(' or ')}, not '${value}'`];
  }
  if (value.length < (schema.minLength ?? 0)) return [`${at} is empty`];
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) {
    return [`${at} is not ${schema.description ?? schema.pattern}`];
  }
  return [];
}

function checkInteger(schema: JsonSchema, value: unknown, at: string): readonly string[] {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum) return [];
  return [`${at} takes a whole number from ${minimum} to ${maximum}`];
}
