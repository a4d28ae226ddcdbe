import type { Column } from '../../../language/contract/query.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { writeJson } from '../../../language/values/json-write.ts';
import { refuseRepeatedNames } from './column-names.ts';

/** Writes rows as lines of RFC 4180. NULL is an empty cell, the empty text is `""`, so that they differ. */
export function csvLines(columns: readonly Column[]): { readonly header: string; readonly line: (row: Row) => string } {
  refuseRepeatedNames(columns);
  const types = columns.map((column) => column.type);
  return {
    header: `${columns.map((column) => quote(column.name)).join(',')}\r\n`,
    line: (row) => `${types.map((type, at) => cell(row[at] ?? null, type)).join(',')}\r\n`,
  };
}

/** The casts follow from the promises of `values/type.ts` about the values of a type. */
function cell(value: Value, type: Type): string {
  if (value === null) return '';
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
    case 'NULL':
      return quote(value as string);
    case 'BIGINT':
      return (value as bigint).toString();
    case 'TIMESTAMP':
    case 'WALL':
    case 'DATE':
      // The JSON form is the same text in quotes.
      return writeJson(value, type).slice(1, -1);
    case 'BOOLEAN':
    case 'INT':
    case 'DOUBLE':
    case 'DECIMAL':
    case 'LIST':
    case 'STRUCT':
      return quote(writeJson(value, type));
  }
}

function quote(text: string): string {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
