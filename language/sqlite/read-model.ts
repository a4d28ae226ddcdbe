import type { Type } from '../values/type.ts';

/**
 * The views and folds that a read model over SQLite keeps in addition to its tables of events. Physical names: `e$X` is a table of X's
 * events, `t$X` its tags, `a$X` the view behind X$Agg, `p$P` the view behind projection P, `m$aggregates` the table behind
 * `meta_aggregates`, `q$P` a table of P's rows while a statement reads them, `s$…` a session's table, `f$X_by_k_…` the table of folds over
 * X's events by the column `k`, and `v$X_by_k_…` the view that reads one of them. Each view and fold begins with a comment that says what
 * it answers.
 *
 * Columns of `e$X`: global_position INTEGER PRIMARY KEY, event_id, stream_id, seq, event_type, occurred_at, event_version, command_id,
 * correlation_id, causation_id, tags (JSON array text), stored_type (NULL where it is event_type), then `d$<field>` for each payload
 * column.
 */
export interface SqliteReadModel {
  /** Ordered so that each names only views before it. */
  readonly views: readonly ViewDefinition[];
  /** Views that are named in many places, ordered so that each reads only views before it. */
  readonly shared?: readonly SharedView[];
  /** Views that can be kept up to date event by event instead of scanning. */
  readonly folds?: readonly FoldTable[];
}

export interface ViewDefinition {
  readonly name: string;
  /** The SELECT behind the view; printed by the compiler. */
  readonly sql: string;
  /** Views of this list that it names itself. */
  readonly reads?: readonly string[];
}

/**
 * A view whose rows are computed once per statement, into a table that is empty before and after. Other views that read it name the table,
 * because SQLite expands a view in each place that names it.
 */
export interface SharedView {
  readonly view: string;
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
}

/**
 * Folds (docs/architecture.md#the-pipeline) over the same events and with the same key as a table: one row per key, kept up to date by merging
 * in each event's own row, in the order of events. While a store maintains the table, `readings` replace the views of their names among `views`,
 * which compute the same rows from the events. A store that maintains no folds, or not these (an event's row cannot be computed), uses those
 * views.
 */
export interface FoldTable {
  readonly table: string;
  /** A view for each of the folds. */
  readonly readings: readonly ViewDefinition[];
  /** A comment, with its line end, that says what it answers and what its columns hold. */
  readonly about: string;
  readonly aggregate: string;
  /** Columns of a STRICT table without rowid; SQLite computes those with `as`, which are never written. */
  readonly columns: readonly {
    readonly name: string;
    readonly type: 'INTEGER' | 'REAL' | 'TEXT' | 'ANY';
    readonly as?: string;
  }[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Columns of one more index, where the fold is not looked up by its primary key. */
  readonly lookup?: readonly string[];
  /** Columns with an index each, by which rows of callers are found; absent without any. A change of them keeps the rows. */
  readonly indexes?: readonly string[];
  /** SQL of one event's row, for the written columns, over a row `r0` of `e$<aggregate>`. */
  readonly row: readonly string[];
  /** The condition on an event to take part. */
  readonly where?: string;
  /** Assignments that merge an event's row `excluded` into the row of its key. */
  readonly merge: readonly string[];
  /** SQL of the row that exists before any event, if the fold has exactly one row. */
  readonly empty?: readonly string[];
}

/** SQLite's names for the row number, which a column would hide. */
const rowNumbers: readonly string[] = ['rowid', '_rowid_', 'oid'];

/** The column of a session's table that holds the values of a column of that name. */
export function tableColumnName(name: string): string {
  return rowNumbers.includes(name.toLowerCase()) ? `${name}:2` : name;
}
