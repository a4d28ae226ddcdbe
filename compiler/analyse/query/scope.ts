import type { Column } from '../../../language/contract/query.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { Site } from './binding.ts';
import type { LiftedAggregates } from './lifted-aggregates.ts';

/** A column as a scope names it; `source` is its name in the relation, where it goes by another there. */
export type ScopeColumn = Column & { readonly source?: string };

/** A relation instance whose columns can be named. */
export interface RelationScope {
  readonly id: number;
  /** Alias, else the relation's own name; derived tables may have none. */
  readonly name: string | undefined;
  /** Payload fields among them, as hidden columns `data.<field>`. */
  readonly columns: readonly ScopeColumn[];
  /** The relation is unknown or faulty: any column of it is, and nothing more is said. */
  readonly open: boolean;
  /** Its rows are events, in order: what LAST and FIRST need. The aggregate, for messages. */
  readonly events?: string;
  /** On the side of an outer join that may be missing. */
  readonly optional: boolean;
}

/** A column that JOIN … USING made one of two. */
export interface MergedColumn {
  readonly kind: 'merged';
  readonly name: string;
  readonly expression: TypedExpression;
}

/** A column of one relation instance in scope. */
export interface OwnColumn {
  readonly kind: 'own';
  readonly name: string;
  readonly relation: number;
  readonly column: ScopeColumn;
}

/** What a bare name can mean, and what a star stands for. */
export type JoinedColumn = MergedColumn | OwnColumn;

/** A WITH table in scope. */
export interface CommonTableScope {
  readonly id: number;
  readonly name: string;
  readonly columns: readonly ScopeColumn[];
  readonly open: boolean;
  /** Told when it is read, for the shape of recursion. */
  readonly read?: () => void;
}

/** What names mean at one level of a query; what is not found here is looked for in `parent`. */
export interface Scope {
  readonly relations: readonly RelationScope[];
  /** The columns of FROM in the order of its star, hidden ones among them: of each join those that USING merged, then left, then right. */
  readonly joined: readonly JoinedColumn[];
  /** Innermost first. */
  readonly tables: readonly CommonTableScope[];
  readonly parent?: Scope;
  /** Where the query stands that has this level for its parent, if it stands in an expression of it. */
  readonly holder?: Site;
  /** Of a SELECT: takes its aggregates that are written in subqueries. */
  readonly lifted?: LiftedAggregates;
  /** Told that the SELECT has an aggregate. */
  readonly aggregated?: () => void;
  /** In guards and assignments: the columns of STATE, which are all there is. */
  readonly state?: { readonly columns: readonly Column[]; readonly open: boolean };
}

export const emptyScope: Scope = { relations: [], joined: [], tables: [] };

/** A level inside `outer`, seeing the same WITH tables. */
export function innerScope(outer: Scope): Scope {
  return { relations: [], joined: [], tables: outer.tables, parent: outer };
}

/** A level that has one relation and nothing around it. */
export function scopeOver(relation: RelationScope): Scope {
  return { ...emptyScope, relations: [relation], joined: ownColumns(relation) };
}

export function ownColumns({ id, columns }: RelationScope): readonly OwnColumn[] {
  return columns.map((column) => ({ kind: 'own', name: column.name, relation: id, column }));
}

export function findColumn<C extends Column>(columns: readonly C[], name: string): C | undefined {
  const lower = name.toLowerCase();
  return columns.find((column) => column.name.toLowerCase() === lower);
}

export function joinedNamed(columns: readonly JoinedColumn[], name: string): readonly JoinedColumn[] {
  const lower = name.toLowerCase();
  return columns.filter((column) => column.name.toLowerCase() === lower);
}
