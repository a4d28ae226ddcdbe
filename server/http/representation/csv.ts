import type { Column } from '../../../language/contract/query.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { printValue } from '../../../language/values/cast.ts';
import { refuseRepeatedNames } from './column-names.ts';

/**
 * Writes rows as lines of RFC 4180. NULL is an empty cell, the empty text is `""`, so that they differ. `safe`: texts that a spreadsheet
 * would run as a formula begin with an apostrophe (docs/http.md#forms-of-an-answer).
 */
export function csvLines(
  columns: readonly Column[],
  safe = false,
): { readonly header: string; readonly line: (row: Row) => string } {
  refuseRepeatedNames(columns);
  const types = columns.map((column) => column.type);
  const text = safe ? (value: string) => quote(withoutFormula(value)) : quote;
  return {
    header: `${columns.map((column) => text(column.name)).join(',')}\r\n`,
    line: (row) => `${types.map((type, at) => cell(row[at] ?? null, type, text)).join(',')}\r\n`,
  };
}

function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

const texts: ReadonlySet<Type['kind']> = new Set(['STRING', 'UUID', 'INTERVAL', 'JSON', 'NULL']);

function cell(value: Value, type: Type, text: (value: string) => string): string {
  if (value === null) return '';
  const printed = printValue(value, type);
  return texts.has(type.kind) ? text(printed) : quote(printed);
}

function quote(text: string): string {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
