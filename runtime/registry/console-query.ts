import {
  bindQuery,
  compileQuery,
  openRegistry,
  parseQuery,
  type Catalog,
  type QueryLimits,
} from '../../compiler/index.ts';
import type { CompiledQuery } from '../contract/query.ts';
import { describe, hasErrors } from './describe-diagnostics.ts';

/** `forbidden`: no single query. `invalid`: any other fault, with line:column. */
export type ConsoleQuery =
  | { readonly outcome: 'compiled'; readonly query: CompiledQuery }
  | { readonly outcome: 'refused'; readonly why: 'forbidden' | 'invalid'; readonly message: string };

/** http-details.md section 7. */
const limits: QueryLimits = {
  depth: 64,
  joins: 16,
  commonTables: 16,
  setOperations: 16,
  listItems: 1000,
  recursive: false,
};
const mostColumns = 100;

/** What a caller's text becomes: one query of our own grammar, bound, and printed by us. */
export function compileConsoleQuery(catalog: Catalog, sql: string, cleared: boolean): ConsoleQuery {
  const parsed = parseQuery({ name: 'sql', text: sql });
  if (parsed.outcome === 'error') return refused('invalid', describe(parsed.diagnostics));
  if (parsed.outcome !== 'query') return refused('forbidden', describe(parsed.diagnostics));
  const bound = bindQuery(openRegistry(catalog), parsed.query, { tables: [], cleared, limits });
  if (bound.value === undefined || hasErrors(bound.diagnostics)) return refused('invalid', describe(bound.diagnostics));
  if (bound.value.columns.length > mostColumns)
    return refused('invalid', `1:1 the query has more than ${mostColumns} columns`);
  return { outcome: 'compiled', query: compileQuery(bound.value, catalog, {}) };
}

function refused(why: 'forbidden' | 'invalid', message: string): ConsoleQuery {
  return { outcome: 'refused', why, message };
}
