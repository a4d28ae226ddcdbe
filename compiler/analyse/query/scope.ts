import type { Column } from '../../../language/contract/query.ts';
import type { RelationSource } from '../../../language/catalog/query.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { Site } from './binding.ts';
import type { LiftedAggregates } from './lifted-aggregates.ts';

/** A column as a scope names it; `source` is its name in the relation, if different. */
export type ScopeColumn = Column & { readonly source?: string };

/** A relation instance whose columns can be named. */
export interface RelationScope {
  readonly id: number;
  /** Alias, else the relation's own name; derived tables may have none. */
  readonly name: string | undefined;
  /** Payload fields among them, as hidden columns `data.<field>`. */
  readonly columns: readonly ScopeColumn[];
  /** Set for a named relation. */
  readonly source?: RelationSource;
  /** The relation is unknown or has errors: so is any column of it, without further reports. */
  readonly open: boolean;
  /** Set if its rows are events, in order, as LAST and FIRST need. The aggregate, for messages. */
  readonly events?: string;
  /** On the side of an outer join that may be missing. */
  readonly optional: boolean;
}

/** A column that JOIN … USING merged from two. */
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

/** The meaning of a bare name, and the columns of a star. */
export type JoinedColumn = MergedColumn | OwnColumn;

export interface CommonTableScope {
  readonly id: number;
  readonly name: string;
  readonly columns: readonly ScopeColumn[];
  readonly open: boolean;
  /** Called when the table is read, to check the shape of recursion. */
  readonly read?: () => void;
}

/** The names of one level of a query; names not found here are looked up in `parent`. */
export interface Scope {
  readonly relations: readonly RelationScope[];
  /**
   * The columns of FROM in the order of its star, including hidden ones: for each join first the columns that USING merged, then left, then
   * right.
   */
  readonly joined: readonly JoinedColumn[];
  /** Innermost first. */
  readonly tables: readonly CommonTableScope[];
  readonly parent?: Scope;
  /** The place of the query whose parent is this level, if it is inside an expression. */
  readonly holder?: Site;
  /** Collects the aggregates of a SELECT that are written in its subqueries. */
  readonly lifted?: LiftedAggregates;
  /** Called when the SELECT has an aggregate. */
  readonly aggregated?: () => void;
  /** In guards and assignments: the columns of the decision's STATE, the only names there. */
  readonly state?: StateScope;
  /** In a CHECK and in the body of a function: the only names there. */
  readonly inputs?: InputScope;
}

/** Names that are values given from outside: the fields of a command, or the parameters of a function. */
export interface InputScope {
  readonly kind: 'command' | 'function';
  readonly name: string;
  readonly inputs: readonly InputExpression[];
  /** Not all of them are known. */
  readonly open: boolean;
}
type InputExpression = Extract<TypedExpression, { readonly kind: 'argument' | 'parameter' }>;

interface StateScope {
  readonly kind: 'decision' | 'reaction';
  readonly name: string;
  readonly columns: readonly Column[];
  readonly open: boolean;
}

export const emptyScope: Scope = { relations: [], joined: [], tables: [] };

/** A level inside `outer`, seeing the same WITH tables. */
export function innerScope(outer: Scope): Scope {
  return { relations: [], joined: [], tables: outer.tables, parent: outer };
}

/** A level that has one relation and no outer level. */
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
