/**
 * The order of INTERVALs, by their lengths. Intervals of one length are equal, such as `1 mon` and `30 days`, although they are different texts: where
 * SQLite compares, sorts or groups, it does so by a key.
 */
import { compareText } from './compare.ts';
import { intervalLength } from './interval.ts';

/** More than any length, so that the sum has always the same number of digits. */
const aboveLengths = 20_000_000_000_000_000_000_000n;

export const keyLength = String(aboveLengths).length;

/** A text of `keyLength` digits that is the same for equal intervals, and whose order is theirs. Never fails. */
export function intervalKey(interval: string): string {
  return String(aboveLengths + intervalLength(interval));
}

/** The interval behind its key: MIN and MAX find an extreme of such texts, always the same one of several equal intervals. */
export function keyedInterval(interval: string): string {
  return intervalKey(interval) + interval;
}

/** The longest of the values that are not NULL, the first of several equal ones. */
export function greatestInterval(first: string, ...others: readonly (string | null)[]): string;
export function greatestInterval(...values: readonly (string | null)[]): string | null;
export function greatestInterval(...values: readonly (string | null)[]): string | null {
  return best(values, (value, found) => intervalLength(value) > intervalLength(found));
}

/** The shortest of the values that are not NULL, the first of several equal ones. */
export function leastInterval(first: string, ...others: readonly (string | null)[]): string;
export function leastInterval(...values: readonly (string | null)[]): string | null;
export function leastInterval(...values: readonly (string | null)[]): string | null {
  return best(values, (value, found) => intervalLength(value) < intervalLength(found));
}

/** MAX, independent of the order of the values. */
export function longestInterval(...values: readonly (string | null)[]): string | null {
  return best(values, (value, found) => compareText(keyedInterval(value), keyedInterval(found)) > 0);
}

/** MIN, independent of the order of the values. */
export function shortestInterval(...values: readonly (string | null)[]): string | null {
  return best(values, (value, found) => compareText(keyedInterval(value), keyedInterval(found)) < 0);
}

function best(values: readonly (string | null)[], isBetter: (value: string, found: string) => boolean): string | null {
  let found: string | null = null;
  for (const value of values) if (value !== null && (found === null || isBetter(value, found))) found = value;
  return found;
}

/** NULL when the intervals are equal, else the first. */
export function nullIfInterval(value: string | null, other: string | null): string | null {
  if (value === null || other === null) return value;
  return intervalLength(value) === intervalLength(other) ? null : value;
}

/** The JSON array of a sorted list of intervals and NULLs, with one of each run of equal ones. */
export function distinctIntervals(list: string | null): string | null {
  if (list === null) return null;
  const kept: (string | null)[] = [];
  for (const value of JSON.parse(list) as readonly (string | null)[]) {
    const last = kept.at(-1);
    if (last === undefined || value === null || last === null) {
      if (last === undefined || value !== last) kept.push(value);
    } else if (intervalLength(last) === intervalLength(value)) kept[kept.length - 1] = shortestInterval(last, value);
    else kept.push(value);
  }
  return JSON.stringify(kept);
}
