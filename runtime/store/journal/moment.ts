/** Moments of the past, which `AS OF` names, and the part of the log that had been written by then (docs/language.md#the-past). */
import { fail } from '../../../language/failure/failure.ts';
import { printTimestamp } from '../../../language/values/timestamp.ts';
import type { LogEntry } from '../entry.ts';
import type { Journal } from '../journal.ts';
import { readEntry } from '../read-entry.ts';

/** A moment as it was asked for: after that many events of the store, or at a time (µs since 1970). */
export type AskedMoment = { readonly position: number } | { readonly time: bigint };

/** A moment that was found in the log. */
export interface Moment {
  /** Global position of the last event, 0 for none. */
  readonly position: number;
  /** Number of the last entry, 0 for none. */
  readonly entry: number;
  /** The last entry has events after `position`, which do not belong to this moment. */
  readonly cut: boolean;
  /** The value of CURRENT_TIMESTAMP then, in µs since 1970. */
  readonly at: bigint;
  /** False for a time after that of the last entry: more can still be written before it. */
  readonly final: boolean;
}

/** The last entry that belongs to a moment with all its events. */
export function lastWholeEntry({ entry, cut }: Pick<Moment, 'entry' | 'cut'>): number {
  return cut ? entry - 1 : entry;
}

/** Whether two moments have the same part of the log. */
export function isSameMoment(a: Moment, b: Moment): boolean {
  return a.entry === b.entry && a.cut === b.cut && a.position === b.position;
}

/** Orders moments so that each has all that the ones before it have. */
export function compareMoments(a: Moment, b: Moment): number {
  return a.entry - b.entry || a.position - b.position;
}

type Log = Pick<Journal, 'read' | 'fresh' | 'holder'>;

/** Number of moments that are remembered: a page that shows the past asks for one moment many times. */
const mostRemembered = 64;

/**
 * Finds moments of a log. Throws R0505 for a moment beyond the end of the log, or beyond the time `now`. The last ones are remembered,
 * because the content of a moment never changes.
 */
export function createMoments(log: Log): (asked: AskedMoment, now: bigint) => Promise<Moment> {
  const remembered = new Map<string, Moment>();
  return async (asked, now) => {
    const name = 'position' in asked ? `position ${asked.position}` : `time ${asked.time}`;
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const found = await findMoment(log, asked, now);
    // The moment at the end of the log is final only for a position, and before the first event there is no time yet.
    if (!found.final || found.entry === 0) return found;
    remembered.set(name, found);
    const [oldest] = remembered.keys();
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
    return found;
  };
}

async function findMoment(log: Log, asked: AskedMoment, now: bigint): Promise<Moment> {
  const { entry: end } = await log.fresh();
  return 'position' in asked ? momentAt(log, asked.position, end) : momentOf(log, asked.time, end, now);
}

async function momentAt(log: Log, position: number, end: number): Promise<Moment> {
  if (position === 0) {
    const first = end === 0 ? undefined : await entryAt(log, 1);
    return { position, entry: 0, cut: false, at: first === undefined ? 0n : BigInt(first.at), final: true };
  }
  const last = await lastPosition(log, end);
  if (position > last) throw beyondEvents(position, last);
  // The event is in an entry from `low` to `high`, and these have the events after `before` up to `after`.
  let [low, before, high, after] = [1, 0, end, last];
  for (let step = 0; low <= high; step++) {
    const next = await nextWithEvents(log, between(low, high, (position - before - 1) / (after - before), step), high);
    if (next.entry === undefined) high = next.asked - 1;
    else if (next.entry.last < position) [low, before] = [next.entry.number + 1, next.entry.last];
    else if (next.entry.first > position) [high, after] = [next.asked - 1, next.entry.first - 1];
    else return inEntry(next.entry, position);
  }
  throw new Error(`no entry of the log has the event at position ${position}`);
}

function inEntry(entry: EventsOfEntry, position: number): Moment {
  return { position, entry: entry.number, cut: entry.last > position, at: BigInt(entry.at), final: true };
}

/**
 * A number from `low` to `high`, at that part of the way, which is near 0 to 1. Most logs grow evenly, so two or three such steps find what
 * dividing by two finds in the logarithm of their length; every third step divides by two, so that an uneven log takes three times the
 * logarithm at most.
 */
function between(low: number, high: number, part: number, step: number): number {
  const share = step % 3 === 2 || !(part >= 0 && part <= 1) ? 0.5 : part;
  return low + Math.min(high - low, Math.floor(share * (high - low + 1)));
}

async function momentOf(log: Log, time: bigint, end: number, now: bigint): Promise<Moment> {
  if (time > now) throw fail('R0505', { moment: printTimestamp(time), end: `now, ${printTimestamp(now)}` });
  const entry = await lastEntryAt(log, time, end);
  return { position: await lastPosition(log, entry), entry, cut: false, at: time, final: entry < end };
}

/** Number of the last entry at or before a time, 0 for none. */
async function lastEntryAt(log: Log, time: bigint, end: number): Promise<number> {
  const timeOf = async (number: number): Promise<bigint> => BigInt((await entryAt(log, number)).at);
  if (end === 0) return 0;
  let [low, before, high, after] = [1, await timeOf(1), end, await timeOf(end)];
  if (after <= time) return end;
  if (before > time) return 0;
  // `low` is at or before the time, `high` is after it.
  for (let step = 0; high - low > 1; step++) {
    if (high - low <= fewEntries) return low + (await timesBetween(log, low, high)).filter((at) => at <= time).length;
    const part = Number(time - before) / Number(after - before);
    const middle = between(low + 1, high - 1, part, step);
    const at = await timeOf(middle);
    if (at <= time) [low, before] = [middle, at];
    else [high, after] = [middle, at];
  }
  return low;
}

/** Number of entries that are read at once: they are in one or two pieces of the log, and reading one entry reads such a piece. */
const fewEntries = 50;

/** The times of the entries between two others. */
async function timesBetween(log: Log, low: number, high: number): Promise<readonly bigint[]> {
  const times: bigint[] = [];
  for await (const lines of log.read(low + 1, high - 1))
    for (const line of lines) times.push(BigInt(readEntry(line, log.holder).at));
  return times;
}

/** Global position of the last event up to an entry. */
async function lastPosition(log: Log, entry: number): Promise<number> {
  for (let back = 1, to = entry; to > 0; back *= 16) {
    const from = Math.max(1, to - back + 1);
    let last = 0;
    for await (const lines of log.read(from, to))
      for (const line of lines) last = lastOf(readEntry(line, log.holder)) ?? last;
    if (last > 0) return last;
    to = from - 1;
  }
  return 0;
}

async function entryAt(log: Log, number: number): Promise<LogEntry> {
  for await (const [line] of log.read(number, number)) if (line !== undefined) return readEntry(line, log.holder);
  throw new Error(`the log has no entry ${number}`);
}

type EventsOfEntry = LogEntry & { readonly first: number; readonly last: number };

/** The first entry with events from one on; none if all up to `to` are without. */
async function nextWithEvents(
  log: Log,
  asked: number,
  to: number,
): Promise<{ readonly asked: number; readonly entry: EventsOfEntry | undefined }> {
  // Most entries have events, so one entry alone is asked for first, which is the cheapest read.
  const own = withEvents(await entryAt(log, asked));
  if (own !== undefined || asked === to) return { asked, entry: own };
  for await (const lines of log.read(asked + 1, to))
    for (const line of lines) {
      const entry = withEvents(readEntry(line, log.holder));
      if (entry !== undefined) return { asked, entry };
    }
  return { asked, entry: undefined };
}

function withEvents(entry: LogEntry): EventsOfEntry | undefined {
  const [first, last] = [entry.kind === 'command' ? entry.events[0]?.position : undefined, lastOf(entry)];
  return first === undefined || last === undefined ? undefined : { ...entry, first, last };
}

function lastOf(entry: LogEntry): number | undefined {
  return entry.kind === 'command' ? entry.events.at(-1)?.position : undefined;
}

function beyondEvents(position: number, last: number): Error {
  return fail('R0505', {
    moment: `position ${position}`,
    end: last === 0 ? 'position 0, since there are no events' : `position ${last}`,
  });
}
