import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Type } from '../../../language/values/type.ts';
import type { LiteralValue } from './literal-value.ts';

/** For a literal that is no value of an ENUM: the nearest values, and all of them. */
export function valuesNear(
  type: Type,
  given: LiteralValue,
): { readonly nearest?: readonly string[]; readonly known?: readonly string[] } {
  if (type.kind !== 'STRING' || type.enum === undefined) return {};
  const { values } = type.enum;
  return { nearest: nearestNames(String(given), values), known: values.map((value) => `'${value}'`) };
}
