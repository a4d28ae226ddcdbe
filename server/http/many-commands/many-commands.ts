/** `POST …/execute/{command}` with a command a line (docs/http.md#many-commands-in-one-request): what of the request is refused as a whole, and the answer. */
import { refusedWrite } from '../../../runtime/store/refused-write.ts';
import { Problem } from '../answers/problem.ts';
import { pulled } from '../../operation/room/pulled.ts';
import type { Answer, Call } from '../pipeline/route.ts';
import { commandHeaders } from '../request/command-headers.ts';
import { executeLines } from './execute-lines.ts';
import { lineColumns } from './line-rows.ts';

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

export async function manyCommands(call: Call, aggregate: string, command: string): Promise<Answer> {
  if (!call.isHttp11)
    throw new Problem('H5051', 'many commands in one request need HTTP/1.1, whose answers show that they are complete');
  const own = ofOneCommand.find((name) => call.sent(name.toLowerCase()).length > 0);
  if (own !== undefined)
    throw new Problem('H4004', `${own} is of one command; a line gives its own as idempotency_key or expected_seq`);
  const trouble = call.options.engine.store.refusesWrites();
  if (trouble !== undefined) throw refusedWrite(trouble);
  const headers = commandHeaders(call.header, call.sent, '');
  const rows = executeLines(call, { command, aggregate, headers }, call.lines());
  // Before there is a row, a failure has a status of its own.
  const first = await rows.next();
  let before = first.done === true ? undefined : first.value;
  return {
    kind: 'batches',
    columns: lineColumns,
    batches: pulled(
      async () => {
        const piece = before;
        before = undefined;
        if (piece !== undefined) return piece;
        const step = await rows.next();
        return step.done === true ? undefined : step.value;
      },
      async () => {
        await rows.return?.();
      },
    ),
  };
}
