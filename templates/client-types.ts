/** The types of a generated client: what it sends and what answers hold, as JSON carries them. */
import type { Type } from '../runtime/values/type.ts';

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
      return 'Readonly<Record<string, unknown>>';
    case 'LIST':
      return `readonly (${answerType(type.of)} | null)[]`;
    default:
      return 'string';
  }
}

/** Inside a payload every number is one of JavaScript's. */
export function dataType(type: Type): string {
  return type.kind === 'BIGINT' || type.kind === 'DECIMAL' ? 'number | string' : answerType(type);
}

/** How an answer's numbers are read; see `readValue` of the transport. */
export function kindOf(type: Type): string {
  switch (type.kind) {
    case 'BIGINT':
      return 'bigint';
    case 'DECIMAL':
      return 'decimal';
    case 'INT':
    case 'DOUBLE':
      return 'number';
    case 'LIST':
      return `${kindOf(type.of)}[]`;
    case 'STRUCT':
    case 'JSON':
      return 'json';
    default:
      return 'text';
  }
}
