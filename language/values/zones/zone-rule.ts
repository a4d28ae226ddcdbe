/** Rules of time zones for every year, in the form of POSIX as RFC 9636 extends it: `CET-1CEST,M3.5.0,M10.5.0/3`. */
import { dayNumber, isLeapYear, isoWeekday } from '../calendar.ts';

export interface ZoneRule {
  /** In seconds east of UTC. */
  readonly standard: number;
  /** Set if a part of the year has another time. */
  readonly daylight?: { readonly offset: number; readonly starts: DayRule; readonly ends: DayRule };
}

/** A day of each year, and the seconds from its midnight by the clock that is in force until then. */
interface DayRule {
  readonly day: (year: number) => number;
  readonly seconds: number;
}

const name = '(?:<[^>]+>|[A-Za-z]+)';
const offset = '[+-]?[0-9:]+';
const syntax = new RegExp(`^${name}(${offset})(?:${name}(${offset})?,([^,]+),([^,]+))?$`);

/** Reads the rules of `zone-data.json`. */
export function parseRule(text: string): ZoneRule {
  const [, standardText = '0', daylightText, starts, ends] = syntax.exec(text) ?? [];
  // POSIX counts hours west of UTC.
  const standard = -secondsOf(standardText);
  if (starts === undefined || ends === undefined) return { standard };
  const daylight = daylightText === undefined ? standard + 3600 : -secondsOf(daylightText);
  return { standard, daylight: { offset: daylight, starts: dayRule(starts), ends: dayRule(ends) } };
}

function secondsOf(text: string): number {
  const [hours = '0', minutes = '0', seconds = '0'] = text.replace(/^[+-]/, '').split(':');
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return text.startsWith('-') ? -total : total;
}

function dayRule(text: string): DayRule {
  const [day = '', time = '2'] = text.split('/');
  return { day: dayOf(day), seconds: secondsOf(time) };
}

/** `M3.5.0`: the last Sunday of March; `J60`: the 60th day, never 29 February; `59`: the 60th day, which may be. */
function dayOf(text: string): DayRule['day'] {
  if (text.startsWith('M')) {
    const [month = 1, week = 1, weekday = 0] = text.slice(1).split('.').map(Number);
    return (year) => weekdayOf(year, month, week, weekday);
  }
  if (text.startsWith('J')) {
    const count = Number(text.slice(1));
    return (year) => dayNumber(year, 1, 1) + count - 1 + (isLeapYear(year) && count >= 60 ? 1 : 0);
  }
  return (year) => dayNumber(year, 1, 1) + Number(text);
}

/** The given weekday (0 is Sunday) of a week of the month; the fifth is the last. */
function weekdayOf(year: number, month: number, week: number, weekday: number): number {
  const first = dayNumber(year, month, 1);
  const found = first + ((weekday - (isoWeekday(first) % 7) + 7) % 7) + (week - 1) * 7;
  const next = month === 12 ? dayNumber(year + 1, 1, 1) : dayNumber(year, month + 1, 1);
  return found < next ? found : found - 7;
}

export interface RuleChange {
  readonly at: number;
  readonly offset: number;
}

/** The two changes of a year, in order. */
export function changesOfYear({ standard, daylight }: ZoneRule, year: number): readonly RuleChange[] {
  if (daylight === undefined) return [];
  const { offset: other, starts, ends } = daylight;
  const start = { at: starts.day(year) * 86_400 + starts.seconds - standard, offset: other };
  const end = { at: ends.day(year) * 86_400 + ends.seconds - other, offset: standard };
  return start.at < end.at ? [start, end] : [end, start];
}
