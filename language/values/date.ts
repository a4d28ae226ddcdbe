/** DATE: days since 1970-01-01 as a number; written `YYYY-MM-DD`. */
import { fail } from '../failure/failure.ts';
import { calendarDay, dayNumber, firstDay, isCalendarDay, lastDay } from './calendar.ts';

const dateSyntax = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The day number of `YYYY-MM-DD`, or undefined when the text is no day of the years 0001 to 9999. */
export function parseDate(text: string): number | undefined {
  const match = dateSyntax.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return isCalendarDay(year, month, day) ? dayNumber(year, month, day) : undefined;
}

export function printDate(date: number): string {
  const { year, month, day } = calendarDay(date);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** The DATE `days` later (earlier when negative); R0202 outside the years 0001 to 9999. */
export function addDays(date: number, days: number): number {
  const moved = date + days;
  if (moved >= firstDay && moved <= lastDay) return moved;
  throw fail('R0202', { type: 'DATE', where: '' });
}

export function subtractDays(date: number, days: number): number {
  return addDays(date, -days);
}
