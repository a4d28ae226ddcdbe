/**
 * A store: a log and everything derived from it. Code above this interface does not depend on it being synchronous, single-process or
 * SQLite. Every store passes `test/contract/`.
 */
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import type { Announcements } from './side/announcements.ts';
import type { Claims } from './side/claims.ts';
import type { Consumers } from './side/consumers.ts';
import type { EventViews } from './side/event-views.ts';
import type { Entries } from './journal/entries.ts';
import type { Moment } from './journal/moment.ts';
import type { InspectionTables } from './side/inspection-tables.ts';
import type { Tables } from './tables/tables.ts';
import type { Turns } from './turns/turns.ts';

export type { EventKind } from './entry.ts';
export type { Entries } from './journal/entries.ts';
export { limitsOf, GivenBack, Overtaken, type QueryLimits, type QueryOptions, type Row } from './query.ts';
export type {
  InspectionTables,
  KeptTable,
  TableColumn,
  TableHead,
  TableRows,
  TableWriter,
} from './side/inspection-tables.ts';
export type { AdoptionLimits, RebuildProgress, Tables } from './tables/tables.ts';
export type { RecordedCommand, Sharing, StoreFollower, StorePosition, Turn, TurnKind } from './turns/turn.ts';
export type { Turns } from './turns/turns.ts';

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
  /** The durable entries. */
  readonly log: Entries;
  /** The end of the log, and appends to it. */
  readonly turns: Turns;
  /** Everything that is derived from the log and answers queries. */
  readonly tables: Tables;
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
  /** Sentences about what needs attention while writes are accepted. */
  readonly notes: () => readonly string[];
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
