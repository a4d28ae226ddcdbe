import { type Column, columnsOf } from '../../../language/contract/query.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { namedText, rejectionText } from '../../../runtime/engine/rejection.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { reshaped, type OutcomeSeen, type Shown } from '../../operation/shown.ts';

/** Columns of a row: an event, or the reason for a rejection. */
export const outcomeColumns: readonly Column[] = columnsOf('event_type? stream_id seq:BIGINT? status fields');

/** The outcome of a command as the answer's table: one row per event, or one row with the reason for the rejection (docs/http.md#commands). */
export function outcomeTable(outcome: Shown<OutcomeSeen>): Shown<Table> {
  return reshaped(outcome, tableOf);
}

/** Columns for a caller who may not see the values of an event. */
export const columnsUnseen: readonly Column[] = outcomeColumns.map((column) =>
  column.name === 'fields' ? { ...column, nullable: true } : column,
);

function tableOf(outcome: OutcomeSeen): Table {
  const isWhole = outcome.events.every(({ fields }) => fields !== null);
  return { columns: isWhole ? outcomeColumns : columnsUnseen, rows: outcomeRows(outcome, (...row) => row) };
}

/** Makes a row of the values of `outcomeColumns`. */
export type MakeOutcomeRow = (
  eventType: string | null,
  streamId: string,
  seq: bigint | null,
  status: string,
  fields: string | null,
) => Row;

/** The rows of that table, each as `make` makes it. */
export function outcomeRows({ rejection, streamId, events }: OutcomeSeen, make: MakeOutcomeRow): readonly Row[] {
  if (rejection !== undefined) return [make(null, streamId, null, 'rejected', rejectionText(rejection, 'as given'))];
  return events.map((event) =>
    make(
      event.type,
      event.streamId,
      event.seq === null ? null : BigInt(event.seq),
      'success',
      event.fields === null ? null : namedText(event.fields, 'as given'),
    ),
  );
}
