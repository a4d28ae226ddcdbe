import type { AskedMoment, Moment } from '../../../runtime/store/journal/moment.ts';
import { Problem } from '../wire/problem.ts';
import { readMoment } from '../parameters/read-moment.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import { parseQueryString } from '../request/query-string.ts';
import { quoted } from '../request/quoted.ts';
import { ofLeaving } from '../../operation/room/busy.ts';
import type { Access, Call, Route } from '../route.ts';

/** An answer as of a moment of the past (docs/http.md#the-past). */
export interface PastAnswer {
  readonly moment: Moment;
  /** The call by which names are resolved: names of the registry are looked up in the past registry. */
  readonly call: Call;
  readonly answer: Access['answer'];
  readonly count: (parameters: ReadParameters) => Promise<number | undefined>;
}

/** Time that a request waits until the relations of a moment are computed. */
const openMilliseconds = 60_000;

/** Whether a request is about the past, as far as its text tells: a fault in it is found later. */
export function asksForPast(route: Route, querystring: string): boolean {
  return route.past !== undefined && querystring.includes('as_of');
}

/** The answer that `as_of` asks for; undefined without it, or with a fault that the parameters then report. */
export async function pastAnswerOf(route: Route, call: Call, querystring: string): Promise<PastAnswer | undefined> {
  const asked = askedIn(querystring);
  if (route.past === undefined || asked === undefined) return undefined;
  const { domain, options } = call;
  const moment = await options.engine.store.log.moment(asked);
  const then: Call = { ...call, instant: moment.at, moment };
  if (route.past !== 'relation') {
    const reads = { by: 'nothing', registry: true } as const;
    const named =
      route.past === 'registry'
        ? { ...then, domain: (await (await options.late()).past(domain, { moment, reads })).domain }
        : then;
    return { moment, call: named, ...upTo(moment, route, named) };
  }
  const within = async <T>(work: (access: Access) => Promise<T>): Promise<T> => {
    const { past } = await options.late();
    const signal = call.lease.released;
    const { engine, close } = await past(domain, { moment, milliseconds: openMilliseconds, signal }).catch(
      (error: unknown) => {
        throw ofLeaving(error, signal);
      },
    );
    try {
      return await work(
        await route.resolve({ ...then, computing: 'other', present: options.engine, options: { ...options, engine } }),
      );
    } finally {
      await close();
    }
  };
  return {
    moment,
    call: then,
    answer: (parameters, wanted) => within(async (access) => access.answer(parameters, wanted)),
    count: (parameters) => within(async (access) => access.count?.(parameters)),
  };
}

function askedIn(querystring: string): AskedMoment | undefined {
  const given = parseQueryString(querystring).find(({ name }) => name === 'as_of');
  return given === undefined ? undefined : readMoment(given.value);
}

/** Events are read up to the position of the moment, from what there is now. */
function upTo({ position }: Moment, route: Route, call: Call): Pick<PastAnswer, 'answer' | 'count'> {
  const ending = (parameters: ReadParameters): ReadParameters => {
    const { until = BigInt(position) } = parameters;
    return { ...parameters, until: until < position ? until : BigInt(position) };
  };
  return {
    answer: async (parameters, wanted) => {
      const answer = await (await route.resolve(call)).answer(ending(parameters), wanted);
      if (route.past !== 'stream' || answer.kind !== 'table' || answer.table.rows.length > 0) return answer;
      const { path } = call;
      throw new Problem('H4042', `aggregate '${path['agg'] ?? ''}' had no stream ${quoted(path['id'] ?? '')} then`);
    },
    count: async (parameters) => (await route.resolve(call)).count?.(ending(parameters)),
  };
}
