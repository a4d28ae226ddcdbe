/** The parts of dates and timestamps that EXTRACT and DATE_TRUNC name; PostgreSQL's definitions, in UTC. */
import { fail } from '../failure/failure.ts';
import { calendarDay, dayNumber, isoWeekday } from './calendar.ts';
import { dateToTimestamp, dayMicroseconds, timeOfDay, timestampToDate } from './timestamp.ts';

/** Parts of a day: whole numbers. */
export const dateParts = [
  'YEAR',
  'MONTH',
  'DAY',
  'QUARTER',
  'WEEK',
  'ISOYEAR',
  'DOW',
  'ISODOW',
  'DOY',
  'DECADE',
  'CENTURY',
  'MILLENNIUM',
] as const;
export type DatePart = (typeof dateParts)[number];

export function datePart(part: DatePart, date: number): number {
  const { year, month, day } = calendarDay(date);
  switch (part) {
    case 'YEAR':
      return year;
    case 'MONTH':
      return month;
    case 'DAY':
      return day;
    case 'QUARTER':
      return Math.ceil(month / 3);
    case 'WEEK':
      return Math.floor((isoThursday(date) - dayNumber(isoYear(date), 1, 1)) / 7) + 1;
    case 'ISOYEAR':
      return isoYear(date);
    case 'DOW':
      return isoWeekday(date) % 7;
    case 'ISODOW':
      return isoWeekday(date);
    case 'DOY':
      return date - dayNumber(year, 1, 1) + 1;
    case 'DECADE':
      return Math.floor(year / 10);
    case 'CENTURY':
      return Math.ceil(year / 100);
    case 'MILLENNIUM':
      return Math.ceil(year / 1000);
  }
}

/** A week belongs to the year of its Thursday. */
function isoThursday(date: number): number {
  return date - isoWeekday(date) + 4;
}
function isoYear(date: number): number {
  return calendarDay(isoThursday(date)).year;
}

export function timestampPart(part: DatePart, timestamp: bigint): number {
  return datePart(part, timestampToDate(timestamp));
}

export function hour(timestamp: bigint): number {
  return Number(timeOfDay(timestamp) / 3_600_000_000n);
}
export function minute(timestamp: bigint): number {
  return Number((timeOfDay(timestamp) / 60_000_000n) % 60n);
}
/** Microseconds past the minute, for SECOND as a DECIMAL(8,6), MILLISECONDS as a DECIMAL(8,3) and MICROSECONDS. */
export function microsecondOfMinute(timestamp: bigint): bigint {
  return timeOfDay(timestamp) % 60_000_000n;
}

export const truncations = [
  'MICROSECOND',
  'MILLISECOND',
  'SECOND',
  'MINUTE',
  'HOUR',
  'DAY',
  'WEEK',
  'MONTH',
  'QUARTER',
  'YEAR',
  'DECADE',
  'CENTURY',
  'MILLENNIUM',
] as const;
export type Truncation = (typeof truncations)[number];

const truncationUnits: Readonly<Partial<Record<Truncation, bigint>>> = {
  MICROSECOND: 1n,
  MILLISECOND: 1000n,
  SECOND: 1_000_000n,
  MINUTE: 60_000_000n,
  HOUR: 3_600_000_000n,
  DAY: dayMicroseconds,
};

/** The unit of that name in any case, singular or plural. */
export function findTruncation(unit: string): Truncation | undefined {
  const name = unit.toUpperCase();
  return truncations.find((known) => name === known || name === plurals[known] || name === `${known}S`);
}

const plurals: Readonly<Partial<Record<Truncation, string>>> = { CENTURY: 'CENTURIES', MILLENNIUM: 'MILLENNIA' };

/** No message quotes the text: it may be sensitive. */
const noUnit = `the text is not the name of a unit; these are ${truncations.map((unit) => unit.toLowerCase()).join(', ')}`;

/** The start of the unit that holds the instant; an unknown unit is R0205, a start before the year 1 R0202. */
export function truncateTimestamp(unit: string, timestamp: bigint): bigint {
  const known = findTruncation(unit);
  if (known === undefined) throw fail('R0205', { function: 'DATE_TRUNC', problem: noUnit });
  const length = truncationUnits[known];
  if (length !== undefined) return timestamp - (((timestamp % length) + length) % length);
  return dateToTimestamp(truncateDate(known, timestampToDate(timestamp)));
}

function truncateDate(unit: Truncation, date: number): number {
  const { year, month } = calendarDay(date);
  switch (unit) {
    case 'WEEK':
      return date - isoWeekday(date) + 1;
    case 'MONTH':
      return dayNumber(year, month, 1);
    case 'QUARTER':
      return dayNumber(year, Math.floor((month - 1) / 3) * 3 + 1, 1);
    case 'DECADE':
      return firstOf(Math.floor(year / 10) * 10);
    case 'CENTURY':
      return dayNumber(Math.floor((year - 1) / 100) * 100 + 1, 1, 1);
    case 'MILLENNIUM':
      return dayNumber(Math.floor((year - 1) / 1000) * 1000 + 1, 1, 1);
    default:
      return dayNumber(year, 1, 1);
  }
}

/** Years before the first have no dates; of the units, only the first decade begins there. */
function firstOf(year: number): number {
  if (year < 1) throw fail('R0202', { type: 'TIMESTAMP', where: '' });
  return dayNumber(year, 1, 1);
}
