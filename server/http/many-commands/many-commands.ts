/**
 * `POST …/execute/{command}` with a command a line (docs/http.md#many-commands-in-one-request): refusals of the whole request, and the
 * answer.
 */
import { Failure } from '../../../language/failure/failure.ts';
import type { ExecuteRequest } from '../../../runtime/engine/outcome.ts';
import { refusedWrite } from '../../../runtime/store/journal/log-failures.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { allow, RightMissing } from '../../operation/allow.ts';
import type { Caller } from '../../operation/caller.ts';
import { executeMany, type Lines } from '../../operation/execute/execute-many.ts';
import { changed } from '../../operation/room/pulled.ts';
import { Problem } from '../wire/problem.ts';
import { refusalOf } from '../wire/refusal.ts';
import { commandOf } from '../answers/registered.ts';
import type { Answer, Call } from '../route.ts';
import { paced } from '../guard/rates.ts';
import { commandHeaders } from '../request/command-headers.ts';
import { filteredBy } from '../../operation/asker.ts';
import { isOfPosition, noteRefusal, refuseGuessed, senderOf, withoutPosition } from '../pipeline/sender.ts';
import { commandOfLine } from './command-of-line.ts';
import type { Line } from '../request/line-reader.ts';
import type { CommandDefinition } from '../../../language/contract/command.ts';
import { type Column, columnsOf } from '../../../language/contract/query.ts';
import { ExactNumber, type JsonObject } from '../../../language/values/json.ts';
import type { OutcomeSeen, Shown } from '../../operation/shown.ts';
import { streamsSeen } from '../../operation/read/read.ts';
import { columnsUnseen, outcomeColumns, outcomeRows } from '../answers/outcome-table.ts';

export const linesType = 'application/x-ndjson';

/** Whether a body is declared as lines; throws 415 for a type that means lines and is another one. */
export function sendsLines(call: Pick<Call, 'header'>): boolean {
  const sent = call.header('content-type');
  if (sent === undefined || sent === 'application/json') return false;
  const type = sent.trim().toLowerCase();
  if (type === linesType) return true;
  if (/^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines|json-seq)\s*(;.*)?$/.test(type))
    throw new Problem('H4151', `a command a line is declared as Content-Type: ${linesType}, without parameters`);
  return false;
}

/** Headers of one command, which a line gives for itself. */
const ofOneCommand = ['Idempotency-Key', 'If-Match'] as const;

export async function manyCommands(call: Call, aggregate: string, command: string, explain: boolean): Promise<Answer> {
  if (explain) {
    const message = "parameter 'explain' is for one command, not for a command a line";
    throw new Problem('H4003', message, {}, [{ field: 'explain', message }]);
  }
  if (!call.isHttp11)
    throw new Problem('H5051', 'many commands in one request need HTTP/1.1, whose answers show that they are complete');
  const own = ofOneCommand.find((name) => call.sent(name.toLowerCase()).length > 0);
  if (own !== undefined)
    throw new Problem('H4004', `${own} is of one command; a line gives its own as idempotency_key or expected_seq`);
  const trouble = call.options.engine.store.turns.refusesWrites();
  if (trouble !== undefined) throw refusedWrite(trouble);
  const headers = commandHeaders(call.header, call.sent, '');
  const { engine, stopping } = call.options;
  const { caller, domain, lease } = call;
  const streams = streamsSeen(call);
  const lines = linesOf(call, { command, aggregate, waitsInLine: true, ...senderOf(call), ...headers });
  const rows = executeMany({ engine, stopping, caller, domain, lease, streams }, lines);
  // Before there is a row, a failure has a status of its own.
  const first = await rows.next();
  const before = first.done === true ? [] : [first.value];
  return {
    kind: 'batches',
    columns: lineColumns(streams === undefined ? outcomeColumns : columnsUnseen),
    batches: changed(rows, (piece: readonly Row[]) => piece, before),
  };
}

/** `common`: the parts of all commands. The caller may execute them on its aggregate; a posted block can give the command to another one. */
function linesOf(call: Call, common: Omit<ExecuteRequest, 'arguments'>): Lines<Line> {
  const { engine, log, settings, time } = call.options;
  const { until } = call.caller;
  const { commands: rate } = call.rates;
  const read = call.lines().next;
  const next = rate === undefined ? read : paced(read, rate, call);
  const right = `execute:${common.aggregate}.${common.command}`;
  /** The positions that lines expect. */
  const expected = new WeakMap<Line, number>();
  /** Why nothing further is begun, although the token has not expired. */
  let refused: Problem | undefined;
  const checkAgain = async (renewed: Promise<Caller>): Promise<void> => {
    try {
      allow(await renewed, right);
      return;
    } catch (error) {
      if (error instanceof RightMissing) refused = new Problem('H4031', error.message);
      else if (error instanceof Problem) refused = error;
      else throw error;
    }
    call.log({ denied: right });
  };
  const failed: Lines<Line>['failed'] = ({ number }, error, streamId) => {
    noteRefusal(call, common.command, error);
    const hidden = isOfPosition(error) && filteredBy(call.domain, `${common.aggregate}$Agg`, call.caller) !== undefined;
    const { message, code } = refusalOf(hidden ? withoutPosition(error, streamId ?? '') : error, 'elsewhere');
    if (!(error instanceof Failure) && !(error instanceof Problem))
      log.error({ err: error, line: number }, 'a line of a request failed');
    return [errorRow(number, streamId, { message, code })];
  };
  return {
    next: async () => {
      const lines = await next();
      const renewed = call.renewed();
      if (renewed !== undefined) await checkAgain(renewed);
      return lines;
    },
    ends: ({ problem }) => {
      if (refused !== undefined) return refused;
      if (problem !== undefined || until === undefined || time.now() <= until) return undefined;
      call.log({ denied: 'expired' });
      return new Problem('H4011', 'the bearer token has expired');
    },
    commandOf: (line) => {
      if (line.problem !== undefined) throw new Problem('H4005', line.problem);
      const { command } = commandOf(engine.domain(), common.command);
      const sent = commandOfLine(command, line.text, settings.limits);
      if (sent.expectedSeq !== undefined) expected.set(line, sent.expectedSeq);
      return { request: { ...common, ...sent }, streamId: namedStream(command, sent.arguments) };
    },
    succeeded: (line, outcome) => {
      call.metrics.decided(outcome.outcome);
      try {
        refuseGuessed(expected.get(line), outcome);
      } catch (error) {
        return failed(line, error, outcome.streamId);
      }
      return lineRows(line.number, outcome);
    },
    failed,
    counted: (counts) => call.log({ ...counts }),
  };
}

/** The columns of an answer to many commands: the line, then those of one command, then whether the outcome is an earlier one. */
function lineColumns(ofOutcome: readonly Column[]): readonly Column[] {
  return [
    ...columnsOf('line:BIGINT'),
    // A line that cannot be read has no stream.
    ...ofOutcome.map((column) => (column.name === 'stream_id' ? { ...column, nullable: true } : column)),
    ...columnsOf('replayed:BOOLEAN'),
  ];
}

/** A row for each event, or one for a rejection. */
function lineRows(line: number, outcome: Shown<OutcomeSeen>): readonly Row[] {
  const number = BigInt(line);
  return outcomeRows(outcome, (eventType, streamId, seq, status, fields) => [
    number,
    eventType,
    streamId,
    seq,
    status,
    fields,
    outcome.replayed,
  ]);
}

/** The row of a line of which nothing was written, or not for certain. */
function errorRow(
  line: number,
  streamId: string | null,
  { message, code }: { readonly message: string; readonly code: string },
): Row {
  return [BigInt(line), null, streamId, null, 'error', JSON.stringify({ error: message, code }), false];
}

/** The stream as the arguments name it, so that the row of a failed command can be found by it. */
export function namedStream(command: CommandDefinition<object>, given: JsonObject): string | null {
  const value = given.get(command.streamField);
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' ? value : null;
}
