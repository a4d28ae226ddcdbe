/** Turns at the end of a log: the work that decides and appends, alone. */
import type { CommandEntry, EntryBody, LogEntry, SchemaEntry } from '../entry.ts';
import type { Network } from '../journal.ts';
import type { Query } from '../query.ts';

/** Counts of a process on a log of several. */
export interface Sharing extends Network {
  /** Batches and proofs that came too late, because others had appended. */
  readonly overtaken: number;
  /** Commits that took the lock first. */
  readonly locks: number;
  /** Time that these waited for the lock, in total. */
  readonly lockMilliseconds: number;
  /** Entries that the log is known to have, and this process has not taken in. */
  readonly lagEntries: number;
}

export interface StorePosition {
  /** Number of the last entry, 0 in an empty log. */
  readonly entry: number;
  /** Global position of the last event, 0 when there is none. */
  readonly event: number;
  /** `at` of the last entry, 0 when there is none. */
  readonly at: bigint;
}

export type TurnKind = 'decides' | 'reads';

/** Derives something from the entries of a store that is not part of the store. Calls come between turns. */
export interface StoreFollower {
  /** These entries of other processes are the last ones now. */
  readonly appended: (entries: readonly LogEntry[]) => void;
  /** These entries, of this process or of others, are durable from now on: each entry once, in order. */
  readonly durable: (entries: readonly LogEntry[]) => void;
  /** These entries, the last ones of this process, were not kept. */
  readonly takenBack: (entries: readonly LogEntry[]) => void;
  /**
   * Another process has changed the registry. Nothing after this entry is read or decided until this resolves. If it
   * rejects, the store no longer answers, unless the failure heals.
   */
  readonly adopt: (entry: LogEntry & SchemaEntry) => Promise<void>;
}

/** Entries that are in memory only, oldest first; the first one has number `first`. */
export interface Ahead {
  readonly first: number;
  readonly lines: readonly string[];
}

/** Runs a query on the durable state and these entries on top. */
export type QueryAhead = (ahead: Ahead, ...asked: Parameters<Query>) => ReturnType<Query>;

/** Exclusive access to the end of the log, with this turn's own appends visible to its reads. */
export interface Turn {
  /** Other processes append to the same log, and may wait for this turn to end. */
  readonly shared?: true;
  /** The number of the last entry that it sees. */
  readonly lastEntry: () => number;
  /** The entries that it sees and that are not durable yet, oldest first. */
  readonly ahead: () => readonly { readonly entry: LogEntry }[];
  /** Number of schema entries that it sees. */
  readonly schemaEntries: () => number;
  /** The seq of the stream's last event, 0 when it has none. */
  readonly head: (streamType: string, streamId: string) => number | Promise<number>;
  /** The first entry of a command with that id on that stream. */
  readonly recorded: (
    streamType: string,
    streamId: string,
    commandId: string,
  ) => RecordedCommand | undefined | Promise<RecordedCommand | undefined>;
  readonly query: Query;
  /** The first event of the stream, among those that queries of this turn have seen, that cannot be read whole. */
  readonly unreadable: (streamType: string, streamId: string) => string | undefined;
  /** Position that the next event gets. */
  readonly nextPosition: () => number;
  /** Characters of the lines that this turn appended so far. */
  readonly size: () => number;
  /** Adds an entry to this turn. `position` and `seq` of its events must follow `nextPosition` and `head`. */
  readonly append: (entry: EntryBody, at: bigint) => LogEntry;
}

/** An entry of a command, with its number and time. */
export type RecordedCommand = LogEntry & CommandEntry;
