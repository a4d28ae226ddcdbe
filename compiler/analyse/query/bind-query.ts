/**
 * The query binder (docs/language.md#queries). Takes a query's tree and its scope; gives it resolved and typed, with all names, stars,
 * positions and implicit casts explicit, so that later phases decide nothing.
 */
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Query } from '../../syntax/ast.ts';
import { sensitiveColumn } from '../sensitive/sensitive-column.ts';
import { bindBody } from './bind-body.ts';
import type { Binding, QueryOutcome } from './binding.ts';
import { bounds, checkBounds } from './check-bounds.ts';
import { bindCommonTables } from './common-table.ts';
import { keptOrder } from './kept-order.ts';
import { bindLimit } from './limit.ts';
import { bindOutputOrder } from './order-by.ts';
import { emptyScope, type Scope } from './scope.ts';

/** Facts about the statement that contains a query. */
export interface QueryUse {
  /** The order of its rows matters: a whole query, or one with LIMIT. */
  readonly ordered: boolean;
}

export function bindQuery(node: Query, binding: Binding, scope: Scope, use: QueryUse): QueryOutcome<BoundQuery> {
  if (scope === emptyScope) checkBounds(node, binding.report);
  const tables = bindCommonTables(node, binding, scope);
  const inner: Scope = { ...scope, tables: [...tables.scopes, ...scope.tables] };
  const bound = bindBody(node.body, binding, inner, node.orderBy);
  const ownOrder =
    bound.orderBy ??
    bindOutputOrder(node.orderBy, bound.columns, bound.open, binding, node.body.kind === 'SetOperation');
  const limit = bindLimit(node.limit, 'LIMIT', binding, inner);
  const offset = bindLimit(node.offset, 'OFFSET', binding, inner);
  const tooWide = !bound.open && bound.columns.length > bounds.columns;
  if (tooWide) binding.report(diagnose('E0622', node.body.span, { what: 'columns', limit: bounds.columns }));
  const showsOrder = use.ordered || node.limit !== undefined || node.offset !== undefined;
  const orderBy = ownOrder.length === 0 && showsOrder ? keptOrder(bound.body, binding.environment) : ownOrder;
  if (binding.sensitivity === 'masks') refuseSensitiveSet(node, bound, binding);
  return {
    query: {
      columns: bound.columns,
      recursive: node.recursive && tables.recursive,
      with: tables.tables,
      body: bound.body,
      orderBy,
      ...(limit === undefined ? {} : { limit }),
      ...(offset === undefined ? {} : { offset }),
    },
    open: bound.open || tooWide,
  };
}

/** A set operation keeps or drops rows by the values it compares, which would reveal them (docs/language.md#sensitive-values). */
function refuseSensitiveSet(node: Query, bound: Pick<BoundQuery, 'columns' | 'body'>, binding: Binding): void {
  if (node.body.kind !== 'SetOperation') return;
  const index = bound.columns.findIndex((candidate) => candidate.sensitive);
  const named = bound.columns[index];
  if (named === undefined) return;
  const column = sensitiveColumn(bound.body, index) ?? named.name;
  binding.report(diagnose('E0702', node.body.span, { column, where: node.body.operator }));
}
