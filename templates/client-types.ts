/** The types of a generated client: what it sends, and what it makes of answers (`templates/client/column-types.ts`). */
import type { Column } from '../language/contract/query.ts';
import { typeName, type Type } from '../language/values/type.ts';
import { objectCode, type Code } from './code.ts';
import { memberKey, propertyKey, stringLiteral } from './literal.ts';
import type { InterfaceMember } from './module.ts';

/** A column, or a field of an event or a struct. */
export type TypedName = Pick<Column, 'name' | 'type'>;

/** What a caller sends; exact where it is text. */
export function argumentType(type: Type): string {
  switch (type.kind) {
    case 'BIGINT':
      return 'bigint | number | string';
    case 'DECIMAL':
      return 'string | number';
    case 'INT':
    case 'DOUBLE':
      return 'number';
    case 'BOOLEAN':
      return 'boolean';
    case 'JSON':
      return 'unknown';
    default:
      return 'string';
  }
}

/** What an answer holds: a DECIMAL as exact text, a BIGINT as a bigint, times as ISO text. */
export function answerType(type: Type): string {
  switch (type.kind) {
    case 'BIGINT':
      return 'bigint';
    case 'INT':
    case 'DOUBLE':
      return 'number';
    case 'BOOLEAN':
      return 'boolean';
    case 'JSON':
      return 'unknown';
    case 'STRUCT':
      return `{ ${type.fields.map(({ name, type: of }) => `readonly ${memberKey(name)}: ${orNull(answerType(of))}`).join('; ')} }`;
    case 'LIST':
      return `readonly (${orNull(answerType(type.of))})[]`;
    default:
      return 'string';
  }
}

export function orNull(type: string): string {
  return type === 'unknown' ? type : `${type} | null`;
}

/** A property for each name, the first where two share one; which may be null the caller says. */
export function answerMembers<T extends TypedName>(
  given: readonly T[],
  nullable: (column: T) => boolean,
): readonly InterfaceMember[] {
  return distinct(given).map((column) => {
    const type = answerType(column.type);
    return { key: memberKey(column.name), type: nullable(column) ? orNull(type) : type };
  });
}

/** The same columns as a value: how the client reads them. */
export function columnsCode(given: readonly TypedName[]): Code {
  return objectCode(distinct(given).map(({ name, type }) => [propertyKey(name), typeCode(type)]));
}

function typeCode(type: Type): Code {
  if (type.kind === 'LIST') return objectCode([['list', typeCode(type.of)]]);
  if (type.kind === 'STRUCT') return objectCode([['fields', columnsCode(type.fields)]]);
  return stringLiteral(typeName(type));
}

function distinct<T extends TypedName>(given: readonly T[]): readonly T[] {
  return [...new Map([...given].reverse().map((column) => [column.name, column])).values()].reverse();
}
