/**
 * The query binder (docs/language.md#queries). Takes a query's tree and its scope; gives it resolved and typed, with all names, stars,
 * positions and implicit casts explicit, so that later phases decide nothing.
 */
import type { BoundBody, BoundCommonTable, BoundQuery } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { CommonTable, Query } from '../../syntax/ast.ts';
import { bindBody } from './bind-body.ts';
import type { Binding, QueryOutcome } from './binding.ts';
import { bounds, checkBounds } from './check-bounds.ts';
import { keptOrder } from './kept-order.ts';
import { bindLimit } from './limit.ts';
import { bindOutputOrder } from './order-by.ts';
import { type CommonTableScope, emptyScope, type Scope } from './scope.ts';
import { checkDuplicates } from '../name/name-rules.ts';
import { asRelation, type QueryRelation } from './query-relation.ts';
import { bindRecursive, refersTo } from './recursive-table.ts';
import { sourceOfMark } from '../sensitive/source-of-mark.ts';

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

interface CommonTables {
  readonly tables: readonly BoundCommonTable[];
  /** Innermost first. */
  readonly scopes: readonly CommonTableScope[];
  /** Whether a table of the list reads itself. */
  readonly recursive: boolean;
}

/** WITH: each table sees the earlier ones, and under RECURSIVE itself. */
function bindCommonTables(node: Query, binding: Binding, scope: Scope): CommonTables {
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

/**
 * The reason why an output column of a query is sensitive: the first column it is taken from, by its name there. A set operation's own
 * column names come from its first side and may be harmless.
 */
function sensitiveColumn(body: BoundBody, index: number): string | undefined {
  // Sets are chained by the thousand, so they are not walked by recursion.
  const pending: BoundBody[] = [body];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'set') pending.push(next.right, next.left);
    else if (next.kind === 'query') pending.push(next.query.body);
    else if (next.kind === 'select') {
      const item = next.items[index];
      if (item?.sensitive === true) return sourceOfMark(item);
    }
  }
  return undefined;
}
