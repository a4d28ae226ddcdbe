import type { BoundCommonTable } from '../../../language/catalog/query.ts';
import type { CommonTable, Query } from '../../syntax/ast.ts';
import { checkDuplicates } from '../name/name-rules.ts';
import { bindQuery } from './bind-query.ts';
import type { Binding } from './binding.ts';
import { asRelation, type QueryRelation } from './query-relation.ts';
import { bindRecursive, refersTo } from './recursive-table.ts';
import type { CommonTableScope, Scope } from './scope.ts';

export interface CommonTables {
  readonly tables: readonly BoundCommonTable[];
  /** Innermost first. */
  readonly scopes: readonly CommonTableScope[];
  /** Whether a table of the list reads itself. */
  readonly recursive: boolean;
}

/** WITH: each table sees the earlier ones, and under RECURSIVE itself. */
export function bindCommonTables(node: Query, binding: Binding, scope: Scope): CommonTables {
  checkDuplicates(
    node.with.map((table) => table.name),
    'WITH',
    binding.report,
  );
  const tables: BoundCommonTable[] = [];
  let scopes: readonly CommonTableScope[] = [];
  let recursive = false;
  for (const table of node.with) {
    const inner: Scope = { ...scope, tables: [...scopes, ...scope.tables] };
    const id = binding.nextId();
    const loops = node.recursive && refersTo(table.query, table.name.text);
    recursive ||= loops;
    const bound = loops ? bindRecursive(table, id, binding, inner) : bindTable(table, binding, inner);
    tables.push({ id, name: table.name.text, query: bound.query });
    scopes = [{ id, name: table.name.text, columns: bound.columns, open: bound.open }, ...scopes];
  }
  return { tables, scopes, recursive };
}

function bindTable(table: CommonTable, binding: Binding, scope: Scope): QueryRelation & { readonly open: boolean } {
  const bound = bindQuery(table.query, binding, scope, { ordered: false });
  return { ...asRelation(bound, table.columns, table.name, binding), open: bound.open };
}
