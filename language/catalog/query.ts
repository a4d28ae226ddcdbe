import type { Column } from '../contract/query.ts';
import type { TypedExpression } from './expression.ts';

/** A resolved, typed query: the input of every printer and of the planner. Plain data. */
export interface BoundQuery {
  readonly columns: readonly Column[];
  readonly recursive: boolean;
  readonly with: readonly BoundCommonTable[];
  readonly body: BoundBody;
  /** Over a set operation only `output` keys; over a select either. */
  readonly orderBy: readonly SortKey[];
  readonly limit?: TypedExpression;
  readonly offset?: TypedExpression;
}

export type BoundBody =
  | BoundSelect
  | BoundSetOperation
  | BoundValues
  | { readonly kind: 'query'; readonly query: BoundQuery };

export interface BoundCommonTable {
  /** Unique in the whole query; relations of kind `common` refer to it. */
  readonly id: number;
  readonly name: string;
  readonly query: BoundQuery;
}
/** Both sides have the same number of columns, already cast to common types. */
export interface BoundSetOperation {
  readonly kind: 'set';
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly all: boolean;
  readonly left: BoundBody;
  readonly right: BoundBody;
}
export interface BoundValues {
  readonly kind: 'values';
  readonly rows: readonly (readonly TypedExpression[])[];
}
export interface BoundSelect {
  readonly kind: 'select';
  readonly distinct: boolean;
  /** An expression for each output column, in order, named as the query's columns are. */
  readonly items: readonly TypedExpression[];
  readonly from?: BoundRelation;
  readonly where?: TypedExpression;
  readonly groupBy: readonly TypedExpression[];
  /** True when there is a GROUP BY, a HAVING or any aggregate: one row per group (one row in total without GROUP BY). */
  readonly aggregated: boolean;
  readonly having?: TypedExpression;
}
export type SortKey = {
  readonly direction: 'ASC' | 'DESC';
  readonly nulls: 'FIRST' | 'LAST';
} & (
  | { readonly by: 'output'; readonly index: number }
  | { readonly by: 'expression'; readonly expression: TypedExpression }
);

export type BoundRelation = BoundNamedRelation | BoundDerived | BoundJoin;

/** The source of a named relation: the registry, the query or the session. */
export type RelationSource =
  | { readonly kind: 'events'; readonly aggregate: string }
  | { readonly kind: 'state'; readonly aggregate: string }
  | { readonly kind: 'projection'; readonly projection: string }
  | { readonly kind: 'meta'; readonly relation: string }
  /** A session's table: a column is its own name; of a STRUCT column `data`, `data.<field>` is a field of its JSON. */
  | { readonly kind: 'session'; readonly table: string }
  | { readonly kind: 'common'; readonly table: number; readonly name: string };

export interface BoundNamedRelation {
  readonly kind: 'relation';
  readonly id: number;
  readonly source: RelationSource;
  /** A named event store instead of the registry itself (docs/language.md#inspections, interactive tool only). */
  readonly store?: string;
  /** A condition over this instance, of the rows that it has for the caller; all if absent. It cannot fail. */
  readonly visible?: TypedExpression;
}
export interface BoundDerived {
  readonly kind: 'derived';
  readonly id: number;
  readonly query: BoundQuery;
  /** True if it reads columns of relations before it in the same FROM. */
  readonly lateral?: true;
}
/** USING and NATURAL are already expanded into `on`. */
export interface BoundJoin {
  readonly kind: 'join';
  readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';
  readonly left: BoundRelation;
  readonly right: BoundRelation;
  readonly on?: TypedExpression;
}
