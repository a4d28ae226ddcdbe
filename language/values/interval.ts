/**
 * INTERVAL: months, days and microseconds apart, as in PostgreSQL, because a month has no fixed number of days and a day in a time zone no fixed
 * number of hours. A value is held as the text that PostgreSQL prints, such as `1 mon -1 days +02:00:00`, which has one spelling per value.
 */
import { fail } from '../failure/failure.ts';
import { calendarDay, dayNumber, daysInMonth } from './calendar.ts';
import { divideRounded, parseDecimal, powerOfTen } from './decimal.ts';
import { fitInt } from './integer.ts';
import { parseInterval } from './interval-text.ts';
import { dayMicroseconds, fitTimestamp, timeOfDay, timestampToDate } from './timestamp.ts';

export interface Interval {
  readonly months: bigint;
  readonly days: bigint;
  readonly microseconds: bigint;
}

const largest = { months: 2n ** 31n - 1n, days: 2n ** 31n - 1n, microseconds: 2n ** 63n - 1n };

/** The text of an interval, or R0202 if a part is out of range: 31 bits of months and of days, 63 bits of microseconds. */
export function printInterval({ months, days, microseconds }: Interval): string {
  for (const [value, most] of [
    [months, largest.months],
    [days, largest.days],
    [microseconds, largest.microseconds],
  ] as const)
    if (value > most || value < -most) throw fail('R0202', { type: 'INTERVAL', where: '' });
  const parts: string[] = [];
  let wasNegative = false;
  for (const [value, unit] of [
    [months / 12n, 'year'],
    [months % 12n, 'mon'],
    [days, 'day'],
  ] as const) {
    if (value === 0n) continue;
    parts.push(`${wasNegative && value > 0n ? '+' : ''}${value} ${unit}${value === 1n ? '' : 's'}`);
    wasNegative = value < 0n;
  }
  if (microseconds !== 0n || parts.length === 0)
    parts.push(`${microseconds < 0n ? '-' : wasNegative ? '+' : ''}${printClock(abs(microseconds))}`);
  return parts.join(' ');
}

/** `04:05:06.789`, without zeros at the end of the fraction. */
function printClock(microseconds: bigint): string {
  const seconds = microseconds / 1_000_000n;
  const fraction = String(microseconds % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((value) => String(value).padStart(2, '0'));
  return fraction === '' ? clock.join(':') : `${clock.join(':')}.${fraction}`;
}

/** The parts of a value of this module; another text is a bug and throws. */
export function readInterval(text: string): Interval {
  const interval = parseInterval(text);
  if (interval === undefined) throw new TypeError('a text is used as an INTERVAL and is none');
  return interval;
}

export function addIntervals(a: string, b: string): string {
  const [x, y] = [readInterval(a), readInterval(b)];
  return printInterval({
    months: x.months + y.months,
    days: x.days + y.days,
    microseconds: x.microseconds + y.microseconds,
  });
}

export function negateInterval(interval: string): string {
  const { months, days, microseconds } = readInterval(interval);
  return printInterval({ months: -months, days: -days, microseconds: -microseconds });
}

export function subtractIntervals(a: string, b: string): string {
  return addIntervals(a, negateInterval(b));
}

/**
 * Times a number, given as its text. Fractions of months become days of 30 to a month, fractions of days become time of 24 hours to a day; the
 * time is rounded to microseconds, half away from zero.
 */
export function multiplyInterval(interval: string, factor: string): string {
  const { unscaled, scale } = numberOf(factor);
  return scaled(readInterval(interval), unscaled, powerOfTen(scale));
}

/** Divided by a number, given as its text; R0201 for zero. Fractions as in `multiplyInterval`. */
export function divideInterval(interval: string, divisor: string): string {
  const { unscaled, scale } = numberOf(divisor);
  if (unscaled === 0n) throw fail('R0201', { where: '' });
  const sign = unscaled < 0n ? -1n : 1n;
  return scaled(readInterval(interval), sign * powerOfTen(scale), sign * unscaled);
}

/** An exact interval, of any size, divided by a whole number above zero. Fractions as in `multiplyInterval`. */
export function dividedBy(interval: Interval, count: bigint): string {
  return scaled(interval, 1n, count);
}

function numberOf(text: string): { readonly unscaled: bigint; readonly scale: number } {
  const written = parseDecimal(text);
  if (written === undefined) throw fail('R0202', { type: 'INTERVAL', where: '' });
  const { unscaled, scale } = written;
  return scale >= 0 ? written : { unscaled: unscaled * powerOfTen(-scale), scale: 0 };
}

/** Times `top / bottom`, with `bottom` positive. */
function scaled({ months, days, microseconds }: Interval, top: bigint, bottom: bigint): string {
  const monthTop = months * top;
  // In `bottom`-ths of a day, then of a microsecond: nothing is rounded before the end.
  const dayTop = days * top;
  const spilledDays = (monthTop % bottom) * 30n;
  const spilledTime = ((dayTop % bottom) + (spilledDays % bottom)) * dayMicroseconds;
  const carried = spilledTime / (bottom * dayMicroseconds);
  return printInterval({
    months: monthTop / bottom,
    days: dayTop / bottom + spilledDays / bottom + carried,
    microseconds: divideRounded(microseconds * top + spilledTime - carried * bottom * dayMicroseconds, bottom),
  });
}

/**
 * Adds an interval to an instant: first the months, where the day of the month is at most its last, then the days, then the time. In UTC.
 */
export function addInterval(timestamp: bigint, interval: string): bigint {
  const { months, days, microseconds } = readInterval(interval);
  const day = BigInt(laterMonth(timestampToDate(timestamp), months)) + days;
  const moved = day * dayMicroseconds + timeOfDay(timestamp) + microseconds;
  return fitTimestamp(moved);
}

export function subtractInterval(timestamp: bigint, interval: string): bigint {
  return addInterval(timestamp, negateInterval(interval));
}

function laterMonth(date: number, months: bigint): number {
  if (months === 0n) return date;
  const { year, month, day } = calendarDay(date);
  const at = BigInt(year) * 12n + BigInt(month - 1) + months;
  const [nextYear, nextMonth] = [Number(at / 12n), Number(at % 12n) + 1];
  if (at < 12n || nextYear > 9999) throw fail('R0202', { type: 'TIMESTAMP', where: '' });
  return dayNumber(nextYear, nextMonth, Math.min(day, daysInMonth(nextYear, nextMonth)));
}

/** `a - b` as days of 24 hours and time. */
export function subtractTimestamps(a: bigint, b: bigint): string {
  const difference = a - b;
  return printInterval({ months: 0n, days: difference / dayMicroseconds, microseconds: difference % dayMicroseconds });
}

/** Microseconds, with 30 days to a month and 24 hours to a day: the order of intervals. It may have more than 63 bits. */
export function intervalLength(interval: string): bigint {
  const { months, days, microseconds } = readInterval(interval);
  return (months * 30n + days) * dayMicroseconds + microseconds;
}

export const intervalParts = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'DECADE', 'CENTURY', 'MILLENNIUM'] as const;
export type IntervalPart = (typeof intervalParts)[number];

/** A whole part of an interval, toward zero, as EXTRACT gives it: months stay below 12, minutes below 60. R0202 past an INT. */
export function intervalPart(part: IntervalPart, interval: string): number {
  return fitInt(Number(wholePart(part, interval)));
}

function wholePart(part: IntervalPart, interval: string): bigint {
  const { months, days, microseconds } = readInterval(interval);
  switch (part) {
    case 'YEAR':
      return months / 12n;
    case 'MONTH':
      return months % 12n;
    case 'DECADE':
      return months / 120n;
    case 'CENTURY':
      return months / 1200n;
    case 'MILLENNIUM':
      return months / 12_000n;
    case 'DAY':
      return days;
    case 'HOUR':
      return microseconds / 3_600_000_000n;
    case 'MINUTE':
      return (microseconds / 60_000_000n) % 60n;
  }
}

/** Microseconds of the seconds, for SECOND as a DECIMAL(8,6), MILLISECONDS and MICROSECONDS. */
export function intervalMicroseconds(interval: string): bigint {
  return readInterval(interval).microseconds % 60_000_000n;
}

/** All of it in microseconds, for EPOCH in seconds: a year of months has 365.25 days, any other month 30. */
export function intervalEpoch(interval: string): bigint {
  const { months, days, microseconds } = readInterval(interval);
  const yearMicroseconds = 31_557_600_000_000n;
  const length = (months / 12n) * yearMicroseconds + ((months % 12n) * 30n + days) * dayMicroseconds + microseconds;
  if (abs(length) < 10n ** 18n) return length;
  throw fail('R0202', { type: 'INTERVAL', where: '' });
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
