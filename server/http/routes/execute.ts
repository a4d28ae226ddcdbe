import { fail, Failure } from '../../../language/failure/failure.ts';
import type { CommandDefinition } from '../../../language/contract/command.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { execute, executeExplained } from '../../operation/execute/execute.ts';
import { outcomeSeen, type OutcomeSeen, type Shown } from '../../operation/shown.ts';
import { streamsSeen } from '../../operation/read/read.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import { rowBytes } from '../../../language/values/value-bytes.ts';
import { isOfPosition, noteRefusal, refuseGuessed, senderOf, withoutPosition } from '../pipeline/sender.ts';
import { takeOne } from '../guard/rates.ts';
import { commandHeaders } from '../request/command-headers.ts';
import { positionTag, storeKey } from '../conditional/entity-tag.ts';
import { outcomeTable } from '../answers/outcome-table.ts';
import { Busy } from '../../operation/room/busy.ts';
import { Problem } from '../wire/problem.ts';
import { manyCommands, namedStream, sendsLines } from '../many-commands/many-commands.ts';
import { aggregateOf, commandOf } from '../answers/registered.ts';
import type { Access, Answer, Call, Route } from '../route.ts';

/** Commands, executed through the aggregate of their decision (docs/http.md#commands). */
export const executeRoutes: readonly Route[] = [
  {
    name: 'execute',
    method: 'POST',
    path: '/api/aggregates/{agg}/execute/{command}',
    summary: 'Decides a command and answers when its events are durable',
    rights: ['execute:{agg}.{command}'],
    answers: 'table',
    rows: 'outcome',
    statuses: [408, 409, 412, 413, 415, 422, 503, 505],
    query: ['explain'],
    freshness: 'never',
    mutates: true,
    body: 'command',
    resolve,
  },
];

function resolve(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  const { command, decision } = commandOf(call.domain, call.path['command']);
  const isMany = sendsLines(call);
  const answer: Access['answer'] = ({ explain = false }) => {
    if (decision.aggregate === aggregate.name)
      return isMany
        ? manyCommands(call, aggregate.name, command.name, explain)
        : executed(call, aggregate.name, command, explain);
    throw fail('R0108', { command: command.name, aggregate: aggregate.name, owner: decision.aggregate });
  };
  return isMany ? { asLines: true, answer } : { answer };
}

async function executed(
  call: Call,
  aggregate: string,
  command: CommandDefinition<object>,
  explain: boolean,
): Promise<Answer> {
  const { engine, late, settings } = call.options;
  if (call.rates.commands !== undefined) takeOne(call.rates.commands, call.caller, 'commands');
  const headers = commandHeaders(call.header, call.sent, storeKey(engine.store.secret));
  const { commandBytes: bytes, stringBytes } = settings.limits;
  const sent = await call.body({ bytes, stringBytes });
  const given = argumentsOf(command, sent);
  const asked = Object.assign({ command: command.name, aggregate, arguments: given }, senderOf(call), headers);
  const streams = streamsSeen(call);
  const reader = streams === undefined ? call : { ...call, streams };
  let outcome: Shown<OutcomeSeen>;
  try {
    const decided = explain
      ? await executeExplained(engine, asked, call, async (decision) => (await late()).explain(call.domain, decision))
      : await execute(engine, asked, call);
    const seen = outcomeSeen(decided, reader);
    outcome = seen instanceof Promise ? await seen : seen;
    refuseGuessed(headers.expectedSeq, outcome);
  } catch (error) {
    noteRefusal(call, command.name, error);
    const stream = namedStream(command, given) ?? '';
    if (isOfPosition(error) && !((await streams?.(aggregate, [stream]))?.has(stream) ?? true))
      throw withoutPosition(error, stream);
    throw located(given === sent ? '' : '/params', error);
  }
  call.log({ outcome: outcome.outcome, replayed: outcome.replayed, events: outcome.events.length });
  const table = outcomeTable(outcome);
  hold(call, table);
  const said: Record<string, string> = { 'Schemac-Entry': String(outcome.entry) };
  if (outcome.head !== undefined) said['ETag'] = positionTag(outcome.head);
  if (outcome.replayed) said['Idempotent-Replayed'] = 'true';
  return { kind: 'table', table, headers: said };
}

/** Adds to a failure of arguments where in the body each of them is. */
function located(base: string, error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'input' || error.field === undefined) return error;
  const faults = error.faults.length > 0 ? error.faults : [{ field: error.field, message: error.message }];
  const pointed = faults.map((fault) => ({ ...fault, pointer: `${base}/${escaped(fault.field ?? '')}` }));
  return new Failure(error.code, error.message, error.field, pointed);
}

/** RFC 6901, 3. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The events are durable, so when a large answer has no room, the refusal says how to get it. */
function hold({ lease }: Call, { rows }: Table): void {
  try {
    let bytes = 0;
    for (const row of rows) bytes += rowBytes(row);
    lease.holds(bytes);
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    throw new Busy(
      'the command was decided, but there is no room for its answer while other results are held; ' +
        'send it again with its Idempotency-Key to get the answer',
    );
  }
}

/** `{"params": {…}}` is an envelope unless the command itself has a field `params`. */
function argumentsOf(command: CommandDefinition<object>, sent: JsonObject): JsonObject {
  const enveloped = sent.size === 1 ? sent.get('params') : undefined;
  if (enveloped === undefined || command.fields.some((field) => field.name.toLowerCase() === 'params')) return sent;
  if (enveloped instanceof Map) return enveloped as JsonObject;
  throw new Problem('H4005', `${command.name}: 'params' takes a JSON object of arguments`);
}
