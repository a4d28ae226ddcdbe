/**
 * Moments of the past: what `AS OF` names, and the part of the log that had been written by then
 * (docs/language.md#the-past).
 */
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

type Log = Pick<Journal, 'read' | 'fresh' | 'holder'>;

/** Throws R0505 for a moment beyond the end: of the log, or of the time `now`. */
export async function findMoment(log: Log, asked: AskedMoment, now: bigint): Promise<Moment> {
  const { entry: end } = await log.fresh();
  return 'position' in asked ? momentAt(log, asked.position, end) : momentOf(log, asked.time, end, now);
}

async function momentAt(log: Log, position: number, end: number): Promise<Moment> {
  if (position === 0) {
    const first = end === 0 ? undefined : await entryAt(log, 1);
    return { position, entry: 0, cut: false, at: first === undefined ? 0n : BigInt(first.at), final: true };
  }
  // The first entry that ends with this event or a later one. Entries without events tell nothing, so the next one with
  // events is asked instead.
  let low = 1;
  let high = end;
  let found: (LogEntry & { readonly last: number }) | undefined;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const next = await nextWithEvents(log, middle, high);
    if (next === undefined) high = middle - 1;
    else if (next.last >= position) {
      found = next;
      high = middle - 1;
    } else low = next.number + 1;
  }
  if (found === undefined) throw beyondEvents(position, await lastPosition(log, end));
  return { position, entry: found.number, cut: found.last > position, at: BigInt(found.at), final: true };
}

async function momentOf(log: Log, time: bigint, end: number, now: bigint): Promise<Moment> {
  if (time > now) throw fail('R0505', { moment: printTimestamp(time), end: `now, ${printTimestamp(now)}` });
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (BigInt((await entryAt(log, middle)).at) <= time) low = middle;
    else high = middle - 1;
  }
  return { position: await lastPosition(log, low), entry: low, cut: false, at: time, final: low < end };
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

async function nextWithEvents(
  log: Log,
  from: number,
  to: number,
): Promise<(LogEntry & { readonly last: number }) | undefined> {
  // Most entries have events, so one entry alone is asked for first, which is the cheapest read.
  const own = await entryAt(log, from);
  const ownLast = lastOf(own);
  if (ownLast !== undefined) return { ...own, last: ownLast };
  if (from === to) return undefined;
  for await (const lines of log.read(from + 1, to))
    for (const line of lines) {
      const entry = readEntry(line, log.holder);
      const last = lastOf(entry);
      if (last !== undefined) return { ...entry, last };
    }
  return undefined;
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
