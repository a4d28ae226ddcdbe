import type { Column } from '../../../language/contract/query.ts';
import { maskOutcome } from '../../../runtime/engine/mask.ts';
import type { Outcome, Table } from '../../../runtime/engine/outcome.ts';
import { namedText, readableRejection, rejectionText } from '../../../runtime/engine/rejection.ts';
import type { Type } from '../../../language/values/type.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { isCleared, may } from '../../operation/caller.ts';
import type { Call } from '../pipeline/route.ts';

const text: Type = { kind: 'STRING' };
/** One event, or the reason for a rejection. */
export const outcomeColumns: readonly Column[] = [
  { name: 'event_type', type: text, nullable: true, sensitive: false },
  { name: 'stream_id', type: text, nullable: false, sensitive: false },
  { name: 'seq', type: { kind: 'BIGINT' }, nullable: true, sensitive: false },
  { name: 'status', type: text, nullable: false, sensitive: false },
  { name: 'fields', type: text, nullable: false, sensitive: false },
];

/** A caller as far as an outcome goes: his rights, on the definitions by which he asks. */
export type OutcomeReader = Pick<Call, 'caller' | 'domain'>;

/** The outcome of a command as the answer's table: one row per event, or one row with the reason for the rejection (docs/http.md#commands). */
export function outcomeTable(outcome: Outcome, reader: OutcomeReader): Table {
  return { columns: outcomeColumns, rows: outcomeRows(outcome, reader, (...row) => row) };
}

/** Makes a row of the values of `outcomeColumns`. */
export type MakeOutcomeRow = (
  eventType: string | null,
  streamId: string,
  seq: bigint | null,
  status: string,
  fields: string,
) => Row;

/** The rows of that table, each as `make` makes it. */
export function outcomeRows(outcome: Outcome, { caller, domain }: OutcomeReader, make: MakeOutcomeRow): readonly Row[] {
  const { rejection, streamId, events } = isCleared(caller) ? outcome : maskOutcome(outcome);
  if (rejection !== undefined) {
    const readable = readableRejection(rejection, domain, (relation) => may(caller, `read:${relation}`));
    return [make(null, streamId, null, 'rejected', rejectionText(readable, 'as given'))];
  }
  return events.map((event) =>
    make(event.type, event.streamId, BigInt(event.seq), 'success', namedText(event.fields, 'as given')),
  );
}
