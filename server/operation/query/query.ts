import { placeOf } from '../../../compiler/index.ts';
import { standingParameter } from '../../../language/contract/standing.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { FailureKind } from '../../../language/failure/define.ts';
import { fail, Failure } from '../../../language/failure/failure.ts';
import { standingsText, type Standings } from '../../../runtime/delivery/standing.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Raw } from '../../../runtime/engine/raw.ts';
import { unmasked } from '../../../runtime/engine/unmasked.ts';
import type { Moment } from '../../../runtime/store/journal/moment.ts';
import { placeInText } from '../../../runtime/store/query-failure.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';
import { askedTime, openPlace } from '../../place/open-place.ts';
import type { Place } from '../../place/place.ts';
import { nextDomain } from '../again.ts';
import { allow } from '../allow.ts';
import type { Caller } from '../caller.ts';
import { mayKnow } from '../rights.ts';
import { setsNow } from '../bind/sets-now.ts';
import { fewAtOnce } from '../room/few-at-once.ts';
import type { WithinRoom } from '../room/within-room.ts';
import { shownTable } from '../shown.ts';
import { TextRefused } from '../text-refused.ts';
import type { Query, QueryAnswer, QueryText } from './asked.ts';
import type { PastQuestion } from './compile-text.ts';
import type { QueryLimits } from './query-limits.ts';
import { createTextCompiler } from './text-compiler.ts';

/** Answers one query of the project's own grammar, bound and printed by the compiler, with a budget, on a path that cannot write. */
export function createQuery(engine: Engine, now: (domain: Domain) => Place, limits: QueryLimits): Query {
  const gate = fewAtOnce(limits.consoleQueries, limits.consoleWaiting, 'queries');
  /** Tables of the past take long to compute: queries about the present do not wait for them. */
  const pastGate = fewAtOnce(limits.consoleQueries, limits.consoleWaiting, 'queries about the past');
  const compile = createTextCompiler(limits);
  const { consoleMilliseconds: milliseconds, consoleRows: rows, consoleMemoryBytes: memory } = limits;

  /** The answer, or for a query about the past the work that gives it. */
  const begin = async (
    [text, caller, within, standings]: Parameters<Query>,
    domain: Domain,
  ): Promise<QueryAnswer | (() => Promise<QueryAnswer>)> => {
    const { compiled, took } = await compile(domain, text, caller);
    const { query, past } = compiled;
    // The binder names what the caller may not read; a query that got past it is not run.
    for (const relation of query.reads) allow(caller, `read:${relation}`);
    const left = Math.max(1, milliseconds - took);
    const options = { milliseconds: left, rows, memory, answeredBy: 'copy', local: true } as const;
    const inTime = (error: unknown): never => {
      throw error instanceof Failure && error.message === overTime(left).message ? overTime(milliseconds) : error;
    };
    if (past !== undefined)
      return async () => {
        const { table, asOf } = await askPast(now(domain), query, past, {
          options,
          within,
          ...(text.signal && { signal: text.signal }),
        }).catch(inTime);
        return { table: shownTable(table, caller), asOf };
      };
    const given = await standingsFor(query, standings, caller);
    const compiledFor = domain.readModel;
    const table = await within((room) => engine.query(query, given, { ...options, ...room, compiledFor })).catch(
      inTime,
    );
    return { table: shownTable(table, caller) };
  };

  return async (...asked) => {
    const [{ sql, signal }] = asked;
    for (let domain = engine.domain(); ;)
      try {
        const begun = await gate(() => begin(asked, domain), signal);
        return typeof begun === 'function' ? await pastGate(begun, signal) : begun;
      } catch (error) {
        if (error instanceof Failure && !ofRequest.has(error.kind))
          throw new TextRefused('sql', 'invalid', [placed(error, sql)]);
        domain = await nextDomain(engine, error);
      }
  };
}

/** Kinds of failures that are none of the text. */
const ofRequest: ReadonlySet<FailureKind> = new Set<FailureKind>(['busy', 'store', 'credentials']);

/**
 * Time that a query waits until the relations of a moment are computed; it is not part of the query's own time, and no room is lent for it.
 */
const openMilliseconds = 60_000;

/** Answers a query as of a moment (docs/language.md#the-past): the events of a few streams from the copy, all else from what is computed apart. */
async function askPast(
  now: Place,
  query: CompiledQuery,
  { moment: asked, sets, ...reads }: PastQuestion,
  {
    options,
    within,
    signal,
  }: { readonly options: QueryOptions; readonly within: WithinRoom } & Pick<QueryText, 'signal'>,
): Promise<{ readonly table: Raw<Table>; readonly asOf: Moment }> {
  const compiledFor = now.domain.readModel;
  const moment =
    'timeOf' in asked
      ? askedTime(unmasked(await now.engine.query(asked.timeOf, [], { ...options, compiledFor })))
      : asked;
  const values = await setsNow(sets, (set, parameters, limits) =>
    now.engine.query(set, parameters, { ...options, ...limits, compiledFor }),
  );
  const place = await openPlace(now, { moment, reads, milliseconds: openMilliseconds, ...(signal && { signal }) });
  const { engine, domain, moment: asOf } = place;
  // In addition to those its only parameter is the position, of streams.
  const given = query.parameters.map(({ name }) => values.get(name) ?? BigInt(asOf.position));
  try {
    const table = await within((room) =>
      engine.query(query, given, { ...options, instant: asOf.at, ...room, compiledFor: domain.readModel }),
    );
    return { table, asOf };
  } finally {
    await place.close();
  }
}

/** The values of a query's parameters, which all say how far something has come; others than its operators do not see it. */
function standingsFor({ parameters }: CompiledQuery, standings: Standings, caller: Caller): Promise<readonly string[]> {
  const relations = ['meta_subscriptions', 'meta_reactions'] as const;
  return Promise.all(
    parameters.map(async (parameter) => {
      const relation = relations.find((each) => standingParameter(each) === parameter.name);
      if (relation === undefined) throw new Error(`a query has the parameter ${parameter.name}`);
      return standingsText(await standings(relation, (name) => mayKnow(caller, relation, name)));
    }),
  );
}

function overTime(budget: number): Failure {
  return fail('R0301', { what: 'time', limit: `${budget} ms` });
}

/** The message behind the place of the expression that failed, if it was found. */
function placed(failure: Failure, sql: string): string {
  const at = placeInText(failure);
  if (at === undefined) return failure.message;
  const { line, column } = placeOf({ name: 'sql', text: sql }, at.start);
  return `${line}:${column} ${failure.message}`;
}
