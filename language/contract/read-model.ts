import type { SqliteReadModel } from '../sqlite/read-model.ts';
import type { Type } from '../values/type.ts';

/** What the derived read model must hold for a registry. */
export interface ReadModelDefinition {
  readonly aggregates: readonly AggregateTable[];
  readonly meta: readonly MetaTable[];
  /** States, projections and folds, as SQLite keeps them. Only a store over SQLite looks inside. */
  readonly sqlite: SqliteReadModel;
}

/** The events of an aggregate, and the payload that they have together. */
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

/** `meta_<name>` (docs/language.md#meta-relations). Cells in order of the columns. */
export interface MetaTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}
