/**
 * The types of a generated client: types of its arguments, and of the values that it reads from answers
 * (`client/column-types.ts`).
 */
import type { Docs } from '../language/contract/docs.ts';
import type { Column } from '../language/contract/query.ts';
import { typeName, type Type } from '../language/values/type.ts';
import { objectCode, type Code } from './code.ts';
import { memberDocumentation } from './documented.ts';
import { memberKey, propertyKey, stringLiteral } from './literal.ts';
import type { InterfaceMember } from './module.ts';

/** A column, or a field of an event or a struct. */
export type TypedName = Pick<Column, 'name' | 'type'>;

/** The type of an argument; exact numbers are text. */
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

/** The type of a value in an answer: a DECIMAL is exact text, a BIGINT a bigint, times are ISO text. */
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

/** A property for each name, the first of two with the same name; the caller says which may be null. */
export function answerMembers<T extends TypedName>(
  given: readonly T[],
  nullable: (column: T) => boolean,
  docs?: Docs,
): readonly InterfaceMember[] {
  return distinct(given).map((column) => {
    const type = answerType(column.type);
    return {
      key: memberKey(column.name),
      type: nullable(column) ? orNull(type) : type,
      ...memberDocumentation(docs, column.name),
    };
  });
}

/** The columns as a value, by which the client reads them. */
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
