import { type Column, columnsOf } from '../../../language/contract/query.ts';
import type { Outcome, Table } from '../../../runtime/engine/outcome.ts';
import { namedText, rejectionText } from '../../../runtime/engine/rejection.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { reshaped, type Shown } from '../../operation/shown.ts';

/** Columns of a row: an event, or the reason for a rejection. */
export const outcomeColumns: readonly Column[] = columnsOf('event_type? stream_id seq:BIGINT? status fields');

/** The outcome of a command as the answer's table: one row per event, or one row with the reason for the rejection (docs/http.md#commands). */
export function outcomeTable(outcome: Shown<Outcome>): Shown<Table> {
  return reshaped(outcome, tableOf);
}

function tableOf(outcome: Outcome): Table {
  return { columns: outcomeColumns, rows: outcomeRows(outcome, (...row) => row) };
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
export function outcomeRows({ rejection, streamId, events }: Outcome, make: MakeOutcomeRow): readonly Row[] {
  if (rejection !== undefined) return [make(null, streamId, null, 'rejected', rejectionText(rejection, 'as given'))];
  return events.map((event) =>
    make(event.type, event.streamId, BigInt(event.seq), 'success', namedText(event.fields, 'as given')),
  );
}
