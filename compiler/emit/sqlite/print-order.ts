import type { SortKey } from '../../catalog/query.ts';
import type { Printer } from './printer.ts';

/** ` ORDER BY …` or nothing. Where NULLs stand is always said, since SQLite's own default is not the language's. */
export function printOrderBy(printer: Printer, keys: readonly SortKey[]): string {
  if (keys.length === 0) return '';
  return ` ORDER BY ${keys.map((key) => `${keyText(printer, key)} ${key.direction} NULLS ${key.nulls}`).join(', ')}`;
}

function keyText(printer: Printer, key: SortKey): string {
  return key.by === 'output' ? String(key.index + 1) : notPosition(printer.expression(key.expression));
}

/** In GROUP BY and ORDER BY SQLite reads a bare integer as the number of a column; a cast makes it a value. */
export function notPosition(text: string): string {
  return /^[\s(+-]*\d+[\s)]*$/.test(text) ? `CAST(${text} AS INTEGER)` : text;
}
