import {
  bindMoment,
  compileQuery,
  givenPosition,
  openRegistry,
  parseQuery,
  planAsOf,
  type AsOf,
  type Catalog,
  type ShapeLimits,
  type QueryParameters,
  hasErrors,
} from '../../compiler/index.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { AskedMoment } from '../../runtime/store/journal/moment.ts';
import type { ConsoleText } from '../http/options.ts';
import type { Reads } from '../place/open-place.ts';
import { constantQuery } from '../registry/constant-query.ts';
import { bind } from '../operation/bind/bind.ts';
import type { ConsoleLimits } from './console-limits.ts';
import { describeEach } from '../registry/live/describe-diagnostics.ts';

/**
 * `forbidden`: not a single query. `invalid`: any other fault, with line:column. `denied` is only for the log: a relation that exists and
 * that the caller may not read.
 */
export type ConsoleQuery =
  | { readonly outcome: 'compiled'; readonly query: CompiledQuery; readonly past?: PastQuestion }
  | {
      readonly outcome: 'refused';
      readonly why: 'forbidden' | 'invalid';
      readonly messages: readonly string[];
      readonly denied?: string;
    };

/** A query as of a moment of the past. */
export interface PastQuestion extends Reads {
  /** The position, or a query of one row for the time. */
  readonly moment: AskedMoment | { readonly timeOf: CompiledQuery };
}

export interface ConsoleReader {
  readonly cleared: boolean;
  /** The relations that exist for the caller; all if absent. */
  readonly readable?: readonly string[];
}

/** Compiles a caller's text to one query of the project's own grammar, bound and printed by the compiler. */
export function compileConsoleQuery(
  catalog: Catalog,
  { sql, parameters, asOf }: ConsoleText,
  { cleared, readable }: ConsoleReader,
  given: ConsoleLimits,
): ConsoleQuery {
  const parsed = parseQuery({ name: 'sql', text: sql }, parametersOf(parameters));
  if (parsed.outcome === 'error') return refused('invalid', ...describeEach(parsed.diagnostics));
  if (parsed.outcome !== 'query') return refused('forbidden', ...describeEach(parsed.diagnostics));
  const unused = parameters.filter(({ name }) => !parsed.used.has(name.toLowerCase()));
  if (unused.length > 0)
    return refused('invalid', ...unused.map(({ name }) => `1:1 the query does not use the parameter ':${name}'`));
  let denied: string | undefined;
  const bound = bind(openRegistry(catalog), parsed.query, {
    tables: [],
    cleared,
    limits: shapeLimits(given),
    onDenied: (relation) => void (denied ??= relation),
    ...(readable === undefined ? {} : { readable }),
  });
  if (bound.value === undefined || hasErrors(bound.diagnostics))
    return {
      ...refused('invalid', ...describeEach(bound.diagnostics)),
      ...(denied === undefined ? {} : { denied }),
    };
  if (bound.value.columns.length > given.consoleColumns)
    return refused('invalid', `1:1 the query has more than ${given.consoleColumns} columns`);
  const asked = askedMoment(catalog, parsed.asOf, asOf, cleared);
  const query = compileQuery(bound.value, catalog, { standings: asked === undefined });
  if (asked === undefined) return { outcome: 'compiled', query };
  if ('outcome' in asked) return asked;
  const plan = planAsOf(bound.value, catalog);
  const past = { by: plan.by, registry: plan.registry, moment: asked };
  if (plan.by !== 'streams') return { outcome: 'compiled', query, past };
  // It reads what the text names, though it is printed over the events.
  const { reads } = query;
  return { outcome: 'compiled', query: { ...compileQuery(plan.until(givenPosition), catalog, {}), reads }, past };
}

/** The moment of the text or of the request, of which there is at most one. */
function askedMoment(
  catalog: Catalog,
  written: AsOf | undefined,
  sent: AskedMoment | undefined,
  cleared: boolean,
): PastQuestion['moment'] | ReturnType<typeof refused> | undefined {
  if (written === undefined) return sent;
  if (sent !== undefined) return refused('invalid', '1:1 the query has AS OF, so the request cannot have as_of too');
  const { value, diagnostics } = bindMoment(openRegistry(catalog), written, { tables: [], cleared });
  if (value === undefined) return refused('invalid', ...describeEach(diagnostics));
  return 'position' in value ? value : { timeOf: compileQuery(constantQuery([value.time]), catalog, {}) };
}

function parametersOf(given: ConsoleText['parameters']): QueryParameters {
  return new Map(given.map(({ name, value }) => [name.toLowerCase(), value]));
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
