/** Order and equality of values that are not NULL. Text compares by code point on every engine (docs/language.md#types). */
import { compareDecimal } from './decimal.ts';
import { intervalLength } from './interval.ts';
import type { Type, Value } from './type.ts';

/** Negative, 0 or positive; by code point, whereas JavaScript's own `<` compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    // Surrogates encode code points above all others, though their units are below U+E000.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    return leftHigh === rightHigh ? left - right : leftHigh ? 1 : -1;
  }
  return a.length - b.length;
}

export type Comparable = string | number | bigint | boolean;

/** Compares two values of one type that has an order (all but LIST, STRUCT and JSON; not INTERVAL, whose texts have another order). */
export function compareSame(a: Comparable, b: Comparable): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares two values by their types: text by code point, decimals of any two scales exactly, intervals by their lengths. Neither is NULL. */
export function compareValues(a: Value, aType: Type, b: Value, bType: Type): number {
  if (aType.kind === 'DECIMAL' && bType.kind === 'DECIMAL' && typeof a === 'bigint' && typeof b === 'bigint') {
    return compareDecimal(a, b, aType.scale, bType.scale);
  }
  if (aType.kind === 'INTERVAL' && typeof a === 'string' && typeof b === 'string')
    return compareSame(intervalLength(a), intervalLength(b));
  return compareSame(a as Comparable, b as Comparable);
}
