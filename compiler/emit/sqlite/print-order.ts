import { isSqliteInteger } from '../../../language/sqlite/value.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { SortKey } from '../../../language/catalog/query.ts';
import type { Type } from '../../../language/values/type.ts';
import { isKeyed, keyText } from '../../functions/comparison-key.ts';
import { outputName, type Printer } from './printer.ts';

/**
 * ` ORDER BY …` or nothing. The position of NULLs is always explicit, since SQLite's default is not the language's. `outputs` are the types of the
 * result columns; without them no result column is sorted by a key.
 */
export function printOrderBy(printer: Printer, keys: readonly SortKey[], outputs: readonly Type[] = []): string {
  if (keys.length === 0) return '';
  const sorted = keys.map((key) => `${sortText(printer, key, outputs)} ${key.direction} NULLS ${key.nulls}`);
  return ` ORDER BY ${sorted.join(', ')}`;
}

function sortText(printer: Printer, key: SortKey, outputs: readonly Type[]): string {
  if (key.by === 'expression') return printKey(printer, key.expression);
  const type = outputs[key.index];
  return type !== undefined && isKeyed(type) ? keyText(outputName(key.index), type) : String(key.index + 1);
}

/** Whether result columns of these types are sorted by a key. Then they are the columns of a query in FROM, whose names an ORDER BY can use. */
export function sortsByKey(keys: readonly SortKey[], outputs: readonly Type[]): boolean {
  return keys.some((key) => {
    const type = key.by === 'output' ? outputs[key.index] : undefined;
    return type !== undefined && isKeyed(type);
  });
}

/**
 * A key of GROUP BY or ORDER BY. SQLite reads a bare integer there as the number of a column, even one that its parser
 * has made of a larger expression (`0.5 IS NULL`, `x AND FALSE`); a cast keeps it a value.
 */
export function printKey(printer: Printer, key: TypedExpression): string {
  const text = printer.expression(key);
  if (isKeyed(key.type)) return keyText(text, key.type);
  return key.kind !== 'column' && isSqliteInteger(key.type) ? `CAST(${text} AS INTEGER)` : text;
}
