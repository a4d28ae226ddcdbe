import type { Domain } from '../../language/contract/domain.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import { standingParameter } from '../../language/contract/standing.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import type { Caller } from '../http/auth/caller.ts';
import { fewAtOnce } from '../http/guard/few-at-once.ts';
import type { ConsoleAnswer, ConsoleText } from '../http/options.ts';
import { isPastBytes, type ResultRoom } from '../http/pipeline/within-room.ts';
import { Overtaken } from '../../runtime/store/store.ts';
import { mayKnow, standingsText, type Standings } from '../../runtime/standing/standings.ts';
import { askPast } from './ask-past.ts';
import { createConsoleCompiler } from './console-compiler.ts';
import { readerOf } from './console-reader.ts';
import type { ConsoleLimits } from './console-limits.ts';

/**
 * `POST /api/query` (docs/http.md#schema-and-console): one query of the project's own grammar, bound and printed by the compiler, run with
 * a budget on a path that cannot write.
 */
export function createConsole(
  engine: Engine,
  limits: ConsoleLimits,
): (text: ConsoleText, caller: Caller, room: ResultRoom, standings: Standings) => Promise<ConsoleAnswer> {
  const gate = fewAtOnce(limits.consoleQueries, limits.consoleWaiting, 'queries');
  const compiler = createConsoleCompiler(limits);
  const { consoleMilliseconds: milliseconds } = limits;

  const answer = async (
    text: ConsoleText,
    caller: Caller,
    room: ResultRoom,
    standings: Standings,
    domain: Domain,
  ): Promise<ConsoleAnswer> => {
    const { compiled, took } = await compiler.compile(domain, text, readerOf(domain, caller));
    if (compiled.outcome === 'refused') {
      const { why, messages, denied } = compiled;
      return { ...refused(why, ...messages), ...(denied === undefined ? {} : { denied: `read:${denied}` }) };
    }
    const { query } = compiled;
    // The binder ensures this; a query that got past it is not run.
    const hidden = query.reads.find((relation) => !caller.may(`read:${relation}`));
    if (hidden !== undefined) throw new Error(`a console query reads ${hidden}, which its caller may not`);
    const { consoleRows: rows, consoleMemoryBytes: memory } = limits;
    const left = Math.max(1, milliseconds - took);
    const options = {
      ...room,
      milliseconds: left,
      rows,
      memory,
      answeredBy: 'copy',
      local: true,
      cleared: caller.cleared,
    } as const;
    try {
      if (compiled.past !== undefined)
        return { answer: 'table', ...(await askPast(engine, domain, query, compiled.past, options)) };
      const given = await standingsFor(query, standings, caller);
      const table = await engine.query(query, given, { ...options, compiledFor: domain.readModel });
      return { answer: 'table', table };
    } catch (error) {
      // The registry changed since the query was compiled: answer as if it had come a moment later.
      if (error instanceof Overtaken) return answer(text, caller, room, standings, await engine.steady());
      throw error instanceof Failure && error.message === overTime(left).message ? overTime(milliseconds) : error;
    }
  };

  return (text, caller, room, standings) =>
    gate(async () => {
      try {
        return await answer(text, caller, room, standings, engine.domain());
      } catch (error) {
        if (!(error instanceof Failure) || error.kind === 'busy' || error.kind === 'store') throw error;
        // The query is fine: there is less room now than a result may take.
        if (room.bytes < limits.consoleResultBytes && isPastBytes(error, room.bytes)) throw error;
        return refused('invalid', `1:1 ${error.message}`);
      }
    });
}

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
