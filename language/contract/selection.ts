import type { Value } from '../values/type.ts';

/** A read of one relation, filtered by values that were decoded by the type of their column. */
export interface Selection {
  /** `Bike$Agg`, `Bike$Events` or a projection, as it is registered. */
  readonly relation: string;
  /**
   * The columns of the answer, in order; they may include hidden ones. For `$Events` also `data.<field>`, and `data IS NOT NULL`, which
   * says whether there is an object at all. `count`: one row with the number of rows, whatever the order and the page.
   */
  readonly columns: readonly string[] | 'count';
  /** All must hold; never on a sensitive column. */
  readonly filters: readonly Filter[];
  /** Only events past this global position. `$Events` alone. */
  readonly after?: bigint;
  /** Only events up to this global position. `$Events` alone. */
  readonly until?: bigint;
  readonly limit?: number;
  readonly offset?: number;
  /**
   * The first key decides, and rows that are equal in all keys are in the relation's own order: events by `global_position`, states by `aggregate_id`,
   * a projection by its ORDER BY, else any order that is the same in each call.
   */
  readonly order: readonly SortBy[];
}

/** A condition on a column, by its registered name, with SQL's meaning: where the column is NULL, only `is_null` can hold. */
export type Filter = { readonly column: string } & (
  | { readonly test: Comparison; readonly value: Value }
  | { readonly test: 'in'; readonly values: readonly Value[] }
  | { readonly test: 'is_null'; readonly holds: boolean }
  /** The column is a list of texts that has this one. */
  | { readonly test: 'has'; readonly value: string }
);

/** Functions of the language with a column and a value; the pattern of `like` has a backslash as its escape character. */
export type Comparison = 'equal' | 'not_equal' | 'less' | 'less_equal' | 'greater' | 'greater_equal' | 'like';

export interface SortBy {
  readonly column: string;
  readonly direction: 'ASC' | 'DESC';
  readonly nulls: 'FIRST' | 'LAST';
}
