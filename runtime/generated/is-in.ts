import type { Truth } from '../../language/values/boolean.ts';
import type { Comparable } from '../../language/values/compare.ts';

/** `x IN (…)` by SQL's rules: NULL where nothing is equal and a NULL is involved. Items behind an equal one are not evaluated where they are functions. */
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
