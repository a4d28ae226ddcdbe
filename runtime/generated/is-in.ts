import type { Truth } from '../values/boolean.ts';
import type { Comparable } from '../values/compare.ts';

/** `x IN (…)` by SQL's rules: NULL where nothing is equal and a NULL is involved. */
export function isIn(value: Comparable | null, list: readonly (Comparable | null)[]): Truth {
  if (value === null) return null;
  return list.includes(value) ? true : list.includes(null) ? null : false;
}
