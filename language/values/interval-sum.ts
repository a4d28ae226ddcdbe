/**
 * SUM and AVG of INTERVALs, of any number of values: months, days and microseconds are added apart, as in PostgreSQL, and a mean passes fractions
 * down as a quotient does. Fails with R0202 only if the result does not fit.
 */
import { dividedBy, intervalLength, printInterval, readInterval, type Interval } from './interval.ts';
import { shortestInterval } from './interval-order.ts';

/** Adds a value to a sum; NULL adds nothing. */
export function addToIntervalSum(sum: Interval | null, value: string | null): Interval | null {
  if (value === null) return sum;
  const added = readInterval(value);
  if (sum === null) return added;
  return {
    months: sum.months + added.months,
    days: sum.days + added.days,
    microseconds: sum.microseconds + added.microseconds,
  };
}

export function intervalSum(sum: Interval | null): string | null {
  return sum === null ? null : printInterval(sum);
}

/** The mean of `count` values with this sum. */
export function intervalMean(sum: Interval | null, count: bigint): string | null {
  return sum === null ? null : dividedBy(sum, count);
}

/** Microseconds are split as `high × 10^9 + low`, both with their sign, so that an engine's own sums of them stay within 64 bits. */
const split = 1_000_000_000n;

/** A part of an interval that an engine sums by itself: 0 its months, 1 its days, 2 and 3 the high and low digits of its microseconds. */
export function intervalSummand(interval: string, part: number): bigint {
  const { months, days, microseconds } = readInterval(interval);
  if (part === 0) return months;
  if (part === 1) return days;
  return part === 2 ? microseconds / split : microseconds % split;
}

/** The sum, given the sums of the four parts. */
export function sumOfIntervalParts(
  months: bigint | null,
  days: bigint | null,
  high: bigint | null,
  low: bigint | null,
): string | null {
  return intervalSum(ofParts(months, days, high, low));
}

export function meanOfIntervalParts(
  months: bigint | null,
  days: bigint | null,
  high: bigint | null,
  low: bigint | null,
  count: number,
): string | null {
  return intervalMean(ofParts(months, days, high, low), BigInt(count));
}

function ofParts(months: bigint | null, days: bigint | null, high: bigint | null, low: bigint | null): Interval | null {
  if (months === null || days === null || high === null || low === null) return null;
  return { months, days, microseconds: high * split + low };
}

/** `values`: texts joined by commas, which no interval has; `distinct` 1 counts equal ones once, the one that DISTINCT shows. */
export function sumOfIntervals(values: string | null, distinct: number): string | null {
  return intervalSum(total(listed(values, distinct)));
}

export function meanOfIntervals(values: string | null, distinct: number): string | null {
  const list = listed(values, distinct);
  return intervalMean(total(list), BigInt(list.length));
}

function total(values: readonly string[]): Interval | null {
  return values.reduce<Interval | null>(addToIntervalSum, null);
}

function listed(values: string | null, distinct: number): readonly string[] {
  const all = values === null ? [] : values.split(',');
  if (distinct === 0) return all;
  const kept = new Map<bigint, string>();
  for (const value of all) {
    const length = intervalLength(value);
    kept.set(length, shortestInterval(value, kept.get(length) ?? null) ?? value);
  }
  return [...kept.values()];
}
