import type { BoundQuery } from '../../../language/catalog/query.ts';
import { distinctNames } from '../../../language/catalog/distinct-names.ts';
import type { Name } from '../../syntax/ast.ts';
import type { Binding, QueryOutcome } from './binding.ts';
import { renamed } from './column-list.ts';
import type { ScopeColumn } from './scope.ts';
import { withLeaves } from './struct-leaves.ts';

/** A query used as a relation: a derived table or a WITH table. */
export interface QueryRelation {
  /** Each of its columns has a unique name, by which outer queries refer to it. */
  readonly query: BoundQuery;
  /** Its columns as named by the user, several perhaps alike. */
  readonly columns: readonly ScopeColumn[];
}

export function asRelation(
  { query, open }: QueryOutcome<BoundQuery>,
  names: readonly Name[] | undefined,
  owner: Name | undefined,
  binding: Binding,
): QueryRelation {
  if (open) return { query, columns: query.columns };
  return apart({ ...query, columns: renamed(query.columns, names, owner, binding) });
}

/** The query under its columns' unique names, and their written names. */
export function apart(query: BoundQuery): QueryRelation {
  const called = query.columns.map((column) => column.name);
  const own = distinctNames(called);
  const columns = query.columns.map((column, index) => ({ ...column, name: own[index] ?? column.name }));
  const { query: whole, leaves } = withLeaves({ ...query, columns });
  return {
    query: whole,
    columns: [
      ...columns.map((column, index) => calledAs(called[index] ?? column.name, column)),
      ...leaves.map(({ of, field, column }) => calledAs(`${called[of] ?? ''}.${field}`, column)),
    ],
  };
}

function calledAs(name: string, column: ScopeColumn): ScopeColumn {
  return column.name === name ? column : { ...column, name, source: column.name };
}
