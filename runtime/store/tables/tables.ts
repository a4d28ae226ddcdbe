/** The tables of the read model, as the users of a store see them: everything that is derived from the log and answers queries. */
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { Value } from '../../../language/values/type.ts';
import type { LogWork } from '../opening.ts';
import type { ColumnQuery, Query, QueryOptions } from '../query.ts';
import type { TableColumn, TableRows } from '../side/inspection-tables.ts';
import type { TablesState } from './core/messages.ts';

export interface Tables {
  readonly in: 'memory' | 'disk';
  /** The last entry that the tables are known to contain, and their bytes. */
  readonly state: () => TablesState;
  /** Changes the read model to this registry. Running queries finish on the old one. */
  readonly adopt: (definition: ReadModelDefinition) => Promise<void>;
  /**
   * Does the long part of `adopt`: builds new tables aside, in slices, while everything continues. The returned
   * function does the rest, in a moment, whatever was appended or adopted in between.
   */
  readonly prepare: (definition: ReadModelDefinition, limits?: AdoptionLimits) => Promise<() => Promise<void>>;
  /** Runs a query on the durable state; sees everything acknowledged before the call. */
  readonly query: Query;
  /**
   * Runs a query and gives its rows by column, as bytes: at most `options.rows` rows (more is an R0301), of columns of plain types (no
   * LIST, no STRUCT).
   */
  readonly columns: ColumnQuery;
  /** Creates or replaces a table that is not derived from log entries (session tables; see `s$` names). */
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
  /** The reason why reads wait or fail, with tables in a file: it is being built, or the disk is full. */
  readonly trouble: () => string | undefined;
  /** Progress of tables in a file that are being built from the log; undefined at all other times. */
  readonly building: () => LogWork | undefined;
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
