import {
  bindQuery,
  compileQuery,
  openRegistry,
  parseQuery,
  type Catalog,
  type ShapeLimits,
  type QueryParameters,
  type RelationAccess,
  hasErrors,
} from '../../compiler/index.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { ConsoleText } from '../http/options.ts';
import type { ConsoleLimits } from './console-limits.ts';
import { describeEach } from '../registry/live/describe-diagnostics.ts';

/**
 * `forbidden`: not a single query. `invalid`: any other fault, with line:column. `denied` is only for the log: a relation that exists and
 * that the caller may not read.
 */
export type ConsoleQuery =
  | { readonly outcome: 'compiled'; readonly query: CompiledQuery }
  | {
      readonly outcome: 'refused';
      readonly why: 'forbidden' | 'invalid';
      readonly messages: readonly string[];
      readonly denied?: string;
    };

export interface ConsoleReader {
  readonly cleared: boolean;
  /** The relations that exist for the caller; all if absent. */
  readonly readable?: readonly string[];
}

/** Compiles a caller's text to one query of the project's own grammar, bound and printed by the compiler. */
export function compileConsoleQuery(
  catalog: Catalog,
  { sql, parameters }: ConsoleText,
  { cleared, readable }: ConsoleReader,
  given: ConsoleLimits,
): ConsoleQuery {
  const parsed = parseQuery({ name: 'sql', text: sql }, parametersOf(parameters));
  if (parsed.outcome === 'error') return refused('invalid', ...describeEach(parsed.diagnostics));
  if (parsed.outcome !== 'query') return refused('forbidden', ...describeEach(parsed.diagnostics));
  const unused = parameters.filter(({ name }) => !parsed.used.has(name.toLowerCase()));
  if (unused.length > 0)
    return refused('invalid', ...unused.map(({ name }) => `1:1 the query does not use the parameter ':${name}'`));
  const denied: string[] = [];
  const bound = bindQuery(openRegistry(catalog), parsed.query, {
    tables: [],
    cleared,
    limits: shapeLimits(given),
    ...(readable === undefined ? {} : { access: accessTo(readable, denied) }),
  });
  if (bound.value === undefined || hasErrors(bound.diagnostics))
    return {
      ...refused('invalid', ...describeEach(bound.diagnostics)),
      ...(denied[0] === undefined ? {} : { denied: denied[0] }),
    };
  if (bound.value.columns.length > given.consoleColumns)
    return refused('invalid', `1:1 the query has more than ${given.consoleColumns} columns`);
  return { outcome: 'compiled', query: compileQuery(bound.value, catalog, {}) };
}

function parametersOf(given: ConsoleText['parameters']): QueryParameters {
  return new Map(given.map(({ name, value }) => [name.toLowerCase(), value]));
}

function accessTo(readable: readonly string[], denied: string[]): RelationAccess {
  const all = new Set(readable);
  return { mayRead: (relation) => all.has(relation), onDenied: (relation) => void denied.push(relation) };
}

function shapeLimits(given: ConsoleLimits): ShapeLimits {
  return {
    depth: given.queryDepth,
    joins: given.queryJoins,
    commonTables: given.queryCommonTables,
    setOperations: given.querySetOperations,
    listItems: given.queryListItems,
    recursive: false,
  };
}

function refused(
  why: 'forbidden' | 'invalid',
  ...messages: readonly string[]
): Extract<ConsoleQuery, { outcome: 'refused' }> {
  return { outcome: 'refused', why, messages };
}
