import type { Domain } from '../../language/contract/domain.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { Moment } from '../../runtime/store/journal/moment.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { Raw } from '../../runtime/engine/raw.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { QueryOptions } from '../../runtime/store/store.ts';
import type { WithinRoom } from '../operation/room/within-room.ts';
import { standingParameter } from '../../language/contract/standing.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { allow } from '../operation/allow.ts';
import { mayKnow, type Caller } from '../operation/caller.ts';
import { shownTable } from '../operation/shown.ts';
import { fewAtOnce } from '../operation/room/few-at-once.ts';
import type { ConsoleAnswer, Late } from '../http/options.ts';
import { Overtaken } from '../../runtime/store/store.ts';
import { standingsText, type Standings } from '../../runtime/delivery/standing.ts';
import { askedTime, openPlace } from '../place/open-place.ts';
import type { Place } from '../place/place.ts';
import { createConsoleCompiler } from './console-compiler.ts';
import type { PastQuestion } from './console-query.ts';
import { readerOf } from './console-reader.ts';
import type { ConsoleLimits } from './console-limits.ts';

/**
 * `POST /api/query` (docs/http.md#schema-and-console): one query of the project's own grammar, bound and printed by the compiler, run with
 * a budget on a path that cannot write.
 */
export function createConsole(engine: Engine, now: (domain: Domain) => Place, limits: ConsoleLimits): Late['console'] {
  const gate = fewAtOnce(limits.consoleQueries, limits.consoleWaiting, 'queries');
  /** Tables of the past take long to compute: queries about the present do not wait for them. */
  const pastGate = fewAtOnce(limits.consoleQueries, limits.consoleWaiting, 'queries about the past');
  const compiler = createConsoleCompiler(limits);
  const { consoleMilliseconds: milliseconds } = limits;

  /** The answer, or for a query about the past the work that gives it. */
  const begin = async (
    [text, caller, within, standings]: Asked,
    domain: Domain,
  ): Promise<ConsoleAnswer | (() => Promise<ConsoleAnswer>)> => {
    const { compiled, took } = await compiler.compile(domain, text, readerOf(domain, caller));
    if (compiled.outcome === 'refused') {
      const { why, messages, denied } = compiled;
      return { ...refused(why, ...messages), ...(denied === undefined ? {} : { denied: `read:${denied}` }) };
    }
    const { query, past } = compiled;
    // The binder names what the caller may not read; a query that got past it is not run.
    for (const relation of query.reads) allow(caller, `read:${relation}`);
    const { consoleRows: rows, consoleMemoryBytes: memory } = limits;
    const left = Math.max(1, milliseconds - took);
    const options = {
      milliseconds: left,
      rows,
      memory,
      answeredBy: 'copy',
      local: true,
    } as const;
    const inTime = (error: unknown): never => {
      throw error instanceof Failure && error.message === overTime(left).message ? overTime(milliseconds) : error;
    };
    if (past !== undefined)
      return async () => {
        const { table, asOf } = await askPast(now(domain), query, past, { options, within }).catch(inTime);
        return { answer: 'table', table: shownTable(table, caller), asOf };
      };
    const given = await standingsFor(query, standings, caller);
    const compiledFor = domain.readModel;
    const table = await within((room) => engine.query(query, given, { ...options, ...room, compiledFor })).catch(
      inTime,
    );
    return { answer: 'table', table: shownTable(table, caller) };
  };

  return async (...asked) => {
    for (let domain = engine.domain(); ; domain = await engine.steady())
      try {
        const begun = await gate(() => begin(asked, domain));
        return typeof begun === 'function' ? await pastGate(begun) : begun;
      } catch (error) {
        // The registry changed since the query was compiled: answer as if it had come a moment later.
        if (error instanceof Overtaken) continue;
        if (!(error instanceof Failure) || error.kind === 'busy' || error.kind === 'store') throw error;
        return refused('invalid', `1:1 ${error.message}`);
      }
  };
}

/** How long a query waits until the relations of a moment are computed, which is not part of its own time, and for which no room is lent. */
const openMilliseconds = 60_000;

/** Answers a query as of a moment (docs/language.md#the-past): the events of a few streams from the copy, all else from what is computed apart. */
async function askPast(
  now: Place,
  query: CompiledQuery,
  { moment: asked, ...reads }: PastQuestion,
  { options, within }: { readonly options: QueryOptions; readonly within: WithinRoom },
): Promise<{ readonly table: Raw<Table>; readonly asOf: Moment }> {
  const compiledFor = now.domain.readModel;
  const moment =
    'timeOf' in asked
      ? askedTime(unmasked(await now.engine.query(asked.timeOf, [], { ...options, compiledFor })))
      : asked;
  const place = await openPlace(now, { moment, reads, milliseconds: openMilliseconds });
  const { engine, domain, moment: asOf } = place;
  // Its only parameters are the position, of streams.
  const given = query.parameters.map(() => BigInt(asOf.position));
  try {
    const table = await within((room) =>
      engine.query(query, given, { ...options, instant: asOf.at, ...room, compiledFor: domain.readModel }),
    );
    return { table, asOf };
  } finally {
    await place.close();
  }
}

type Asked = Parameters<Late['console']>;

/** The values of a console query's parameters, which all say how far something has come; others than its operators do not see it. */
function standingsFor({ parameters }: CompiledQuery, standings: Standings, caller: Caller): Promise<readonly string[]> {
  const relations = ['meta_subscriptions', 'meta_reactions'] as const;
  return Promise.all(
    parameters.map(async (parameter) => {
      const relation = relations.find((each) => standingParameter(each) === parameter.name);
      if (relation === undefined) throw new Error(`a console query has the parameter ${parameter.name}`);
      return standingsText(await standings(relation, (name) => mayKnow(caller, relation, name)));
    }),
  );
}

function overTime(budget: number): Failure {
  return fail('R0301', { what: 'time', limit: `${budget} ms` });
}

function refused(
  why: 'forbidden' | 'invalid',
  ...messages: readonly string[]
): Extract<ConsoleAnswer, { answer: 'refused' }> {
  return { answer: 'refused', why, messages };
}
