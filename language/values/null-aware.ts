/** The SQL functions that accept NULLs. */
import { and } from './boolean.ts';
import { compareSame, type Comparable } from './compare.ts';
import { compareDecimal } from './decimal.ts';

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

/**
 * True within `low` and `high`, both included; FALSE as soon as one end excludes the value, even if the other is NULL. A `high` given as a
 * function is evaluated only if needed.
 */
export function between<T extends Comparable>(
  value: T | null,
  low: T | null,
  high: T | null | (() => T | null),
): boolean | null {
  return and(notBelow(value, low), () => notAbove(value, typeof high === 'function' ? high() : high));
}

export function notBelow<T extends Comparable>(value: T | null, low: T | null): boolean | null {
  return value === null || low === null ? null : compareSame(value, low) >= 0;
}
export function notAbove<T extends Comparable>(value: T | null, high: T | null): boolean | null {
  return value === null || high === null ? null : compareSame(value, high) <= 0;
}

/** NULL when the values are equal, else the first. */
export function nullIf<T extends Comparable>(value: T | null, other: T | null): T | null {
  return value === other ? null : value;
}

/** `nullIf` for decimals, or whole numbers at scale 0, of two scales. */
export function nullIfDecimal(
  value: bigint | null,
  other: bigint | null,
  scale: number,
  otherScale: number,
): bigint | null {
  if (value === null || other === null) return value;
  return compareDecimal(value, other, scale, otherScale) === 0 ? null : value;
}

export function isDistinct(a: Comparable | null, b: Comparable | null): boolean {
  return a !== b;
}
export function isNotDistinct(a: Comparable | null, b: Comparable | null): boolean {
  return a === b;
}
