import type { Type } from '../../../language/values/type.ts';
import type { JsonSchema } from '../wire/json-schema.ts';

/**
 * The JSON Schema of a value as sent by a caller, or as answered in JSON (docs/language.md#types). A sensitive text may be masked, so that
 * its length says nothing.
 */
export function typeSchema(
  type: Type,
  direction: 'in' | 'out',
  { nullable, sensitive = false }: { readonly nullable: boolean; readonly sensitive?: boolean },
): JsonSchema {
  const schema = sensitive && type.kind === 'STRING' ? { type: 'string' } : plainSchema(type, direction);
  return nullable ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function plainSchema(type: Type, direction: 'in' | 'out'): JsonSchema {
  switch (type.kind) {
    case 'STRING':
      if (type.enum !== undefined) return { type: 'string', enum: type.enum.values };
      return { type: 'string', ...(type.length === undefined ? {} : { maxLength: type.length }) };
    case 'UUID':
    case 'INTERVAL':
    case 'WALL':
    case 'NULL':
      return { type: 'string' };
    case 'INT':
      return direction === 'out' ? int32 : { anyOf: [int32, { type: 'string', pattern: '^[+-]?[0-9]+$' }] };
    case 'BIGINT':
      return {
        anyOf: [
          { type: 'integer', format: 'int64' },
          { type: 'string', pattern: '^[+-]?[0-9]+$' },
        ],
      };
    case 'DECIMAL':
      return decimalSchema(type.precision, type.scale, direction);
    case 'DOUBLE':
      return { type: 'number', format: 'double' };
    case 'BOOLEAN':
      return { type: 'boolean' };
    case 'TIMESTAMP':
      return { type: 'string', format: 'date-time' };
    case 'DATE':
      return { type: 'string', format: 'date' };
    case 'JSON':
      return {};
    case 'LIST':
      return { type: 'array', items: typeSchema(type.of, direction, { nullable: true }) };
    case 'STRUCT':
      return {
        type: 'object',
        properties: Object.fromEntries(
          type.fields.map((field) => [
            field.name,
            typeSchema(field.type, direction, { nullable: true, sensitive: field.sensitive === true }),
          ]),
        ),
      };
  }
}

const int32 = { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 };

function decimalSchema(precision: number, scale: number, direction: 'in' | 'out'): JsonSchema {
  const number = { type: 'number', description: `exact, ${precision} digits with ${scale} after the point` };
  return direction === 'out' ? number : { anyOf: [number, { type: 'string' }], description: number.description };
}
