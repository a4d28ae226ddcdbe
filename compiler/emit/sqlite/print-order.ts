import { sqliteCall } from '../../../language/sqlite/call.ts';
import { isSqliteInteger } from '../../../language/sqlite/value.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { SortKey } from '../../../language/catalog/query.ts';
import type { Printer } from './printer.ts';

/** ` ORDER BY …` or nothing. The position of NULLs is always explicit, since SQLite's default is not the language's. */
export function printOrderBy(printer: Printer, keys: readonly SortKey[]): string {
  if (keys.length === 0) return '';
  return ` ORDER BY ${keys.map((key) => `${keyText(printer, key)} ${key.direction} NULLS ${key.nulls}`).join(', ')}`;
}

function keyText(printer: Printer, key: SortKey): string {
  return key.by === 'output' ? String(key.index + 1) : printKey(printer, key.expression);
}

/**
 * A key of GROUP BY or ORDER BY. SQLite reads a bare integer there as the number of a column, even one that its parser
 * has made of a larger expression (`0.5 IS NULL`, `x AND FALSE`); a cast keeps it a value. Equal intervals may have
 * different texts: their key is the length.
 */
export function printKey(printer: Printer, key: TypedExpression): string {
  const text = printer.expression(key);
  if (key.type.kind === 'INTERVAL') return sqliteCall('intervalLength', text);
  return key.kind !== 'column' && isSqliteInteger(key.type) ? `CAST(${text} AS INTEGER)` : text;
}
