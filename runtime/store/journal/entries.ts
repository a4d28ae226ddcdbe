/** The log as the users and the parts of a store read it: with failures that callers understand, up to an end, and as entries. */
import type { Clock } from '../disk.ts';
import type { EventKind, LogEntry, SchemaEntry } from '../entry.ts';
import { JournalFailure, type Journal, type JournalEnd } from '../journal.ts';
import { readEntry } from '../read-entry.ts';
import { failureOf } from './log-failures.ts';
import { createMoments, type AskedMoment, type Moment } from './moment.ts';

/** The entries of a log that are durable. */
export interface Entries {
  /** Entries from `number` on, up to the durable end at the time of the call. */
  readonly read: (from: number) => AsyncIterable<LogEntry>;
  /**
   * All entries from number `from` on, in order, each once: the existing ones, then each as it becomes durable, until
   * `signal` is aborted or the store is closed. A slow reader keeps only the page that it was given. Fails at the first
   * step when `from` is more than one past the end.
   */
  readonly follow: (from: number, signal: AbortSignal) => AsyncIterable<readonly LogEntry[]>;
  /** Schema entries, oldest first, as of the durable end. */
  readonly schema: () => readonly (LogEntry & SchemaEntry)[];
  /** The kinds of stored events: aggregate, event and version, each once, with their number. */
  readonly eventKinds: () => Promise<readonly EventKind[]>;
  /** Finds a moment of the past in the log; R0505 beyond its end. */
  readonly moment: (asked: AskedMoment) => Promise<Moment>;
  /** Checks whether the stored files are still in place; `Turns.refusesWrites` has the result. */
  readonly look: () => Promise<void>;
}

/** The part of a log that a read model reads. */
export interface ReadModelLog extends Pick<Journal, 'secret' | 'read'> {
  /** Number of the last known entry. */
  readonly end: () => number;
  /** Number of the last durable entry at some moment after the call; `end` is at least there afterwards. */
  readonly fresh: () => Promise<number>;
}

export interface EntriesOptions {
  readonly journal: Journal;
  readonly ledger: { readonly schema: Entries['schema']; readonly kinds: () => readonly EventKind[] };
  readonly clock: Clock;
  readonly turns: {
    readonly position: () => { readonly at: bigint };
    readonly fresh: () => Promise<Pick<JournalEnd, 'entry'>>;
    readonly reach: Reach;
    /** An entry of another process is taken in before it is read. */
    readonly followsOthers: () => boolean;
  };
}

type Reach = (entry: number, signal: AbortSignal) => Promise<void>;

export function createEntries({ journal, ledger, clock, turns }: EntriesOptions): Entries {
  const moments = createMoments(journal);
  return {
    read: (from) => {
      const end = turns.followsOthers() ? turns.fresh() : fresh(journal);
      end.catch(() => undefined); // an end that cannot be read fails the first step
      return readEntries(journal, from, end);
    },
    follow: (from, signal) => followEntries(journal, from, signal, turns.followsOthers() ? turns.reach : undefined),
    schema: () => ledger.schema().filter((entry) => entry.number <= journal.known().entry),
    eventKinds: () => Promise.resolve(ledger.kinds()),
    moment: async (asked) => {
      await fresh(journal);
      const now = clock();
      const { at } = turns.position();
      // After a clock was set back, the log is ahead of it.
      return moments(asked, now > at ? now : at);
    },
    look: journal.look,
  };
}

/** The durable end; R0413 while it is unknown. */
async function fresh(journal: Journal): Promise<JournalEnd> {
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

async function* readEntries(
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

async function* followEntries(
  journal: Journal,
  from: number,
  signal: AbortSignal,
  /** Resolves when the entry is taken in: one of a later registry cannot be read by the present one. */
  reach?: Reach,
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
