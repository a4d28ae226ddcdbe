/** The value that a caller sees in place of a sensitive one (docs/language.md#sensitive-values). Every exit masks by this rule. */
import type { Type, Value } from './type.ts';

export const textMask = '****';

/** Whether values of the type are masked by `textMask`; the mask of all others is NULL. */
export function hasTextMask({ kind }: Type): boolean {
  return kind === 'STRING' || kind === 'UUID';
}

/** The mask of a value. NULL stays NULL, so that it shows whether there is a value. */
export function maskValue(value: Value, type: Type): Value {
  return value !== null && hasTextMask(type) ? textMask : null;
}
