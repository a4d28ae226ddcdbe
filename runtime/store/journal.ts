/**
 * The log as a contract: where lines (`line.ts`) become durable, in one order, for one process or for several. What is above it decides,
 * batches and numbers; what is below it knows nothing of entries but their count, so files, memory and a database can all be one. Every
 * journal passes `test/contract/journal-contract.ts`.
 */
export interface Journal {
  /** Hex of 32 random bytes, the same for the life of the store. */
  readonly secret: string;
  /** The end that this process knows of, at once. Never past the durable end; behind it where others append to the same log. */
  readonly known: () => JournalEnd;
  /**
   * The durable end at some moment after the call: it covers everything that was reported as kept before the call. `known` is at least there afterwards. Rejects with a `JournalFailure` that heals while the end is unknown.
   */
  readonly fresh: () => Promise<JournalEnd>;
  /**
   * Makes all lines durable if and only if the log ends exactly at `after`; else the result is `behind`, and none of them is there. One call
   * at a time. Rejects with a `JournalFailure`: one that heals leaves the outcome to `settle`, after any other nothing more can be appended.
   */
  readonly append: (batch: Batch) => Promise<'kept' | 'behind'>;
  /**
   * The outcome of a batch whose append failed and heals. After `never` it can no longer be kept, wherever its bytes are, because the
   * end has another id from then on. Answers for the last `settledBatches` that this journal appended, at least.
   */
  readonly settle: (batch: string) => Promise<'kept' | 'never'>;
  /** Batches of lines from entry `from` to entry `to`, both included, both known. Memory for one batch of them. */
  readonly read: (from: number, to: number) => AsyncIterable<readonly string[]>;
  /**
   * All lines from entry `from` on, in order, each once, from any process: first the existing ones, then each batch as it becomes
   * durable. Ends when `signal` is aborted or the journal is closed. Nothing is queued for a slow reader: it reads on
   * from the log. `from` is at most one past the end, else it fails at the first step: a later line there is not what the caller has seen.
   */
  readonly follow: (from: number, signal: AbortSignal) => AsyncIterable<readonly string[]>;
  /** Why nothing can be appended now; undefined while nothing is known. */
  readonly trouble: () => Trouble | undefined;
  /** Checks whether everything is still in its place; `trouble` has the result. Many calls at the same time are one. */
  readonly look: () => Promise<void>;
  /** What needs attention though the journal works, a sentence each. */
  readonly notes: () => readonly string[];
  /** What holds that entry, for messages: a file, say. */
  readonly holder: (entry: number) => string;
  readonly close: () => Promise<void>;
}

/** Equal ends have equal histories: the id tells apart histories that have the same length. */
export interface JournalEnd {
  /** Number of the last durable entry, 0 when there is none. */
  readonly entry: number;
  /** Id of the batch that made this the end. */
  readonly batch: string;
}

export interface Batch {
  /** What the lines follow. */
  readonly after: JournalEnd;
  /** Made for this one attempt, and never used again. */
  readonly id: string;
  /** At least one. */
  readonly lines: readonly string[];
}

/** Something is wrong with the log, and whether it may pass by itself. */
export interface Trouble {
  readonly reason: string;
  /**
   * True where the log may come back as it was, as a database does. False if only a restart, or an operator, can help: after a disk has
   * failed, a second sync may succeed over pages that are lost.
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

/** A process sends one batch at a time, so this is far more than it can be in doubt about. */
export const settledBatches = 64;
