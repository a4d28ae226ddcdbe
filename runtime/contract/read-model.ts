import type { Type } from '../values/type.ts';

/**
 * What the derived read model must hold for a registry. Physical names: `e$X` is a table of X's events, `t$X` its tags,
 * `a$X` the view behind X$Agg, `p$P` the view behind projection P, `m$aggregates` the table behind `meta_aggregates`, `s$…` a session's table.
 */
export interface ReadModelDefinition {
  readonly aggregates: readonly AggregateTable[];
  /** In an order in which each may name only those before it. */
  readonly views: readonly ViewDefinition[];
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
/** `meta_<name>` (language.md section 10). Cells in order of the columns. */
export interface MetaTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}
