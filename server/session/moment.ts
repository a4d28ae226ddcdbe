/** AS OF in a session: the moment that a statement asks for, and where its query is answered (docs/language.md#the-past). */
import {
  aggregateOfCommands,
  reactionOfTable,
  bindMoment,
  planAsOf,
  readRelations,
  type AsOf,
  type AsOfPlan,
  type BoundMoment,
  type BoundQuery,
} from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';
import type { AskedMoment, Moment } from '../../runtime/store/past/moment.ts';
import { openPast } from '../registry/past/open-past.ts';
import { withMetaOf } from '../registry/past/registry-at.ts';
import { constantQuery } from './constant-query.ts';
import type { StatementContext } from './context.ts';
import type { StatementResult } from './outcome.ts';
import { placeOf, type Place } from './place.ts';
import { bindScope } from './scope.ts';
import { evaluateInside, withBound } from './evaluate.ts';

/** Continues with the moment, found in the store that `place` reads. */
export function atMoment(
  context: StatementContext,
  asOf: AsOf,
  place: Place,
  next: (moment: Moment) => Promise<StatementResult>,
): Promise<StatementResult> {
  const bound = bindMoment(context.reg.registry, asOf, bindScope(context));
  return withBound(context, bound, async (asked) =>
    next(await place.engine.store.moment(await askedMoment(context, asked))),
  );
}

async function askedMoment(context: StatementContext, bound: BoundMoment): Promise<AskedMoment> {
  if ('position' in bound) return bound;
  const { rows } = await evaluateInside(context, constantQuery([bound.time]));
  const time = rows[0]?.[0];
  if (typeof time !== 'bigint') throw fail('R0506', { what: 'the time', problem: 'is NULL; it takes a timestamp' });
  return { time };
}

/** The one store that a query reads; R0506 for several, and for rows that have no past. */
export function onePlace(context: StatementContext, query: BoundQuery): Place {
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

export interface PastQuery {
  /** A context in which the query reads the store as it was. */
  readonly context: StatementContext;
  readonly query: BoundQuery;
  /** Of CURRENT_TIMESTAMP. */
  readonly instant: bigint;
  readonly done: () => Promise<void>;
}

/** Where a query of one store is answered as of a moment; the caller reports when it is `done`. */
export async function placePastQuery(
  context: StatementContext,
  query: BoundQuery,
  place: Place,
  moment: Moment,
): Promise<PastQuery> {
  const plan = readsCommands(query) ? fromLog : planAsOf(query, place.registry.catalog);
  const instant = moment.at;
  const nothingToClose = (): Promise<void> => Promise.resolve();
  if (plan.by === 'nothing') return { context, query, instant, done: nothingToClose };
  if (plan.by === 'streams') {
    const facts = { type: { kind: 'BIGINT' }, nullable: false, sensitive: false } as const;
    const position = { ...facts, kind: 'literal', value: String(moment.position) } as const;
    return { context, query: plan.until(position), instant, done: nothingToClose };
  }
  const past = await openPastPlace(context, place, momentFor(plan, moment), {
    original: moment,
    registry: readsRegistry(plan),
  });
  return { context: inPlaceOf(context, place, past.place), query, instant, done: past.done };
}

/** Recorded commands, and what reactions did, are read from the log of then. */
const fromLog: AsOfPlan = { by: 'history', registry: false };

function readsCommands(query: BoundQuery): boolean {
  return readRelations(query).some(
    ({ source }) =>
      source.kind === 'session' && (aggregateOfCommands(source.table) ?? reactionOfTable(source.table)) !== undefined,
  );
}

/** The registry of then is known without a single event. */
function momentFor({ by }: AsOfPlan, moment: Moment): Moment {
  return by === 'registry' ? { ...moment, entry: 0, position: 0, cut: false } : moment;
}

function readsRegistry(plan: AsOfPlan): boolean {
  return plan.by === 'registry' || (plan.by === 'history' && plan.registry);
}

interface PastPlaceOptions {
  /** The moment that was asked for. */
  readonly original?: Moment;
  /** Its registry is read as well. */
  readonly registry?: boolean;
  /** Instead of the one in force. */
  readonly domain?: Domain;
}

/** Opens the store of a place as it was, apart from the live one. */
export async function openPastPlace(
  { progress, signal }: StatementContext,
  place: Place,
  moment: Moment,
  { original = moment, registry = false, domain: given }: PastPlaceOptions = {},
): Promise<{ readonly place: Place; readonly done: () => Promise<void> }> {
  const { engine } = place;
  const own = given ?? engine.domain();
  const domain = registry ? await withMetaOf(engine.store, own, original) : own;
  const past = await openPast(engine, moment, domain, {
    ...(signal === undefined ? {} : { signal }),
    onProgress: (done, total) => {
      // Past its end the statement is stopped by the signal itself.
      progress(`${done.toLocaleString('en')} of ${total.toLocaleString('en')} entries read`).catch(() => undefined);
    },
  });
  return { place: { ...place, engine: past }, done: () => past.close() };
}

function inPlaceOf(context: StatementContext, present: Place, past: Place): StatementContext {
  const others = new Map(Array.from(context.others, ([name, place]) => [name, place === present ? past : place]));
  return { ...context, others, reg: context.reg === present ? past : context.reg };
}
