import type { Type } from '../values/type.ts';

/**
 * What the derived read model must hold for a registry. Physical names: `e$X` is a table of X's events, `t$X` its tags,
 * `a$X` the view behind X$Agg, `p$P` the view behind projection P, `m$aggregates` the table behind `meta_aggregates`, `q$P` a table of P's rows
 * while a statement reads them, `s$…` a session's table,
 * `f$…` the table of a fold and `v$…` the view by which it is read.
 */
export interface ReadModelDefinition {
  readonly aggregates: readonly AggregateTable[];
  /** In an order in which each may name only those before it. */
  readonly views: readonly ViewDefinition[];
  /** Views that many places name, in an order in which each reads only those before it. */
  readonly shared?: readonly SharedView[];
  /** What may be kept up to date event by event, in place of views that scan. */
  readonly folds?: readonly FoldTable[];
  readonly meta: readonly MetaTable[];
}

/**
 * Columns of `e$X`: global_position INTEGER PRIMARY KEY, event_id, stream_id, seq, event_type, occurred_at, event_version,
 * command_id, correlation_id, causation_id, tags (JSON array text), then `d$<field>` for each payload column.
 */
export interface AggregateTable {
  readonly aggregate: string;
  readonly payload: readonly { readonly name: string; readonly type: Type }[];
  readonly events: readonly {
    readonly name: string;
    readonly fields: readonly {
      readonly name: string;
      readonly type: Type;
      readonly volatile: boolean;
      readonly tag: boolean;
    }[];
  }[];
}
export interface ViewDefinition {
  readonly name: string;
  /** The SELECT behind the view; printed by the compiler. */
  readonly sql: string;
}
/**
 * A view whose rows are computed once for a statement, into a table that is empty before and after. What reads the view through others names
 * the table: SQLite writes a view out in each place that names it.
 */
export interface SharedView {
  readonly view: string;
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
}
/**
 * A fold (architecture, "Folds") as a table: one row a key, kept up to date by merging in each event's own row, in the order of events.
 * While a store keeps it, `reading` stands in for the view of that name among `views`, which gives the same rows from the events; a
 * store that keeps none, or cannot keep this one (an event's row cannot be computed), uses that view.
 */
export interface FoldTable {
  readonly view: string;
  readonly table: string;
  readonly aggregate: string;
  /** Of a STRICT table without rowid; those with `as` are computed by SQLite and never written. */
  readonly columns: readonly {
    readonly name: string;
    readonly type: 'INTEGER' | 'REAL' | 'TEXT' | 'ANY';
    readonly as?: string;
  }[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Columns of one more index, where the key is not looked up as it is kept. */
  readonly lookup?: readonly string[];
  /** SQL of one event's row, by the columns that are written, over a row `r0` of `e$<aggregate>`. */
  readonly row: readonly string[];
  /** Which events count. */
  readonly where?: string;
  /** Assignments that merge an event's row `excluded` into its key's. */
  readonly merge: readonly string[];
  /** SQL of the row that is there before any event, where the fold has one row in all. */
  readonly empty?: readonly string[];
  readonly reading: string;
}
/** `meta_<name>` (language.md section 10). Cells in order of the columns. */
export interface MetaTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

/** SQLite's names for the number of a row, which a column would hide. */
const rowNumbers: readonly string[] = ['rowid', '_rowid_', 'oid'];

/** The column of a session's table that holds the values of a column of that name. */
export function tableColumnName(name: string): string {
  return rowNumbers.includes(name.toLowerCase()) ? `${name}:2` : name;
}
