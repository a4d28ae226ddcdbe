/**
 * Where lines (`line.ts`) become durable, in order: the log on disk, or a list in memory. What stands above it decides, batches and
 * numbers; what stands below knows nothing of entries but their count.
 */
export interface Journal {
  /** Hex of 32 random bytes, the same for the life of the store. */
  readonly secret: string;
  /** Number of the last durable entry, 0 when there is none. */
  readonly end: () => number;
  /** Bytes of log that are durable. */
  readonly bytes: () => number;
  /**
   * Makes all lines durable or none that anybody sees: one frame, one write, one sync. After it threw, nothing more may be
   * committed. Never called while a call is under way.
   */
  readonly commit: (lines: readonly string[]) => Promise<void>;
  /** Why nothing can be committed any more: a commit failed, a read met damage, or a look found the log gone; undefined while nothing is known. */
  readonly refusal: () => string | undefined;
  /** Looks whether everything still stands where it was; afterwards `refusal` tells. Many at the same time are one. */
  readonly look: () => Promise<void>;
  /** What needs attention though the journal works, a sentence each. */
  readonly notes: () => readonly string[];
  /** Batches of lines from entry `from` to entry `to`, both included, both durable. */
  readonly read: (from: number, to: number) => AsyncIterable<readonly string[]>;
  /** What holds that entry, for messages: a file, say. */
  readonly holder: (entry: number) => string;
  /** Records how far the log reaches, so that a later start notices when it does not any more. Never part of a commit. */
  readonly record: () => Promise<void>;
  readonly close: () => Promise<void>;
}
