import { printTimestamp } from '../../../language/values/timestamp.ts';
import type { Acted, ShownTask, TaskName } from '../../../runtime/engine/reactions/operation.ts';
import { Problem } from '../answers/problem.ts';
import { reactionOf } from '../answers/registered.ts';
import { closed, text, textOrNull, whole, type JsonSchema } from '../openapi/json-schema.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import { standingTable } from '../../../runtime/standing/standings.ts';
import { mayKnow } from '../../operation/caller.ts';
import { raw } from '../../../runtime/engine/raw.ts';
import { shownTable } from '../../operation/shown.ts';
import { pageOf } from '../answers/meta-table.ts';
import { takes } from '../parameters/parameter-table.ts';
import { json, type Answer, type Call, type Route } from '../pipeline/route.ts';
import { bodyMembers, wholeNumber, type Members } from '../request/body-members.ts';

const task = { position: whole, branch: text, event_id: text, event_type: text, aggregate: text, stream_id: text };
const waitingSchema = closed({
  ...{ ...task, due: text, command: text },
  arguments: { type: ['object', 'null'], additionalProperties: true },
});
const parkedSchema = closed({ ...task, error: text, parked_at: text });
const actedSchema = closed({
  position: whole,
  branch: text,
  reacted: {
    type: 'array',
    items: closed({
      branch: text,
      command: text,
      outcome: text,
      stream_id: textOrNull,
      events: list(text),
      error: textOrNull,
    }),
  },
});

/** Reactions: what they still have to do, what has failed, and how operators decide about it (docs/http.md#reactions). */
export const reactionRoutes: readonly Route[] = [
  {
    ...standing('reactions_standing', '/api/reactions', 'How far the reactions that the caller may manage have come'),
    rights: [],
    resolve: (call) => ({
      answer: (parameters) => standingAnswer(call, () => true, parameters),
    }),
  },
  {
    ...standing('reaction_standing', '/api/reactions/{name}', 'How far a reaction has come, and what it has to do'),
    resolve: (call) => {
      const { name } = reactionOf(call.domain, call.path['name']);
      return { answer: (parameters) => standingAnswer(call, (each) => each === name, parameters) };
    },
  },
  {
    ...listing('waiting', 'The commands that wait for their time, the next one first'),
    schema: closed({ waiting: list(waitingSchema) }),
    resolve: (call) => {
      const { name } = reactionOf(call.domain, call.path['name']);
      return {
        answer: async (parameters) => {
          const found = await call.options.engine.reactions.waiting(name, limitOf(parameters));
          const shown = found.map(({ due, command, arguments: known, ...of }) => ({
            ...taskJson(of),
            ...{ due: timeText(due), command, arguments: known === null ? null : (JSON.parse(known) as unknown) },
          }));
          return json(200, { waiting: shown });
        },
      };
    },
  },
  {
    ...listing('parked', 'The tasks that failed and are not tried again by themselves'),
    schema: closed({ parked: list(parkedSchema) }),
    resolve: (call) => {
      const { name } = reactionOf(call.domain, call.path['name']);
      return {
        answer: async (parameters) => {
          const found = await call.options.engine.reactions.parked(name, limitOf(parameters));
          return json(200, {
            parked: found.map(({ error, at, ...of }) => ({ ...taskJson(of), error, parked_at: timeText(at) })),
          });
        },
      };
    },
  },
  acting('parked', 'retry', 'Answers the event of a parked task again', ({ options }, name, wanted) =>
    options.engine.reactions.retry(name, wanted),
  ),
  acting('parked', 'discard', 'Drops a parked task for good', ({ options, caller }, name, wanted) =>
    options.engine.reactions.discardParked(name, wanted, caller.subject),
  ),
  acting('waiting', 'run', 'Executes a command that waits now, before its time', ({ options }, name, wanted) =>
    options.engine.reactions.runNow(name, wanted),
  ),
  acting('waiting', 'discard', 'Drops a command that waits for its time', ({ options, caller }, name, wanted) =>
    options.engine.reactions.discardWaiting(name, wanted, caller.subject),
  ),
  {
    ...posted('pause', 'reaction_pause', 'Answers no event until start, on all servers'),
    schema: closed({ state: text }),
    ...taking({}, async (call, name) => {
      await call.options.engine.reactions.pause(name, call.caller.subject);
      return json(200, { state: 'stopped' });
    }),
  },
  {
    ...posted('start', 'reaction_start', 'Goes on; with a position, nothing of the events up to it is answered'),
    schema: closed({ state: text }),
    ...taking({ position: wholeNumber(0, Number.MAX_SAFE_INTEGER) }, async (call, name, { position }) => {
      const { store, reactions } = call.options.engine;
      const { event: end } = await store.freshPosition();
      if (position !== undefined && position > end)
        throw new Problem('H4091', `the log ends at global_position ${end}, before ${position}`);
      await reactions.start(name, position, call.caller.subject);
      return json(200, { state: call.options.engine.reactions.runs === 'never' ? 'stopped' : 'running' });
    }),
  },
];

type Head = Omit<Route, 'resolve'>;

function reading(name: string, path: string, summary: string): Head {
  return {
    ...{ name, method: 'GET', path, summary, rights: ['manage:{name}'], answers: 'status', statuses: [409, 503] },
    ...{ query: [], freshness: 'never' },
  };
}

function standing(name: string, path: string, summary: string): Head {
  return { ...reading(name, path, summary), answers: 'table', rows: 'reactions', query: takes.page };
}

function listing(list: 'waiting' | 'parked', summary: string): Head {
  return { ...reading(`reaction_${list}`, `/api/reactions/{name}/${list}`, summary), query: ['limit'] };
}

/** Tasks of a list if no limit is given, and at most. */
const usual = 100;
const most = 1_000;

function limitOf({ limit = usual }: ReadParameters): number {
  return Math.min(limit, most);
}

function posted(action: string, name: string, summary: string): Head {
  return {
    ...{ name, method: 'POST', path: `/api/reactions/{name}/${action}`, summary, rights: ['manage:{name}'] },
    ...{ answers: 'status', statuses: [409, 413, 415, 503], query: [], freshness: 'never' },
    ...{ mutates: true, body: 'members' },
  };
}

/** A route that does something about one task. */
function acting(
  list: 'waiting' | 'parked',
  action: string,
  summary: string,
  act: (call: Call, name: string, wanted: TaskName) => Promise<Acted>,
): Route {
  return {
    ...posted(`${list}/{position}/{branch}/${action}`, `${action}_${list}_task`, summary),
    schema: actedSchema,
    ...taking({}, async (call, name) => {
      const wanted = { position: Number(call.path['position']), branch: call.path['branch'] ?? '' };
      const acted = await act(call, name, wanted);
      if (acted === 'missing') throw new Problem('H4046', `'${name}' has no such task at position ${wanted.position}`);
      if (acted === 'off') throw new Problem('H4095', 'this server answers no events; ask another server of the log');
      const reacted = acted.map(({ branch, command, outcome, streamId, events, error }) => ({
        ...{ branch, command, outcome, stream_id: streamId ?? null, events, error: error ?? null },
      }));
      return json(200, { ...wanted, reacted });
    }),
  };
}

/** A route with a body that has these members, all of which may be left out. */
function taking(
  members: Members,
  answer: (call: Call, name: string, given: { readonly position?: number }) => Promise<Answer>,
): Pick<Route, 'members' | 'required' | 'resolve'> {
  return {
    members,
    required: [],
    resolve: (call) => {
      const { name } = reactionOf(call.domain, call.path['name']);
      return {
        answer: async () => {
          const { commandBytes: bytes, stringBytes } = call.options.settings.limits;
          return answer(call, name, bodyMembers(await call.body({ bytes, stringBytes }), { members }));
        },
      };
    },
  };
}

async function standingAnswer(
  call: Call,
  isAsked: (name: string) => boolean,
  parameters: ReadParameters,
): Promise<Answer> {
  const relation = 'meta_reactions';
  const found = await call.standings(relation, (name) => isAsked(name) && mayKnow(call.caller, relation, name));
  return { kind: 'table', table: shownTable(raw(pageOf(standingTable(relation, found, []), parameters)), call.caller) };
}

function taskJson({ position, branch, eventId, eventType, streamType, streamId }: ShownTask): JsonSchema {
  return {
    ...{ position, branch, event_id: eventId, event_type: eventType, aggregate: streamType, stream_id: streamId },
  };
}

/** As in answers of queries; `at` in µs since 1970. */
function timeText(at: bigint): string {
  return printTimestamp(at);
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
