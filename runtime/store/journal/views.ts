/** A journal as the parts of a store see it: with failures that callers understand, up to an end, and as entries. */
import type { LogEntry } from '../entry.ts';
import { JournalFailure, type Journal, type JournalEnd } from '../journal.ts';
import { readEntry } from '../read-entry.ts';
import type { ReadModelOptions } from '../read-model/read-model.ts';
import type { Store } from '../store.ts';
import { failureOf } from '../turns/log-failures.ts';

/** The durable end; R0413 while it is unknown. */
export async function fresh(journal: Journal): Promise<JournalEnd> {
  try {
    return await journal.fresh();
  } catch (error) {
    throw error instanceof JournalFailure ? failureOf(error) : error;
  }
}

/** The log with failures as callers are to see them: a page that could not be read may be there in a moment. */
export function failing(journal: Journal): Journal {
  return {
    ...journal,
    async *read(from, to) {
      try {
        yield* journal.read(from, to);
      } catch (error) {
        throw error instanceof JournalFailure ? failureOf(error) : error;
      }
    },
  };
}

/** The log for a read model that sees it only up to `end`. */
export function limited(
  { secret, read }: Journal,
  end: () => number,
  reached: () => Promise<number>,
): ReadModelOptions['journal'] {
  return { secret, read, end, fresh: reached };
}

export async function* readEntries(
  journal: Journal,
  from: number,
  end: Promise<Pick<JournalEnd, 'entry'>>,
): AsyncGenerator<LogEntry, void, undefined> {
  const { entry: to } = await end;
  if (from > to) return;
  for await (const lines of journal.read(Math.max(1, from), to)) {
    for (const line of lines) yield readEntry(line, journal.holder);
  }
}

export async function* followEntries(
  journal: Journal,
  from: number,
  signal: AbortSignal,
  /** Resolves when the entry is taken in: one of a later registry cannot be read by the present one. */
  reach?: Store['reach'],
): AsyncGenerator<readonly LogEntry[], void, undefined> {
  let last = from - 1;
  try {
    for await (const lines of journal.follow(from, signal)) {
      last += lines.length;
      await reach?.(last, signal);
      yield lines.map((line) => readEntry(line, journal.holder));
    }
  } catch (error) {
    throw error instanceof JournalFailure ? failureOf(error) : error;
  }
}
