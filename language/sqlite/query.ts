/** A query as SQLite runs it: printed by `compiler/emit/sqlite`, read by stores over SQLite. Nothing else looks inside. */
export interface SqliteQuery {
  /** All text in it is ours; values come in as the parameters `?1`, `?2`, …. */
  readonly sql: string;
  /** Views whose rows are copied into their tables before it runs, in this order (`SharedView`). */
  readonly shared?: readonly string[];
}
