import type { Value } from '../values/type.ts';

/** A read of one relation, filtered by values that were decoded by the type of their column. */
export interface Selection {
  /** `Bike$Agg`, `Bike$Events` or a projection, as it is registered. */
  readonly relation: string;
  /**
   * The columns of the answer, in order; they may include hidden ones. Of `$Events` also `data.<field>`, and `data IS NOT NULL`, which says
   * whether there is an object at all.
   */
  readonly columns: readonly string[];
  /** All must hold; never a sensitive column, never NULL. Columns by their registered names. */
  readonly filters: readonly { readonly column: string; readonly value: Value }[];
  /** Only events past this global position. `$Events` alone. */
  readonly after?: bigint;
  /** Only events up to this global position. `$Events` alone. */
  readonly until?: bigint;
  readonly limit?: number;
  readonly offset?: number;
  /** `own`: the projection's ORDER BY, else any order that is the same in each call. */
  readonly order: 'global_position' | 'aggregate_id' | 'own';
}
