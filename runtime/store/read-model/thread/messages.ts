/** What goes over to the read model and what comes back, whether it lives in this thread or in a worker of its own. */
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { FailureCode } from '../../../../language/failure/catalogue.ts';
import type { Value } from '../../../../language/values/type.ts';
import type { EventKind, QueryLimits, Row, TableColumn } from '../../store.ts';
import type { RunnableQuery } from '../core/query-runner.ts';
import type { SchemaLogEntry } from '../../turns/ledger.ts';

/** Handled in the order in which they are posted. Those with an `id` are answered by one `done` or `failed`. */
export type Request =
  /** Durable lines, in order, without gaps, each ended by a line end but the last: one text crosses threads faster than many. */
  | { readonly do: 'apply'; readonly text: string }
  /** Lines that follow the applied ones and are not durable yet; seen by queries until forgotten or confirmed. */
  | { readonly do: 'apply-ahead'; readonly lines: readonly string[] }
  | { readonly do: 'forget' }
  /** All speculative entries are durable now. */
  | { readonly do: 'confirm' }
  | {
      readonly do: 'query';
      readonly id: number;
      readonly query: RunnableQuery;
      /** `rows` come in replies of their own, with their bytes as the result; `columns` as a `ColumnBatch` that is the result. */
      readonly form: 'rows' | 'columns';
      readonly parameters: readonly Value[];
      readonly limits: QueryLimits;
      readonly instant: bigint;
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
  /** Does one slice of the work before `swap`: first tables, then folds. Answers with a `FoldProgress`, or with nothing when no slice is left. */
  | { readonly do: 'fold'; readonly id: number }
  /** Puts what was built in place; answers `overtaken` where events came that its plan would lose, and then changes nothing. */
  | {
      readonly do: 'swap';
      readonly id: number;
      /** What it may take; past it, it fails with R0504 and changes nothing. */
      readonly milliseconds?: number;
    }
  | ({ readonly do: 'table' } & TableRequest)
  /** Makes a table of the rows that a query has. */
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
  /** Back to an empty one: the image was another log's. */
  | { readonly do: 'unload'; readonly id: number }
  | { readonly do: 'ledger'; readonly id: number }
  | { readonly do: 'snapshot'; readonly id: number };

interface TableRequest {
  readonly id: number;
  readonly table: string;
  readonly columns: readonly Pick<TableColumn, 'name' | 'type' | 'derived'>[];
  /** Cells of the columns that are kept. */
  readonly rows: readonly Row[];
}

export type Reply =
  /** The query has begun: its time runs from here. */
  | { readonly reply: 'started'; readonly id: number }
  | { readonly reply: 'rows'; readonly id: number; readonly rows: readonly Row[] }
  | { readonly reply: 'done'; readonly id: number; readonly result?: unknown }
  | { readonly reply: 'failed'; readonly id: number; readonly code?: FailureCode; readonly message: string }
  /** Everything up to this entry is in the tables, which take that many bytes. */
  | { readonly reply: 'applied'; readonly entry: number; readonly bytes: number }
  /** A line could not be applied: nothing that follows can be trusted. */
  | { readonly reply: 'broken'; readonly message: string };

/** Result of `fold`: positions up to which events are in the new folds, and to which they have to be, summed. */
export interface FoldProgress {
  readonly done: number;
  readonly total: number;
}

/** Result of `load`. */
export interface Loaded {
  readonly entry: number;
  /** Of the line of that entry. */
  readonly checksum: number;
  readonly hasDefinition: boolean;
}

/** Result of `ledger`: what the ledger was at the entry reached. */
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
