import type { AskedMoment, Moment } from '../../../runtime/store/past/moment.ts';
import { Problem } from '../answers/problem.ts';
import { readMoment } from '../parameters/read-moment.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import { parseQueryString } from '../request/query-string.ts';
import { quoted } from '../request/quoted.ts';
import type { Access, Answer, Call, Route, Wanted } from './route.ts';

/** An answer as of a moment of the past (docs/http.md#the-past). */
export interface PastAnswer {
  readonly moment: Moment;
  /** The call by which names are resolved: those of the registry are looked up in the registry of then. */
  readonly call: Call;
  readonly answer: (parameters: ReadParameters, wanted: Wanted) => Promise<Answer>;
  readonly count: (parameters: ReadParameters) => Promise<number | undefined>;
}

/** How long a request waits until the relations of a moment are computed. */
const openMilliseconds = 60_000;

/** Whether a request is about the past, as far as its text tells: a fault in it is found later. */
export function asksForPast(route: Route, querystring: string): boolean {
  return route.past !== undefined && querystring.includes('as_of');
}

/** The answer that `as_of` asks for; undefined without it, or with a fault that the parameters then report. */
export async function pastAnswerOf(route: Route, call: Call, querystring: string): Promise<PastAnswer | undefined> {
  if (route.past === undefined || !asksForPast(route, querystring)) return undefined;
  const asked = askedIn(querystring);
  if (asked === undefined) return undefined;
  const { engine } = call.options;
  const moment = await engine.store.moment(asked);
  const then: Call = { ...call, instant: moment.at, moment };
  const until = BigInt(moment.position);
  switch (route.past) {
    case 'registry': {
      const domain = await call.options.past.domainAt(call.domain, moment);
      const named = { ...then, domain };
      const access = async (): Promise<Access> => route.resolve(named);
      return { moment, call: named, ...answering(access, (parameters) => parameters) };
    }
    case 'events':
      return { moment, call: then, ...answering(async () => route.resolve(then), upTo(until)) };
    case 'commands':
      return {
        moment,
        call: then,
        ...answering(
          async () => route.resolve(then),
          (parameters) => parameters,
        ),
      };
    case 'stream': {
      const { answer, count } = answering(async () => route.resolve(then), upTo(until));
      return {
        moment,
        call: then,
        count,
        answer: async (parameters, wanted) => existing(await answer(parameters, wanted), call),
      };
    }
    case 'relation': {
      const within = async <T>(work: (access: Access) => Promise<T>): Promise<T> => {
        const past = await call.options.past.open(moment, call.domain, { milliseconds: openMilliseconds });
        try {
          return await work(
            await route.resolve({ ...then, computing: 'other', options: { ...call.options, engine: past } }),
          );
        } finally {
          await past.close();
        }
      };
      return {
        moment,
        call: then,
        answer: (parameters, wanted) => within(async (access) => access.answer(parameters, wanted)),
        count: (parameters) => within(async (access) => access.count?.(parameters)),
      };
    }
  }
}

function askedIn(querystring: string): AskedMoment | undefined {
  const given = parseQueryString(querystring).find(({ name }) => name === 'as_of');
  return given === undefined ? undefined : readMoment(given.value);
}

function answering(
  access: () => Promise<Access>,
  within: (parameters: ReadParameters) => ReadParameters,
): Pick<PastAnswer, 'answer' | 'count'> {
  return {
    answer: async (parameters, wanted) => (await access()).answer(within(parameters), wanted),
    count: async (parameters) => (await access()).count?.(within(parameters)),
  };
}

function upTo(until: bigint): (parameters: ReadParameters) => ReadParameters {
  return (parameters) => {
    const { until: asked = until } = parameters;
    return { ...parameters, until: asked < until ? asked : until };
  };
}

/** A stream without events then did not exist. */
function existing(answer: Answer, { path }: Call): Answer {
  if (answer.kind !== 'table' || answer.table.rows.length > 0) return answer;
  throw new Problem('H4042', `aggregate '${path['agg'] ?? ''}' had no stream ${quoted(path['id'] ?? '')} then`);
}
