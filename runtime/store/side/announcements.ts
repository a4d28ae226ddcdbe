import type { SchemaEntry } from '../entry.ts';

/** A change of the registry that one server is about to append. */
export interface AnnouncedChange {
  readonly entry: SchemaEntry;
  /** The number of schema entries that it was compiled on. */
  readonly base: number;
}

/**
 * Tells the other servers of a log of a change before it is in the log, so that they build its tables while everything continues.
 * Correctness does not depend on it: a server without one builds them when it meets the entry, and answers nothing meanwhile.
 */
export interface Announcements {
  /** Resolves when all servers that were seen lately are prepared, or could not prepare, or after some seconds. Never rejects. */
  readonly announce: (change: AnnouncedChange) => Promise<void>;
  /** Asks other servers from now on to wait until `prepare` has settled for their announcements. */
  readonly join: (prepare: (change: AnnouncedChange) => Promise<void>) => void;
  /** The others no longer wait for this server. */
  readonly leave: () => Promise<void>;
}
