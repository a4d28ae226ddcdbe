/**
 * The interface of the read model to its database engine: prepare, run, step by column, transactions, stop, size.
 * Nothing outside `sqlite.ts` and `files/` knows which engine runs, or whether the database is in memory or in a file.
 * Takes generated SQL text and values; a caller's text never gets here.
 */
import type { QueryMoment } from '../../../../language/sqlite/moment.ts';
import type { DatabaseFile } from '../files/database-file.ts';
import type { Interrupting } from './interrupting.ts';
import type { RowReader } from './row-memory.ts';

export type Cell = null | string | number | bigint | Uint8Array;
export type Bound = null | string | number;

export interface Statement {
  /** Runs to the end and drops results. */
  readonly run: (values?: readonly Bound[]) => void;
  /**
   * Binds and starts; then call `step` until it is false, `row` after each true, and `reset` at the end in any case.
   */
  readonly bind: (values: readonly Bound[]) => void;
  readonly step: () => boolean;
  /** Integers are bigints. */
  readonly row: () => readonly Cell[];
  readonly reset: () => void;
  readonly free: () => void;
  /** The cells of the current row, one by one, without creating values. */
  readonly cells: () => RowReader;
}

export interface Database {
  readonly prepare: (sql: string) => Statement;
  /** Runs one statement and drops its results. */
  readonly run: (sql: string, values?: readonly Bound[]) => void;
  readonly rows: (sql: string, values?: readonly Bound[]) => readonly (readonly Cell[])[];
  /** Starts a transaction. Its result survives the process only after `settle`. */
  readonly begin: () => void;
  readonly commit: () => void;
  readonly rollback: () => void;
  /** Runs the work and takes back what it wrote; inside a transaction or outside. */
  readonly undone: <T>(work: () => T) => T;
  /**
   * Makes all committed transactions durable where the database is in a file. False when it could not be done now,
   * because others read the file. Not inside a transaction.
   */
  readonly settle: () => boolean;
  /** No statement can write until the next one that is `run`; throws when the engine does not confirm it. */
  readonly readOnly: () => void;
  /** Time and chance for the statements that run from now on. */
  readonly setMoment: (moment: QueryMoment) => void;
  /** While set, memory of the engine grows by at most this many bytes: a statement that needs more fails with R0301. */
  readonly memoryBudget: (bytes: number | undefined) => void;
  /** Only for statements that read: SQLite takes the whole transaction back when it ends another one. */
  readonly interrupting: Interrupting;
  /** Bytes of the tables, in memory or in the file. */
  readonly bytes: () => number;
  /** The file of a database in memory, as of the last commit. */
  readonly image: () => Uint8Array;
  readonly close: () => void;
}

/** Where a database is. The file system and the lock of a file are of the thread that opens it. */
export type DatabasePlace =
  | { readonly in: 'memory'; readonly image?: Uint8Array }
  | { readonly in: 'file'; readonly file: DatabaseFile };

/** Opens databases. All of one engine share its memory. */
export type Engine = (place?: DatabasePlace) => Database;

/** The engine failed inside; the content of its memory is no longer reliable. */
export class BrokenModule extends Error {}

/** An identifier in SQL, with any content. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
