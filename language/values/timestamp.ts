/**
 * TIMESTAMP: microseconds since 1970-01-01T00:00:00Z as a bigint. Read from ISO 8601 (docs/language.md#types), always written as
 * `2026-01-01T08:00:00.000000Z`.
 */
import { fail } from '../failure/failure.ts';
import { firstDay, lastDay } from './calendar.ts';
import { parseDate, printDate } from './date.ts';

export const dayMicroseconds = 86_400_000_000n;
export const timestampMin = BigInt(firstDay) * dayMicroseconds;
export const timestampMax = BigInt(lastDay + 1) * dayMicroseconds - 1n;

const timestampSyntax =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Reads `2026-01-01`, `2026-01-01T08:00`, `2026-01-01T08:00:00.123456`, each time with `Z`, `+02:00` or neither, which means UTC.
 * Undefined for anything else: days that do not exist, more than six fraction digits, instants outside the years 0001 to 9999.
 */
export function parseTimestamp(text: string): bigint | undefined {
  const match = timestampSyntax.exec(text);
  if (match === null) return undefined;
  const day = parseDate(match[1] ?? '');
  const [hour, minute, second] = [Number(match[2] ?? '0'), Number(match[3] ?? '0'), Number(match[4] ?? '0')];
  const offset = offsetMinutes(match[6] ?? 'Z');
  if (day === undefined || offset === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const seconds = day * 86400 + hour * 3600 + (minute - offset) * 60 + second;
  const microseconds = BigInt(seconds) * 1_000_000n + BigInt((match[5] ?? '').padEnd(6, '0'));
  return microseconds >= timestampMin && microseconds <= timestampMax ? microseconds : undefined;
}

/** Minutes east of UTC; undefined past 15:59, which no zone has. */
function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 15 || minutes > 59) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** The instant itself when it lies in the years 0001 to 9999, else R0202. */
export function fitTimestamp(timestamp: bigint, where = ''): bigint {
  if (timestamp >= timestampMin && timestamp <= timestampMax) return timestamp;
  throw fail('R0202', { type: 'TIMESTAMP', where });
}

export function printTimestamp(timestamp: bigint): string {
  const date = timestampToDate(timestamp);
  const time = timeOfDay(timestamp);
  const seconds = Number(time / 1_000_000n);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${printDate(date)}T${clock.join(':')}.${String(time % 1_000_000n).padStart(6, '0')}Z`;
}

/** `2026-07-01T14:00:00.000000`: without a zone, so that it is not taken for an instant. */
export function printWallTime(wall: bigint): string {
  return printTimestamp(wall).slice(0, -1);
}

/** The UTC day of an instant. */
export function timestampToDate(timestamp: bigint): number {
  return Number((timestamp - timeOfDay(timestamp)) / dayMicroseconds);
}

/** Microseconds since midnight UTC, never negative. */
export function timeOfDay(timestamp: bigint): bigint {
  const rest = timestamp % dayMicroseconds;
  return rest < 0n ? rest + dayMicroseconds : rest;
}

/** Midnight UTC of a day. */
export function dateToTimestamp(date: number): bigint {
  return BigInt(date) * dayMicroseconds;
}
