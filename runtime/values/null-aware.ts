/** The functions of SQL that look at NULLs themselves. */
import { and } from './boolean.ts';
import { compareSame, type Comparable } from './compare.ts';

/** The largest of the values that are not NULL. */
export function greatest<T extends Comparable>(first: T, ...others: readonly (T | null)[]): T;
export function greatest<T extends Comparable>(...values: readonly (T | null)[]): T | null;
export function greatest<T extends Comparable>(...values: readonly (T | null)[]): T | null {
  return best(values, 1);
}

/** The smallest of the values that are not NULL. */
export function least<T extends Comparable>(first: T, ...others: readonly (T | null)[]): T;
export function least<T extends Comparable>(...values: readonly (T | null)[]): T | null;
export function least<T extends Comparable>(...values: readonly (T | null)[]): T | null {
  return best(values, -1);
}

function best<T extends Comparable>(values: readonly (T | null)[], direction: 1 | -1): T | null {
  let found: T | null = null;
  for (const value of values) {
    if (value !== null && (found === null || compareSame(value, found) * direction > 0)) found = value;
  }
  return found;
}

/** Neither before `low` nor after `high`; FALSE as soon as one end refuses, even beside NULL. */
export function between<T extends Comparable>(value: T | null, low: T | null, high: T | null): boolean | null {
  if (value === null) return null;
  const above = low === null ? null : compareSame(value, low) >= 0;
  const below = high === null ? null : compareSame(value, high) <= 0;
  return and(above, below);
}

/** NULL when the values are equal, else the first. */
export function nullIf<T extends Comparable>(value: T | null, other: T | null): T | null {
  return value === other ? null : value;
}

export function isDistinct(a: Comparable | null, b: Comparable | null): boolean {
  return a !== b;
}
export function isNotDistinct(a: Comparable | null, b: Comparable | null): boolean {
  return a === b;
}
