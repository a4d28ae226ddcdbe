import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Value } from '../../language/values/type.ts';
import type { CommandEntry, EntryBody, LogEntry, SchemaEntry } from './entry.ts';
import type { Trouble } from './journal.ts';
import type { Announcements } from './announcements.ts';
import type { Claims } from './claims.ts';
import type { EventViews } from './event-views.ts';
import type { Consumers } from './consumers/consumers.ts';
import type { LogWork } from './opening.ts';
import type { AskedMoment, Moment } from './past/moment.ts';

/** Counts of a process on a log of several. */
export interface Sharing {
  /** Questions and orders to the log that were answered or failed. */
  readonly roundTrips: number;
  /** Batches and proofs that came too late, because others had appended. */
  readonly overtaken: number;
  /** Commits that took the lock first. */
  readonly locks: number;
  /** Time that these waited for the lock, in total. */
  readonly lockMilliseconds: number;
  /** Entries that the log is known to have, and this process has not taken in. */
  readonly lagEntries: number;
  /** Connections to the log that are open; undefined where there are none. */
  readonly connections: number | undefined;
  /** Milliseconds by which the clock of this machine is ahead of that of the log; less than 0 where it is behind. */
  readonly aheadMilliseconds: number;
  /** The log is read from a copy, where the last entries may be missing: the latest state cannot be known. */
  readonly isReplica: boolean;
}

/**
 * A store: a log and everything derived from it. Code above this interface does not depend on it being synchronous, single-process or
 * SQLite. Every store passes `test/contract/`.
 */
export interface Store {
  readonly kind: 'embedded' | 'memory' | 'postgres';
  /** Absolute path of the data directory, `memory`, or the place of a database, for messages. */
  readonly location: string;
  /** Other processes append to the same log. */
  readonly shared: boolean;
  /**
   * 32 random bytes created and stored with the store: the key of fingerprints (docs/language.md#commands-at-run-time).
   */
  readonly secret: Uint8Array;
  /**
   * Increases when recorded data reads differently without a new entry, for example after values are erased: copies
   * made before are invalid.
   */
  readonly epoch: () => number;
  /**
   * The durable end as far as this process knows it, at once. When others append to the same log it can be behind the
   * end.
   */
  readonly knownPosition: () => StorePosition;
  /** The seq of the stream's last event up to `knownPosition`, 0 when it has none. */
  readonly head: (streamType: string, streamId: string) => number | Promise<number>;
  /**
   * The durable end at some moment after the call: it covers everything that was reported as durable before the call.
   * Rejects with an R0413 while the log is away.
   */
  readonly freshPosition: (signal?: AbortSignal) => Promise<StorePosition>;
  /**
   * Resolves when this process has that entry, which another process may not have appended yet. Rejects with R0303 once
   * the signal is aborted.
   */
  readonly reach: (entry: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since `knownPosition` was the end of the log for sure; 0 where no other process appends. */
  readonly lag: () => number;
  /** Counts of this process since it opened a log that others append to; undefined where no other process appends. */
  readonly sharing: () => Sharing | undefined;
  /**
   * From now on this follower gets the entries that others append, and they are taken in. Without one a store on a
   * log of several processes stays at the entries that it had when it was opened.
   */
  readonly attach: (follower: StoreFollower) => void;
  /** Why no write is accepted and whether that may pass by itself, or undefined when writes are accepted. */
  readonly refusesWrites: () => Trouble | undefined;
  /** Why no read is answered: the log has something that this process cannot follow. */
  readonly refusesReads: () => Trouble | undefined;
  /** The reason why reads wait now, if the read model is on disk: it is being built from the log, or cannot be written. */
  readonly delaysReads: () => string | undefined;
  /** Progress of a read model on disk that is being built from the log; undefined at all other times. */
  readonly building: () => LogWork | undefined;
  /** The tables of the read model: where they are, their bytes, and the last entry in them. */
  readonly tables: () => { readonly in: 'memory' | 'disk'; readonly bytes: number; readonly entry: number };
  /** Checks whether the stored files are still in place; `refusesWrites` has the result. */
  readonly examine: () => Promise<void>;
  /** Sentences about what needs attention while writes are accepted. */
  readonly notes: () => readonly string[];
  /** Changes the read model to this registry. Running queries finish on the old one. */
  readonly adopt: (definition: ReadModelDefinition) => Promise<void>;
  /**
   * Does the long part of `adopt`: builds new tables aside, in slices, while everything continues. The returned
   * function does the rest, in a moment, whatever was appended or adopted in between.
   */
  readonly prepare: (definition: ReadModelDefinition, limits?: AdoptionLimits) => Promise<() => Promise<void>>;
  /**
   * Runs `work` alone: between its first read and its last append nothing else is appended. Resolves with its result
   * only when all that it appended is durable; rejects with a `Failure` of kind `store` ("outcome unknown") when that
   * failed, and then none of it is visible. When `work` itself throws, nothing it appended is kept.
   *
   * When others append to the same log, `work` may run several times, each time on what the log has then; only the last
   * run has an effect. Even if it appended nothing, the log ended where it decided, at some moment after this call. With
   * kind `reads` it runs once and appends nothing, and others may append meanwhile.
   */
  readonly exclusively: <T>(work: (turn: Turn) => Promise<T> | T, kind?: TurnKind) => Promise<T>;
  /** Runs a query on the durable state; sees everything acknowledged before the call. */
  readonly query: (
    query: CompiledQuery,
    parameters: readonly Value[],
    options?: QueryOptions,
  ) => Promise<readonly Row[]>;
  /**
   * Runs a query and gives its rows by column, as bytes: at most `options.rows` rows (more is an R0301), of columns of plain types (no
   * LIST, no STRUCT).
   */
  readonly columns: (
    query: CompiledQuery,
    parameters: readonly Value[],
    options: QueryOptions & { readonly rows: number },
  ) => Promise<ColumnBatch>;
  /** Entries from `number` on, up to the durable end at the time of the call. */
  readonly read: (from: number) => AsyncIterable<LogEntry>;
  /**
   * All entries from number `from` on, in order, each once: the existing ones, then each as it becomes durable, until
   * `signal` is aborted or the store is closed. A slow reader keeps only the page that it was given. Fails at the first
   * step when `from` is more than one past the end.
   */
  readonly follow: (from: number, signal: AbortSignal) => AsyncIterable<readonly LogEntry[]>;
  /** The kinds of stored events: aggregate, event and version, each once, with their number. */
  readonly eventKinds: () => Promise<readonly EventKind[]>;
  /**
   * Creates or replaces a table of the read model that is not derived from log entries (session tables; see `s$`
   * names).
   */
  readonly putTable: (table: string, columns: readonly TableColumn[], rows: TableRows) => Promise<void>;
  /** Creates or replaces such a table with the rows of a query on the durable state. */
  readonly putQuery: (
    table: string,
    query: CompiledQuery,
    parameters: readonly Value[],
    options?: QueryOptions,
  ) => Promise<void>;
  readonly dropTable: (table: string) => Promise<void>;
  /**
   * Rebuilds the kept rows of a projection, and of all projections it reads, from the events: in slices, while other work continues, and
   * then swapped in a moment.
   */
  readonly rebuild: (projection: string, onProgress: RebuildProgress) => Promise<void>;
  /** Schema entries, oldest first, as of the durable end. */
  readonly schema: () => readonly (LogEntry & SchemaEntry)[];
  /**
   * Rows of recorded inspections (docs/language.md#inspections): the log has the record; these can be replaced or lost.
   */
  readonly inspectionTables: InspectionTables;
  /** The positions of subscriptions; absent for a store that is only read. */
  readonly consumers?: Consumers;
  /** Work that one server does at a time; absent where only one process has the log. */
  readonly claims?: Claims;
  /** Changes of the registry that servers are about to append; absent where only one process has the log, or where it only reads. */
  readonly announcements?: Announcements;
  /** Views of events for other programs; absent where the log is not in a database, or is only read. */
  readonly views?: EventViews;
  /** Finds a moment of the past in the log; R0505 beyond its end. */
  readonly moment: (asked: AskedMoment) => Promise<Moment>;
  /**
   * The store as it was at a moment, read-only, under a definition of today: computed apart from the read model, from
   * the nearest snapshot or the log, so that nothing else waits for it. The caller closes it soon: few can be open at
   * once. Past the time limit R0301, R0303 when stopped, R0401 when too many wait.
   */
  readonly past: (moment: Moment, definition: ReadModelDefinition, options?: PastOptions) => Promise<Store>;
  /** Finishes running work, makes it durable, releases the directory. */
  readonly close: () => Promise<void>;
}

export interface PastOptions {
  /** Limit of the time to compute it, if it has to be computed first. */
  readonly milliseconds?: number;
  /** Stops waiting for it. */
  readonly signal?: AbortSignal;
  /** Receives from time to time how many entries of how many it has read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Past any of these an adoption fails with R0504, and the previous definition stays in force. */
export interface AdoptionLimits {
  /** Limit of each step of building aside, for which queries may have to wait. Past it the read model starts again. */
  readonly stepMilliseconds?: number;
  /** Limit of the swap, for which commands have to wait. */
  readonly swapMilliseconds?: number;
}

/** Receives the progress, in events for each fold; work continues when it resolves. */
export type RebuildProgress = (done: number, total: number) => Promise<void> | void;

export interface EventKind {
  readonly aggregate: string;
  readonly event: string;
  readonly version: number;
  /** Number of them that are stored, at least 1. */
  readonly count: number;
}

export interface StorePosition {
  /** Number of the last entry, 0 in an empty log. */
  readonly entry: number;
  /** Global position of the last event, 0 when there is none. */
  readonly event: number;
  /** `at` of the last entry, 0 when there is none. */
  readonly at: bigint;
}

/** Values of one row, in the order of the query's columns. */
export type Row = readonly Value[];

/** Past any of these a query ends with a `Failure` of kind `budget`. Plain data. */
export interface QueryLimits {
  readonly milliseconds?: number;
  readonly rows?: number;
  /** Limit of the memory of the result as values (`values/value-bytes.ts`), or by column as bytes. */
  readonly bytes?: number;
  /** Limit of the memory for computing it, in addition to the data. */
  readonly memory?: number;
  /** Expected to take less than a millisecond: its answer may wait for those of others that are as quick. It may fail with `NotQuick`. */
  readonly quick?: boolean;
}

/** The limits alone, as another thread gets them. Copies them by name: a rest pattern makes a dictionary, slow to make and to send. */
export function limitsOf({ milliseconds, rows, bytes, memory, quick }: QueryLimits): QueryLimits {
  const limits: { -readonly [K in keyof QueryLimits]: QueryLimits[K] } = {};
  if (milliseconds !== undefined) limits.milliseconds = milliseconds;
  if (rows !== undefined) limits.rows = rows;
  if (bytes !== undefined) limits.bytes = bytes;
  if (memory !== undefined) limits.memory = memory;
  if (quick !== undefined) limits.quick = quick;
  return limits;
}

export interface QueryOptions extends QueryLimits {
  /** Called with the bytes of the rows of a result before they are returned, and with the time of the query that gave them. */
  readonly takes?: (bytes: number, milliseconds?: number) => void;
  /** The value of CURRENT_TIMESTAMP, µs since 1970; by default the present time. */
  readonly instant?: bigint;
  /** Seed of the random draws (`language/values/draws.ts`); by default they are of the system. */
  readonly seed?: string;
  /** Answers from the entries that this process has, without a question to the log for its end. */
  readonly local?: boolean;
  /** Called with the number of the last entry that the answer shows, before it is computed. */
  readonly shows?: (entry: number) => void;
  /** Stops the query, which then fails with R0303, if it runs in another thread. */
  readonly signal?: AbortSignal;
  /**
   * The definition that the query was compiled for. If another one is in force, the query is not run and fails with
   * `Overtaken`.
   */
  readonly compiledFor?: ReadModelDefinition;
  /**
   * Which database answers; the others need `compiledFor`.
   * - `read-model`, the default: the one that decisions read.
   * - `copy`: a copy of it, so that nothing else waits for the query, if the read model has a thread of its own.
   * - `past`: a copy that stays on `compiledFor` after a change, for an answer that began before it. It shows the entries up to that change.
   *
   * A copy takes as much memory as the read model, and goes after a minute without a query.
   */
  readonly answeredBy?: 'read-model' | 'copy' | 'past';
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

/** A change of the registry came before the query; the caller compiles it again. */
export class Overtaken extends Error {}

/** A query that was asked as a quick one came behind one that was not quick, and was not run; the caller asks it as any other. */
export class NotQuick extends Error {}

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
  readonly query: (
    query: CompiledQuery,
    parameters: readonly Value[],
    options?: QueryOptions,
  ) => Promise<readonly Row[]>;
  /** The first event of the stream, among those that queries of this turn have seen, that cannot be read whole. */
  readonly unreadable: (streamType: string, streamId: string) => string | undefined;
  /** Position that the next event gets. */
  readonly nextPosition: () => number;
  /** Characters of the lines that this turn appended so far. */
  readonly size: () => number;
  /** Adds an entry to this turn. `position` and `seq` of its events must follow `nextPosition` and `head`. */
  readonly append: (entry: EntryBody, at: bigint) => LogEntry;
}

/** A column of a table that is not derived from log entries. */
export interface TableColumn extends Column {
  /** Not stored with each row: the text at the position, from 1, that the row's column `from` contains. */
  readonly derived?: { readonly from: string; readonly texts: readonly (string | null)[] };
}
/** Cells of the kept columns, all at once or in pages; pages can be read repeatedly. */
export type TableRows = readonly Row[] | (() => AsyncIterable<readonly Row[]>);

/** Tables by name, which are safe identifiers; case does not count. */
export interface InspectionTables {
  /** Starts a table, which replaces the one of that name when it is complete. */
  readonly write: (name: string, head: TableHead) => Promise<TableWriter>;
  readonly open: (name: string) => Promise<KeptTable | 'missing' | 'damaged'>;
  readonly remove: (name: string) => Promise<void>;
  readonly names: () => Promise<readonly string[]>;
}
export interface TableHead {
  readonly columns: readonly TableColumn[];
  /** Any text of its owner, such as the columns that queries see. */
  readonly about?: string;
}
export interface TableWriter {
  /** Adds rows with the cells of the kept columns. */
  readonly add: (rows: readonly Row[]) => Promise<void>;
  /** Ends the table and puts it in place. */
  readonly keep: () => Promise<void>;
  /** Drops the new table; the previous one stays. */
  readonly discard: () => Promise<void>;
}
export interface KeptTable extends TableHead {
  readonly rows: number;
  /** Rows in order, with the cells of the kept columns, without the first `offset`. */
  readonly pages: (offset?: number) => AsyncIterable<readonly Row[]>;
}

/** An entry of a command, with its number and time. */
export type RecordedCommand = LogEntry & CommandEntry;
