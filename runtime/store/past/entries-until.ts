import type { LogEntry } from '../entry.ts';
import type { Entries } from '../journal/entries.ts';
import type { Moment } from '../journal/moment.ts';

/** The entries of a log up to a moment; the last one has its events up to there. */
export async function* entriesUntil(
  log: Pick<Entries, 'read'>,
  moment: Pick<Moment, 'entry' | 'position'>,
  from: number,
): AsyncGenerator<LogEntry, void, undefined> {
  for await (const entry of log.read(from)) {
    if (entry.number > moment.entry) return;
    yield entry.kind === 'command' && entry.number === moment.entry
      ? { ...entry, events: entry.events.filter((event) => event.position <= moment.position) }
      : entry;
  }
}
