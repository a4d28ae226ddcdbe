/** AS OF in a session: the moment that a statement asks for, and where its query is answered (docs/language.md#the-past). */
import {
  aggregateOfCommands,
  bindMoment,
  parseQuery,
  planAsOf,
  reactionOfTable,
  readRelations,
  type AsOf,
  type AsOfPlan,
  type BoundQuery,
  type Statement,
} from '../../compiler/index.ts';
import { fail } from '../../language/failure/failure.ts';
import type { Moment } from '../../runtime/store/journal/moment.ts';
import { askedTime, openPlace, type Over } from '../place/open-place.ts';
import type { CompiledPlace } from '../place/place.ts';
import { constantQuery } from '../registry/constant-query.ts';
import { placeOf, type StatementContext } from './context.ts';
import { evaluateInside, withBound } from './evaluate.ts';
import type { StatementResult } from './outcome.ts';
import { bindScope } from './scope.ts';

/**
 * The moment that a statement names, or else that of its session (docs/tool.md#the-past). Throws R0506 for a command, which is decided now, and for
 * a text that is no moment.
 */
export function askedAsOf(statement: Statement, usual: string | undefined): AsOf | undefined {
  const orUsual = (asOf: AsOf | undefined): AsOf | undefined =>
    asOf ?? (usual === undefined ? undefined : parsedMoment(usual));
  switch (statement.kind) {
    case 'Execute':
      if (usual === undefined) return undefined;
      throw fail('R0506', { what: `this session is as of ${usual}, and EXECUTE`, problem: 'is decided now' });
    case 'CreateTable':
      return statement.source.kind === 'Values' ? statement.asOf : orUsual(statement.asOf);
    case 'QueryStatement':
    case 'InspectDecision':
    case 'InspectProjection':
    case 'InspectReaction':
    case 'Export':
      return orUsual(statement.asOf);
    case 'Explain':
      return statement.target.type === 'query' ? orUsual(statement.target.asOf) : undefined;
    default:
      return undefined;
  }
}

/** Digits are a position; everything else is a time. */
function parsedMoment(moment: string): AsOf {
  const written = /^\d+$/.test(moment) ? `POSITION ${moment}` : `TIMESTAMP '${moment.replaceAll("'", "''")}'`;
  const parsed = parseQuery({ name: 'as of', text: `SELECT 1 AS OF ${written}` });
  if (parsed.outcome === 'query' && parsed.asOf !== undefined) return parsed.asOf;
  throw fail('R0506', { what: `'${moment}'`, problem: 'is no moment; write a position or an ISO 8601 time' });
}

/** Continues with the moment that the statement asks for, found in the store that `place` reads. */
export function atMoment(
  context: StatementContext,
  asOf: AsOf,
  { engine }: CompiledPlace,
  next: (moment: Moment) => Promise<StatementResult>,
): Promise<StatementResult> {
  const bound = bindMoment(context.reg.registry(), asOf, bindScope(context));
  return withBound(context, bound, async (asked) => {
    const isTime = 'time' in asked;
    const found = isTime ? askedTime(await evaluateInside(context, constantQuery([asked.time]))) : asked;
    return next(await engine.store.log.moment(found));
  });
}

/** The one store that a query reads; R0506 for several, and for rows that have no past. */
export function onePlace(context: StatementContext, query: BoundQuery): CompiledPlace {
  const relations = readRelations(query).filter(({ source }) => source.kind !== 'common');
  for (const { source } of relations) {
    if (source.kind === 'session' && context.tables.find(source.table)?.recorded === true)
      throw fail('R0506', { what: source.table, problem: 'has the rows of an inspection, which have no past' });
  }
  const registered = relations.filter(({ source }) => source.kind !== 'session');
  const places = new Set(registered.map(({ store }) => placeOf(context, store)));
  const [only = context.reg] = places;
  if (places.size > 1)
    throw fail('R0506', {
      what: [...places].map(({ store = 'Reg' }) => store).join(' and '),
      problem: 'have each their own past; a query as of a moment reads one store',
    });
  return only;
}

/** A query in the form in which it is answered, and the value of its CURRENT_TIMESTAMP if it is one of the past. */
interface Answered {
  readonly context: StatementContext;
  readonly query: BoundQuery;
  readonly instant?: bigint;
}

/** Continues with the query now, or as of the moment that the statement asks for, and with the position of that moment. */
export function thenOrNow(
  context: StatementContext,
  query: BoundQuery,
  next: (answered: Answered, shown: { readonly asOf?: number }) => Promise<StatementResult>,
): Promise<StatementResult> {
  const { asOf } = context;
  if (asOf === undefined) return next({ context, query }, {});
  const place = onePlace(context, query);
  return atMoment(context, asOf, place, (moment) => {
    const plan = readsCommands(query) ? fromLog : planAsOf(query, place.registry().catalog);
    const position = { ...wholeNumber, kind: 'literal', value: String(moment.position) } as const;
    const answered = plan.by === 'streams' ? plan.until(position) : query;
    return inPlaceOf(context, place, { moment, reads: plan }, (then) =>
      next({ context: then, query: answered, instant: moment.at }, { asOf: moment.position }),
    );
  });
}

const wholeNumber = { type: { kind: 'BIGINT' }, nullable: false, sensitive: false } as const;

/** Recorded commands, and acts of reactions, are read from the past log. */
const fromLog: AsOfPlan = { by: 'history', registry: false };

function readsCommands(query: BoundQuery): boolean {
  return readRelations(query).some(
    ({ source }) =>
      source.kind === 'session' && (aggregateOfCommands(source.table) ?? reactionOfTable(source.table)) !== undefined,
  );
}

/** Continues in a context that reads a place as of a moment. A statement waits for it until it is stopped, and tells how far it is. */
export async function inPlaceOf<T>(
  context: StatementContext,
  present: CompiledPlace,
  over: Over,
  next: (context: StatementContext) => Promise<T>,
): Promise<T> {
  const { progress, signal } = context;
  const past = await openPlace(present, {
    ...over,
    ...(signal === undefined ? {} : { signal }),
    onProgress: (done, total) => {
      // Past its end the statement is stopped by the signal itself.
      progress(`${done.toLocaleString('en')} of ${total.toLocaleString('en')} entries read`).catch(() => undefined);
    },
  });
  const there = (place: CompiledPlace): CompiledPlace => (place === present && !past.isLive ? past : place);
  const others = new Map(Array.from(context.others, ([name, place]) => [name, there(place)]));
  try {
    return await next({ ...context, others, reg: there(context.reg), ...(past.isLive ? {} : { present }) });
  } finally {
    await past.close();
  }
}
