import {
  bindQuery,
  compileQuery,
  openRegistry,
  parseQuery,
  type Catalog,
  type QueryLimits,
} from '../../compiler/index.ts';
import type { CompiledQuery } from '../contract/query.ts';
import type { ConsoleLimits } from './console-limits.ts';
import { describe, hasErrors } from './describe-diagnostics.ts';

/** `forbidden`: no single query. `invalid`: any other fault, with line:column. */
export type ConsoleQuery =
  | { readonly outcome: 'compiled'; readonly query: CompiledQuery }
  | { readonly outcome: 'refused'; readonly why: 'forbidden' | 'invalid'; readonly message: string };

/** What a caller's text becomes: one query of our own grammar, bound, and printed by us. */
export function compileConsoleQuery(
  catalog: Catalog,
  sql: string,
  cleared: boolean,
  given: ConsoleLimits,
): ConsoleQuery {
  const parsed = parseQuery({ name: 'sql', text: sql });
  if (parsed.outcome === 'error') return refused('invalid', describe(parsed.diagnostics));
  if (parsed.outcome !== 'query') return refused('forbidden', describe(parsed.diagnostics));
  const bound = bindQuery(openRegistry(catalog), parsed.query, { tables: [], cleared, limits: shapeLimits(given) });
  if (bound.value === undefined || hasErrors(bound.diagnostics)) return refused('invalid', describe(bound.diagnostics));
  if (bound.value.columns.length > given.consoleColumns)
    return refused('invalid', `1:1 the query has more than ${given.consoleColumns} columns`);
  return { outcome: 'compiled', query: compileQuery(bound.value, catalog, {}) };
}

function shapeLimits(given: ConsoleLimits): QueryLimits {
  return {
    depth: given.queryDepth,
    joins: given.queryJoins,
    commonTables: given.queryCommonTables,
    setOperations: given.querySetOperations,
    listItems: given.queryListItems,
    recursive: false,
  };
}

function refused(why: 'forbidden' | 'invalid', message: string): ConsoleQuery {
  return { outcome: 'refused', why, message };
}
