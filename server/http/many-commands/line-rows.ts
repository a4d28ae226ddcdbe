import type { CommandDefinition } from '../../../language/contract/command.ts';
import type { Column } from '../../../language/contract/query.ts';
import { ExactNumber, type JsonObject } from '../../../language/values/json.ts';
import type { Outcome } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { Shown } from '../../operation/shown.ts';
import { outcomeColumns, outcomeRows } from '../answers/outcome-table.ts';

/** The columns of an answer to many commands: the line, then those of one command, then whether the outcome is an earlier one. */
export const lineColumns: readonly Column[] = [
  { name: 'line', type: { kind: 'BIGINT' }, nullable: false, sensitive: false },
  // A line that cannot be read has no stream.
  ...outcomeColumns.map((column) => (column.name === 'stream_id' ? { ...column, nullable: true } : column)),
  { name: 'replayed', type: { kind: 'BOOLEAN' }, nullable: false, sensitive: false },
];

/** A row for each event, or one for a rejection. */
export function lineRows(line: number, outcome: Shown<Outcome>): readonly Row[] {
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
export function errorRow(
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
