import type { Expression, OrderItem, WindowDefinition } from './expression.ts';
import type { Name, NodeBase } from './node.ts';

/** `[WITH …] body [ORDER BY …] [LIMIT …] [OFFSET …]`. */
export interface Query extends NodeBase<'Query'> {
  readonly recursive: boolean;
  readonly with: readonly CommonTable[];
  readonly body: QueryBody;
  readonly orderBy: readonly OrderItem[];
  readonly limit?: Expression;
  readonly offset?: Expression;
}

/** A parenthesised query inside a set operation is a `Query` itself. */
export type QueryBody = Select | SetOperation | Values | Query;

export interface CommonTable extends NodeBase<'CommonTable'> {
  readonly name: Name;
  readonly columns?: readonly Name[];
  readonly query: Query;
}
export interface SetOperation extends NodeBase<'SetOperation'> {
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly all: boolean;
  readonly left: QueryBody;
  readonly right: QueryBody;
}
/** `VALUES (…), (…)`. */
export interface Values extends NodeBase<'Values'> {
  readonly rows: readonly ValuesRow[];
}
export interface ValuesRow extends NodeBase<'ValuesRow'> {
  readonly values: readonly Expression[];
}
export interface Select extends NodeBase<'Select'> {
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
  /** Comma-separated relations are read as CROSS JOIN. */
  readonly from?: Relation;
  readonly where?: Expression;
  readonly groupBy: readonly Expression[];
  readonly having?: Expression;
  readonly windows: readonly WindowDefinition[];
}
export type SelectItem = SelectExpression | SelectStar;
export interface SelectExpression extends NodeBase<'SelectExpression'> {
  readonly expression: Expression;
  readonly alias?: Name;
}
/** `*` or `t.*`. */
export interface SelectStar extends NodeBase<'SelectStar'> {
  readonly qualifier?: Name;
}

export type Relation = NamedRelation | DerivedRelation | Join;
/** `Reg."Bike$Events" e`: `schema` is `Reg`, `DeReg` or a store's name; `name.text` still carries `$Agg` or `$Events`. */
export interface NamedRelation extends NodeBase<'NamedRelation'> {
  readonly schema?: Name;
  readonly name: Name;
  readonly alias?: Name;
  readonly columns?: readonly Name[];
}
export interface DerivedRelation extends NodeBase<'DerivedRelation'> {
  /** True if it sees the relations before it in its FROM. */
  readonly lateral?: true;
  readonly query: Query;
  readonly alias?: Name;
  readonly columns?: readonly Name[];
}
export interface Join extends NodeBase<'Join'> {
  readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';
  readonly left: Relation;
  readonly right: Relation;
  readonly on?: Expression;
  readonly using?: readonly Name[];
}
