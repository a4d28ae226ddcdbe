import { printTimestamp } from '../../../language/values/timestamp.ts';
import type { Operation, ShownTask } from '../../../runtime/engine/reactions.ts';
import { closed, text, textOrNull, whole, type JsonSchema } from '../wire/json-schema.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import type { Route } from '../route.ts';
import { wholeNumber } from '../request/body-members.ts';
import { listing, listOf, pauseAndStart, posted, reading, standingRoute, taking, type Head } from './deliveries.ts';

const kind = 'reaction';
const task = { position: whole, branch: text, event_id: text, event_type: text, aggregate: text, stream_id: text };
const waitingSchema = closed({
  ...{ ...task, due: text, command: text },
  arguments: { type: ['object', 'null'], additionalProperties: true },
});
const parkedSchema = closed({ ...task, error: text, parked_at: text });
const actedSchema = closed({
  position: whole,
  branch: text,
  reacted: listOf(
    closed({
      branch: text,
      command: text,
      outcome: text,
      stream_id: textOrNull,
      events: listOf(text),
      error: textOrNull,
    }),
  ),
});

/** Reactions: their open tasks, their failures, and the decisions of operators about them (docs/http.md#reactions). */
export const reactionRoutes: readonly Route[] = [
  standingRoute(kind, 'reactions_standing', 'How far the reactions that the caller may manage have come'),
  standingRoute(kind, 'reaction_standing', 'How far a reaction has come, and what it has to do', '/{name}'),
  listing(
    head('waiting', 'The commands that wait for their time, the next one first'),
    kind,
    waitingSchema,
    async ({ options }, name, parameters) => {
      const found = await options.engine.reactions.waiting(name, limitOf(parameters));
      return found.map(({ due, command, arguments: known, ...of }) => ({
        ...taskJson(of),
        ...{ due: printTimestamp(due), command, arguments: known === null ? null : (JSON.parse(known) as unknown) },
      }));
    },
  ),
  listing(
    head('parked', 'The tasks that failed and are not tried again by themselves'),
    kind,
    parkedSchema,
    async ({ options }, name, parameters) => {
      const found = await options.engine.reactions.parked(name, limitOf(parameters));
      return found.map(({ error, at, ...of }) => ({ ...taskJson(of), error, parked_at: printTimestamp(at) }));
    },
  ),
  acting('parked', 'retry', 'retry', 'Answers the event of a parked task again'),
  acting('parked', 'discard', 'discardParked', 'Drops a parked task for good'),
  acting('waiting', 'run', 'runNow', 'Executes a command that waits now, before its time'),
  acting('waiting', 'discard', 'discardWaiting', 'Drops a command that waits for its time'),
  ...pauseAndStart(
    kind,
    {
      pause: 'Answers no event until start, on all servers',
      start: 'Goes on; with a position, nothing of the events up to it is answered',
    },
    wholeNumber(0, Number.MAX_SAFE_INTEGER),
  ),
];

function head(list: 'waiting' | 'parked', summary: string): Head {
  return reading(kind, `reaction_${list}`, `/{name}/${list}`, summary);
}

/** Tasks of a list if no limit is given, and at most. */
const usual = 100;
const most = 1_000;

function limitOf({ limit = usual }: ReadParameters): number {
  return Math.min(limit, most);
}

/** A route that does something about one task. */
function acting(
  list: 'waiting' | 'parked',
  name: 'retry' | 'discard' | 'run',
  action: keyof Pick<Operation, 'retry' | 'discardParked' | 'runNow' | 'discardWaiting'>,
  summary: string,
): Route {
  return {
    ...posted(kind, `${list}/{position}/{branch}/${name}`, summary, `${name}_${list}_task`),
    schema: actedSchema,
    ...taking(kind, {}, [], async (call, reaction) => {
      const wanted = { position: Number(call.path['position']), branch: call.path['branch'] ?? '' };
      const { options, caller } = call;
      const acted = await options.engine.reactions[action](reaction, wanted, caller.subject);
      const reacted = acted.map(({ branch, command, outcome, streamId, events, error }) => ({
        ...{ branch, command, outcome, stream_id: streamId ?? null, events, error: error ?? null },
      }));
      return { ...wanted, reacted };
    }),
  };
}

function taskJson({ position, branch, eventId, eventType, streamType, streamId }: ShownTask): JsonSchema {
  return {
    ...{ position, branch, event_id: eventId, event_type: eventType, aggregate: streamType, stream_id: streamId },
  };
}
