import type { Column } from '../../../language/contract/query.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { CreateTable, Query } from '../../syntax/ast.ts';
import { bindQuery } from '../query/bind-query.ts';
import { checkDistinctNames, checkStorable, namesAll, renamed } from '../query/column-list.ts';
import { emptyScope } from '../query/scope.ts';
import type { BindScope, Bound, Registry } from '../environment/registry.ts';
import { boundWith } from './bound.ts';
import { callerBinding, withinLimits } from './bind-query.ts';

/** `CREATE TABLE t [(a, b)] AS VALUES … | SELECT …` (docs/language.md#session-tables): the query that fills the table, under its column names. */
export function bindTable(registry: Registry, statement: CreateTable, scope: BindScope): Bound<BoundQuery> {
  return boundWith((report) => {
    const source = asQuery(statement);
    if (!withinLimits(source, scope, report)) return undefined;
    const binding = callerBinding(registry, scope, report);
    const { query, open } = bindQuery(source, binding, emptyScope, { ordered: true });
    if (open) return undefined;
    const columns = renamed(query.columns.map(numbered), statement.columns, statement.name, binding);
    if (!namesAll(statement.columns, columns)) checkDistinctNames(columns, statement.name, binding, source);
    checkStorable(columns, statement.name, binding);
    return { ...query, columns };
  });
}

/** Unnamed columns are column1, column2, …. */
function numbered(column: Column, index: number): Column {
  return column.name === '?column?' ? { ...column, name: `column${index + 1}` } : column;
}

function asQuery({ source }: CreateTable): Query {
  if (source.kind === 'Query') return source;
  return { kind: 'Query', span: source.span, recursive: false, with: [], body: source, orderBy: [] };
}
