import { hasTextMask, textMask } from '../../../language/values/mask.ts';
import type { Type } from '../../../language/values/type.ts';
import { literalSqlite } from '../../functions/cast.ts';

/** `****` for text, NULL for other types; NULL when any of the hidden values is (docs/language.md#sensitive-values). */
export function printMask(hidden: readonly string[], type: Type): string {
  if (!hasTextMask(type)) return 'NULL';
  const missing = hidden.map((value) => `${value} IS NULL`);
  return `(CASE WHEN ${missing.join(' OR ')} THEN NULL ELSE ${literalSqlite(textMask, type)} END)`;
}
