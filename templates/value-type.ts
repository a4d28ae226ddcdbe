import type { Type } from '../language/values/type.ts';

/** The TypeScript type of a value (`language/values/type.ts`); NULL is `null`, never a missing property. */
export function valueType(type: Type, nullable: boolean): string {
  const text = plainType(type);
  return nullable && text !== 'null' ? `${text} | null` : text;
}

function plainType(type: Type): string {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
      return 'string';
    case 'INT':
    case 'DOUBLE':
    case 'DATE':
      return 'number';
    case 'BIGINT':
    case 'DECIMAL':
    case 'TIMESTAMP':
    case 'WALL':
      return 'bigint';
    case 'BOOLEAN':
      return 'boolean';
    case 'LIST':
      return `readonly (${valueType(type.of, true)})[]`;
    case 'STRUCT':
      return 'ReadonlyMap<string, Value>';
    case 'NULL':
      return 'null';
  }
}

/** Whether `valueType` uses `Value`, which must then be imported. */
export function namesValue(type: Type): boolean {
  return type.kind === 'STRUCT' || (type.kind === 'LIST' && namesValue(type.of));
}
