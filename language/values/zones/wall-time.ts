/**
 * Instants by the clock of a time zone (docs/language.md#time-zones). A wall time is held like an instant, as microseconds since 1970-01-01T00:00
 * of its own clock.
 */
import { fail } from '../../failure/failure.ts';
import { calendarDay } from '../calendar.ts';
import { findTruncation, truncateTimestamp } from '../time-parts.ts';
import { fitTimestamp } from '../timestamp.ts';
import { changesOfYear } from './zone-rule.ts';
import { findZone, type Change, type Zone } from './zone-table.ts';

const second = 1_000_000n;

/** The time that the clock of a zone shows at an instant. */
export function toWallTime(timestamp: bigint, zone: string): bigint {
  return fitTimestamp(timestamp + BigInt(offsetAt(zoneOf(zone), secondOf(timestamp))) * second);
}

/** The instant at which the clock of a zone shows a time: in a gap by the offset before it, in an overlap by the offset after it. */
export function fromWallTime(wall: bigint, zone: string): bigint {
  return fitTimestamp(wall - BigInt(offsetOfWall(zoneOf(zone), secondOf(wall))) * second);
}

/** The start of a unit by the clock of a zone. Units below a day keep the offset of the instant, so that the two hours of an overlap stay apart. */
export function truncateInZone(unit: string, timestamp: bigint, zone: string): bigint {
  const wall = toWallTime(timestamp, zone);
  const start = truncateTimestamp(unit, wall);
  const isClock = clockUnits.has(findTruncation(unit) ?? '');
  return isClock ? fitTimestamp(timestamp - (wall - start)) : fromWallTime(start, zone);
}

const clockUnits: ReadonlySet<string> = new Set(['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR']);

/** No message quotes the text: it may be sensitive. */
function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (zone === undefined)
    throw fail('R0205', { function: 'AT TIME ZONE', problem: 'the text is not the name of a zone' });
  return zone;
}

/** The whole second of an instant, rounded down. */
function secondOf(timestamp: bigint): number {
  const whole = timestamp / second;
  return Number(timestamp % second < 0n ? whole - 1n : whole);
}

function offsetAt(zone: Zone, at: number): number {
  return changeBefore(zone, at)?.offset ?? zone.first;
}

/** The last change at or before an instant. */
function changeBefore({ changes, rule, first }: Zone, at: number): Change | undefined {
  const last = changes.at(-1);
  if (last === undefined || at >= last.at) {
    const year = yearOf(at);
    const found = [year - 1, year, year + 1]
      .flatMap((each) => changesOfYear(rule, each))
      .findLast((change) => change.at <= at && (last === undefined || change.at > last.at));
    return found ?? last ?? { at: Number.NEGATIVE_INFINITY, offset: rule.standard };
  }
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? { at: Number.NEGATIVE_INFINITY, offset: first } : changes[low - 1];
}

/** The first change after an instant. */
function changeAfter({ changes, rule }: Zone, at: number): Change | undefined {
  const listed = changes.find((change) => change.at > at);
  if (listed !== undefined) return listed;
  const last = changes.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const year = yearOf(at);
  return [year - 1, year, year + 1]
    .flatMap((each) => changesOfYear(rule, each))
    .find((change) => change.at > at && change.at > last);
}

function yearOf(at: number): number {
  return calendarDay(Math.floor(at / 86_400)).year;
}

/** Decides like PostgreSQL: by the first change after the day before. */
function offsetOfWall(zone: Zone, wall: number): number {
  const dayBefore = wall - 86_400;
  const before = offsetAt(zone, dayBefore);
  const change = changeAfter(zone, dayBefore);
  if (change === undefined) return before;
  const [early, late] = [wall - before, wall - change.offset];
  if (early < change.at && late < change.at) return before;
  if (early > change.at && late >= change.at) return change.offset;
  return early > late ? before : change.offset;
}
