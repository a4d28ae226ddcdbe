/** The limits of a query that comes as text (docs/http.md#limits); `WITH RECURSIVE` is always off. */
export interface QueryLimits {
  /** Compiling a text and running it share this time. */
  readonly consoleMilliseconds: number;
  readonly consoleRows: number;
  /** Memory of SQLite for a query in addition to the tables: its temporary tables and its values. */
  readonly consoleMemoryBytes: number;
  readonly consoleColumns: number;
  /** Queries that run at once. */
  readonly consoleQueries: number;
  /** Queries that may wait for those. */
  readonly consoleWaiting: number;
  readonly queryDepth: number;
  readonly queryJoins: number;
  readonly queryCommonTables: number;
  readonly querySetOperations: number;
  readonly queryListItems: number;
}

/** The limits without configuration. */
export const defaultQueryLimits: QueryLimits = {
  consoleMilliseconds: 1_000,
  consoleRows: 10_000,
  consoleMemoryBytes: 256 * 1024 * 1024,
  consoleColumns: 100,
  consoleQueries: 2,
  consoleWaiting: 8,
  queryDepth: 64,
  queryJoins: 16,
  queryCommonTables: 16,
  querySetOperations: 16,
  queryListItems: 1_000,
};
