import {
  bindMoment,
  compileQuery,
  givenPosition,
  hasErrors,
  openRegistry,
  parseQuery,
  planAsOf,
  visibleThen,
  type AsOf,
  type Catalog,
  type Diagnostic,
  type ShapeLimits,
  type Spans,
} from '../../../compiler/index.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { AskedMoment } from '../../../runtime/store/journal/moment.ts';
import type { Reads } from '../../place/open-place.ts';
import { constantQuery } from '../../registry/constant-query.ts';
import { bind } from '../bind/bind.ts';
import type { CompiledSet } from '../bind/sets-now.ts';
import type { Caller } from '../caller.ts';
import { isCleared } from '../rights.ts';
import { describeEach } from '../diagnostic-text.ts';
import { TextRefused } from '../text-refused.ts';
import type { QueryText } from './asked.ts';
import type { QueryLimits } from './query-limits.ts';

export interface CompiledText {
  readonly query: CompiledQuery;
  readonly past?: PastQuestion;
}

/** A query as of a moment of the past. */
export interface PastQuestion extends Reads {
  /** The position, or a query of one row for the time. */
  readonly moment: AskedMoment | { readonly timeOf: CompiledQuery };
  /** Questions about the present that decide which rows are shown. */
  readonly sets: readonly CompiledSet[];
}

/** Compiles a caller's text to one query of the project's own grammar, bound and printed by the compiler. Throws `TextRefused`. */
export function compileText(
  catalog: Catalog,
  { sql, parameters, asOf }: Omit<QueryText, 'signal'>,
  caller: Caller,
  limits: QueryLimits,
): CompiledText {
  const given = new Map(parameters.map(({ name, value }) => [name.toLowerCase(), value]));
  const parsed = parseQuery({ name: 'sql', text: sql }, given);
  if (parsed.outcome !== 'query')
    throw refusedBy(parsed.diagnostics, parsed.outcome === 'error' ? 'invalid' : 'forbidden');
  const unused = parameters.filter(({ name }) => !parsed.used.has(name.toLowerCase()));
  if (unused.length > 0)
    throw refused(...unused.map(({ name }) => `1:1 the query does not use the parameter ':${name}'`));
  let denied: string | undefined;
  const spans: Spans = new WeakMap();
  const { value: bound, diagnostics } = bind(openRegistry(catalog), parsed.query, {
    tables: [],
    cleared: isCleared(caller),
    caller,
    past: parsed.asOf !== undefined || asOf !== undefined,
    limits: shapeLimits(limits),
    spans,
    onDenied: (relation) => (denied ??= `read:${relation}`),
  });
  if (bound === undefined || hasErrors(diagnostics)) throw refusedBy(diagnostics, 'invalid', denied);
  if (bound.columns.length > limits.consoleColumns)
    throw refused(`1:1 the query has more than ${limits.consoleColumns} columns`);
  const moment = askedMoment(catalog, parsed.asOf, asOf);
  const query = compileQuery(bound, catalog, { standings: moment === undefined, spans });
  if (moment === undefined) return { query };
  const plan = planAsOf(bound, catalog);
  const past = { by: plan.by, registry: plan.registry, moment, sets: [] };
  if (plan.by !== 'streams') {
    const then = visibleThen(bound, catalog);
    const sets = then.sets.map((set) => ({ ...set, query: compileQuery(set.query, catalog), parameters: [] }));
    return { query: sets.length === 0 ? query : compileQuery(then.query, catalog), past: { ...past, sets } };
  }
  // The query reads the relations that the text names, though it is printed over the events.
  return { query: { ...compileQuery(plan.until(givenPosition), catalog, { spans }), reads: query.reads }, past };
}

/** The moment of the text or of the request, of which there is at most one. */
function askedMoment(
  catalog: Catalog,
  written: AsOf | undefined,
  sent: AskedMoment | undefined,
): PastQuestion['moment'] | undefined {
  if (written === undefined) return sent;
  if (sent !== undefined) throw refused('1:1 the query has AS OF, so the request cannot have as_of too');
  const spans: Spans = new WeakMap();
  const { value, diagnostics } = bindMoment(openRegistry(catalog), written, { tables: [], cleared: false, spans });
  if (value === undefined) throw refusedBy(diagnostics, 'invalid');
  return 'position' in value ? value : { timeOf: compileQuery(constantQuery([value.time]), catalog, { spans }) };
}

function shapeLimits(limits: QueryLimits): ShapeLimits {
  return {
    depth: limits.queryDepth,
    joins: limits.queryJoins,
    commonTables: limits.queryCommonTables,
    setOperations: limits.querySetOperations,
    listItems: limits.queryListItems,
    recursive: false,
  };
}

function refused(...messages: readonly string[]): TextRefused {
  return new TextRefused('sql', 'invalid', messages);
}

function refusedBy(diagnostics: readonly Diagnostic[], why: TextRefused['why'], denied?: string): TextRefused {
  return new TextRefused('sql', why, describeEach(diagnostics), denied);
}
