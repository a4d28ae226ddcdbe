/**
 * The log as a contract: it makes lines (`line.ts`) durable, in one order, for one process or for several. The caller
 * decides, batches and numbers; an implementation knows only the number of entries, so that files, memory and a
 * database can all implement it. Every journal passes `test/contract/journal-contract.ts`.
 */
export interface Journal {
  /** Hex of 32 random bytes, the same for the life of the store. */
  readonly secret: string;
  /**
   * The end that this process knows of, at once. Never past the durable end; behind it when others append to the same
   * log.
   */
  readonly known: () => JournalEnd;
  /**
   * The durable end at some moment after the call: it covers everything that was reported as kept before the call.
   * `known` is at least there afterwards. Rejects while the end is unknown, with a `JournalFailure` that heals.
   */
  readonly fresh: () => Promise<JournalEnd>;
  /**
   * Makes all lines durable if and only if the log ends exactly at `after`; else the result is `behind`, and none of
   * them is kept. One call at a time. Rejects with a `JournalFailure`: after one that heals `settle` gives the outcome,
   * after any other nothing more can be appended.
   */
  readonly append: (batch: Batch) => Promise<'kept' | 'behind'>;
  /**
   * The outcome of a batch whose append failed with a failure that heals. After `never` it can no longer be kept,
   * wherever its bytes are, because the end has another id from then on. Works at least for the last `settledBatches`
   * that this journal appended.
   */
  readonly settle: (batch: string) => Promise<'kept' | 'never'>;
  /**
   * Keeps all other processes from appending until the next `append` of this journal or `unlock`, at most for
   * `lockMilliseconds`. Resolves with the end, which is known from then on. For a process that was `behind`: it reads
   * the missing entries and decides again without being overtaken once more. Without competition an `append` alone is
   * cheaper. A lock that was lost makes no append wrong: it can be `behind` again. Rejects as `fresh` does. Not
   * during an `append`, nor twice.
   */
  readonly lock: () => Promise<JournalEnd>;
  /** Ends a lock without an append. Does nothing without one. */
  readonly unlock: () => Promise<void>;
  /** Batches of lines from entry `from` to entry `to`, both included and known. Takes the memory of one batch. */
  readonly read: (from: number, to: number) => AsyncIterable<readonly string[]>;
  /**
   * All lines from entry `from` on, in order, each once, from any process: first the existing ones, then each batch as
   * it becomes durable. Ends when `signal` is aborted or the journal is closed. Nothing is queued for a slow reader: it
   * continues from the log. `from` is at most one past the end, else the first step fails: later lines there would
   * differ from those that the caller has seen.
   */
  readonly follow: (from: number, signal: AbortSignal) => AsyncIterable<readonly string[]>;
  /** Why nothing can be appended now; undefined when no reason is known. */
  readonly trouble: () => Trouble | undefined;
  /** Checks whether all files are still in place; `trouble` has the result. Simultaneous calls share one check. */
  readonly look: () => Promise<void>;
  /** Sentences about what needs attention while the journal works. */
  readonly notes: () => readonly string[];
  /** The place of that entry, for messages, such as a file. */
  readonly holder: (entry: number) => string;
  readonly close: () => Promise<void>;
  /** Counts of a log that is reached over a network. */
  readonly network?: () => Network;
}

export interface Network {
  /** Questions and orders to the log that were answered or failed. */
  readonly roundTrips: number;
  /** Connections to the log that are open; undefined where there are none. */
  readonly connections: number | undefined;
  /** Milliseconds by which the clock of this machine is ahead of that of the log; less than 0 where it is behind. */
  readonly aheadMilliseconds: number;
  /** The log is a copy that another place fills, so that the last entries may be missing from it and from `fresh`: the latest state cannot be known. */
  readonly isReplica: boolean;
}

/** Equal ends have equal histories: the id distinguishes histories of the same length. */
export interface JournalEnd {
  /** Number of the last durable entry, 0 when there is none. */
  readonly entry: number;
  /** Id of the batch that ends there. */
  readonly batch: string;
}

export interface Batch {
  /** The end that the lines follow. */
  readonly after: JournalEnd;
  /** Created for this one attempt, and never used again. */
  readonly id: string;
  /** At least one. */
  readonly lines: readonly string[];
}

/** A problem of the log, and whether it may pass by itself. */
export interface Trouble {
  readonly reason: string;
  /**
   * True when the log may come back as it was, as a database does. False if only a restart or an operator can help:
   * after a disk has failed, a second sync may succeed although pages are lost.
   */
  readonly heals: boolean;
}

export class JournalFailure extends Error implements Trouble {
  readonly reason: string;
  readonly heals: boolean;
  constructor({ reason, heals }: Trouble) {
    super(reason);
    this.name = 'JournalFailure';
    this.reason = reason;
    this.heals = heals;
  }
}

/** A process that is stopped must not keep all others from appending. */
export const lockMilliseconds = 3_000;

/** A process sends one batch at a time, so this is far more than the number of its batches with an unknown outcome. */
export const settledBatches = 64;
