import type { CommandDefinition } from '../../contract/command.ts';
import type { JsonObject } from '../../values/json.ts';
import { commandHeaders } from '../command-headers.ts';
import { streamTag } from '../entity-tag.ts';
import { outcomeTable } from '../outcome-table.ts';
import { Problem } from '../problem.ts';
import { aggregateOf } from '../registered.ts';
import type { Access, Answer, Call, Route } from '../route.ts';

/** Commands, executed through the aggregate that their decision belongs to (http-details.md section 3). */
export const executeRoutes: readonly Route[] = [
  {
    name: 'execute',
    method: 'POST',
    path: '/api/aggregates/{agg}/execute/{command}',
    summary: 'Decides a command and answers when its events are durable',
    rights: ['execute:{agg}.{command}'],
    answers: 'table',
    statuses: [409, 412, 413, 415, 422, 503],
    query: [],
    freshness: 'never',
    mutates: true,
    body: 'command',
    resolve,
  },
];

function resolve(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  const name = call.path['command'] ?? '';
  const command = call.domain.commands.find((candidate) => candidate.name === name);
  if (command === undefined) throw new Problem(404, `there is no command '${name}'`);
  const decision = call.domain.decisions.find((candidate) => candidate.command === name);
  if (decision === undefined) throw new Problem(404, `command '${name}' has no decision`);
  return {
    answer: () => {
      if (decision.aggregate === aggregate.name) return execute(call, aggregate.name, command);
      throw new Problem(
        403,
        `command '${name}' is decided for aggregate '${decision.aggregate}', not '${aggregate.name}'`,
      );
    },
  };
}

async function execute(call: Call, aggregate: string, command: CommandDefinition<object>): Promise<Answer> {
  const headers = commandHeaders(call.header, call.repeated);
  const { commandBytes: bytes, stringBytes } = call.options.settings.limits;
  const sent = await call.body({ bytes, stringBytes });
  const outcome = await call.options.engine.execute({
    command: command.name,
    aggregate,
    arguments: argumentsOf(command, sent),
    ...headers,
  });
  call.note({ outcome: outcome.outcome, replayed: outcome.replayed, events: outcome.events.length });
  return {
    kind: 'table',
    table: outcomeTable(outcome, call.caller.cleared),
    headers: { ETag: streamTag(outcome.head), ...(outcome.replayed ? { 'Idempotent-Replayed': 'true' } : {}) },
  };
}

/** `{"params": {…}}` is an envelope unless the command itself has a field `params`. */
function argumentsOf(command: CommandDefinition<object>, sent: JsonObject): JsonObject {
  const enveloped = sent.size === 1 ? sent.get('params') : undefined;
  if (enveloped === undefined || command.fields.some((field) => field.name.toLowerCase() === 'params')) return sent;
  if (enveloped instanceof Map) return enveloped as JsonObject;
  throw new Problem(400, `${command.name}: 'params' takes a JSON object of arguments`);
}
