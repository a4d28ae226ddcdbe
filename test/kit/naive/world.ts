import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { Value } from '../../../language/values/type.ts';

/** Everything a query may read, as plain rows. */
export interface World {
  readonly catalog: Catalog;
  /** Rows of `X$Events` in order, by aggregate. */
  readonly events: ReadonlyMap<string, readonly Row[]>;
  /** Rows of session tables and meta relations, by name. */
  readonly tables: ReadonlyMap<string, readonly Row[]>;
  readonly arguments: ReadonlyMap<string, Value>;
  /** µs since 1970. */
  readonly now: bigint;
}

/** Values by lower-cased column name (`data.f` for payload fields). */
export type Row = ReadonlyMap<string, Value>;

/**
 * The input of expressions: the rows in scope by relation id (`null`: NULLs of an outer join), and for an aggregated
 * select the rows of the group.
 */
export interface Scope {
  readonly world: World;
  readonly rows: ReadonlyMap<number, Row | null>;
  readonly commonTables: ReadonlyMap<number, readonly Row[]>;
  readonly group?: readonly Scope[];
  /** Values of window functions for this row, by their node. */
  readonly windows?: ReadonlyMap<object, Value>;
}

export function withRow(scope: Scope, relation: number, row: Row | null): Scope {
  return { ...scope, rows: new Map(scope.rows).set(relation, row) };
}
