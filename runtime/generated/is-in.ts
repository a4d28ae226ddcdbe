import type { Truth } from '../../language/values/boolean.ts';
import type { Comparable } from '../../language/values/compare.ts';

/**
 * `x IN (…)` by SQL's rules: NULL when nothing is equal and a NULL is involved. Items that are functions are not
 * evaluated after an equal one.
 */
export function isIn(
  value: Comparable | null,
  list: readonly (Comparable | null | (() => Comparable | null))[],
): Truth {
  let missing = value === null;
  for (const given of list) {
    const item = typeof given === 'function' ? given() : given;
    if (value !== null && item === value) return true;
    missing ||= item === null;
  }
  return missing ? null : false;
}
