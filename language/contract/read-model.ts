import type { SqliteReadModel } from '../sqlite/read-model.ts';
import type { Type } from '../values/type.ts';
import type { StoredShape } from './event.ts';

/** Content of the derived read model of a registry. */
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
    /** Shapes of stored events that read as this one; absent without any. */
    readonly upcasts?: readonly UpcastTable[];
  }[];
}

/** An UPCAST clause as the read model computes it. */
export interface UpcastTable extends StoredShape {
  /**
   * For each field of the event that is stored, in order, the expression of its value over the row `r0`, whose columns `s0`, `s1` … are the
   * fields of the shape and after them the facts of the event in the order of `storedEventFacts`.
   */
  readonly sqlite: readonly string[];
}

/** `meta_<name>` (docs/language.md#meta-relations). Cells in order of the columns. */
export interface MetaTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

/** Where a store keeps its read model (docs/language.md#event-store, `read.engine`). */
export type ReadEngine = 'memory' | 'disk' | 'auto';

export function isReadEngine(value: unknown): value is ReadEngine {
  return value === 'memory' || value === 'disk' || value === 'auto';
}
