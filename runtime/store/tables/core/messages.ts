/** Requests to the read model and its replies, in this thread or in a worker. */
import type { UnreadableEvent } from '../../unreadable-text.ts';
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { FailureCode } from '../../../../language/failure/catalogue.ts';
import type { Value } from '../../../../language/values/type.ts';
import type { EventKind } from '../../entry.ts';
import type { QueryLimits, Row } from '../../query.ts';
import type { TableColumn } from '../../side/inspection-tables.ts';
import type { FailedAt } from '../../query-failure.ts';
import type { RunnableQuery } from './query-runner.ts';
import type { SchemaLogEntry } from '../../turns/ledger.ts';

/** Handled in the order in which they are sent. A request with an `id` is answered by one `done` or `failed`. */
export type Request =
  /** Durable lines, in order, without gaps, with line ends between them: one text crosses threads faster than many. */
  | { readonly do: 'apply'; readonly text: string }
  /** Lines that follow the applied ones and are not durable yet; seen by queries until rolled back or confirmed. */
  | { readonly do: 'apply-ahead'; readonly lines: readonly string[] }
  | { readonly do: 'forget' }
  /** All entries applied ahead are durable now. */
  | { readonly do: 'confirm' }
  | {
      readonly do: 'query';
      readonly id: number;
      readonly query: RunnableQuery;
      /**
       * `rows` are sent in replies of their own, except for the last ones, which are the result with the bytes of all
       * (`LastRows`); `columns` in a `ColumnBatch` that is the result.
       */
      readonly form: 'rows' | 'columns';
      readonly parameters: readonly Value[];
      readonly limits: QueryLimits;
      readonly instant: bigint;
      /** Seed of the random draws. */
      readonly seed?: string;
      /** The hash of the definition in force: a reader of the file looks whether it still is. */
      readonly definition?: string;
      /** Set for a quick query: the number of quick queries that had been slow when it was sent. It is given back if there are more now. */
      readonly slow?: number;
    }
  /**
   * Answers with the aggregates whose events must be sent again with `refill`, before `swap`. The tables that the
   * views in `rebuild` read are built again, even if they are unchanged.
   */
  | {
      readonly do: 'prepare';
      readonly id: number;
      readonly definition: ReadModelDefinition;
      readonly rebuild?: readonly string[];
    }
  | { readonly do: 'refill'; readonly id: number; readonly lines: readonly string[] }
  /**
   * Does one slice of the work before `swap`: first tables, then folds. The result is a `FoldProgress`, or undefined
   * when no slice is left.
   */
  | { readonly do: 'fold'; readonly id: number }
  /**
   * Puts the built tables in place; the result is `overtaken`, without any change, when events came that its plan would
   * lose.
   */
  | {
      readonly do: 'swap';
      readonly id: number;
      /** The time limit; past it, it fails with R0504 and changes nothing. */
      readonly milliseconds?: number;
    }
  | ({ readonly do: 'table' } & TableRequest)
  /** Creates a table from the rows of a query. */
  | {
      readonly do: 'keep-query';
      readonly id: number;
      readonly table: string;
      readonly query: RunnableQuery & { readonly columns: readonly Pick<TableColumn, 'name' | 'type'>[] };
      readonly parameters: readonly Value[];
      readonly instant: bigint;
    }
  /** More rows for a table. */
  | ({ readonly do: 'rows' } & TableRequest)
  | { readonly do: 'drop'; readonly id: number; readonly table: string }
  | { readonly do: 'load'; readonly id: number; readonly image: Uint8Array; readonly checksum: number }
  /** Answers with the state of the file that was opened. */
  | { readonly do: 'resume'; readonly id: number }
  /** Makes the tables of a file durable, and visible to its readers; the result is false when it must be asked again. */
  | { readonly do: 'settle'; readonly id: number }
  /** A page of the file was found damaged: nothing more is answered, and the file is removed. */
  | { readonly do: 'damaged'; readonly id: number; readonly problem: string }
  /** Replaces the model by an empty one: the image or the file belonged to another log. */
  | { readonly do: 'unload'; readonly id: number }
  | { readonly do: 'ledger'; readonly id: number }
  | { readonly do: 'snapshot'; readonly id: number };

interface TableRequest {
  readonly id: number;
  readonly table: string;
  readonly columns: readonly Pick<TableColumn, 'name' | 'type' | 'derived'>[];
  /** Cells of the kept columns. */
  readonly rows: readonly Row[];
}

export type Reply =
  | { readonly reply: 'rows'; readonly id: number; readonly rows: readonly Row[] }
  | { readonly reply: 'done'; readonly id: number; readonly result?: unknown }
  | {
      readonly reply: 'failed';
      readonly id: number;
      readonly code?: FailureCode;
      readonly message: string;
      readonly at?: FailedAt;
    }
  /** A quick query that came behind a slow one and was not run, or one that was not patient: whatever waits behind it would wait for a slow one. */
  | { readonly reply: 'given back'; readonly id: number }
  /** Another definition than that of the query is in force. */
  | { readonly reply: 'overtaken'; readonly id: number }
  /** Everything up to this entry is in the tables, which take that many bytes. */
  | ({ readonly reply: 'applied' } & TablesState)
  /** All that was applied is durable in the file. */
  | { readonly reply: 'settled' }
  /** A line could not be applied: nothing after it is reliable. `unwritable`: the disk is full or fails. `damaged`: a page of the file is. */
  | { readonly reply: 'broken'; readonly message: string; readonly unwritable?: boolean; readonly damaged?: boolean };

/**
 * Result of `fold`: the sums of the positions up to which events are in the new folds, and of those that they have to
 * reach.
 */
export interface FoldProgress {
  readonly done: number;
  readonly total: number;
}

/** Result of `load` and `resume`. */
export interface Loaded {
  /** The reason why an earlier file was removed. */
  readonly dropped?: string;
  readonly entry: number;
  /** Checksum of the line of that entry. */
  readonly checksum: number;
  /** Bytes of the tables. */
  readonly bytes: number;
  readonly unreadable: readonly UnreadableEvent[];
  readonly hasDefinition: boolean;
  /** The process that wrote the file last did not close it. */
  readonly unclean?: boolean;
}

/** Known content of the tables. */
export interface TablesState {
  /** The last entry. */
  readonly entry: number;
  readonly bytes: number;
  readonly unreadable: readonly UnreadableEvent[];
}

/** Result of `ledger`: the ledger at the reached entry. */
export interface StoredLedger {
  readonly entry: number;
  readonly event: number;
  readonly at: string;
  /** False: the tables do not show all streams, so the log must be read instead. */
  readonly complete: boolean;
  readonly heads: readonly (readonly [streamType: string, streams: readonly string[], seqs: readonly number[]])[];
  readonly hashes: Float64Array;
  readonly entries: Float64Array;
  readonly kinds: readonly EventKind[];
  readonly schema: readonly SchemaLogEntry[];
}

/** Result of `snapshot`. */
export interface SnapshotImage {
  readonly entry: number;
  readonly image: Uint8Array;
  /** CRC-32 of the image. */
  readonly checksum: number;
  readonly definition: ReadModelDefinition | undefined;
}
