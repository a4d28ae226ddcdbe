import type { Column } from '../../../language/contract/query.ts';
import { maskOutcome } from '../../../runtime/engine/mask.ts';
import type { Outcome, Table } from '../../../runtime/engine/outcome.ts';
import { namedText, rejectionText } from '../../../runtime/engine/rejection.ts';
import type { Type, Value } from '../../../language/values/type.ts';

const text: Type = { kind: 'STRING' };
/** One event, or the reason for a rejection. */
export const outcomeColumns: readonly Column[] = [
  { name: 'event_type', type: text, nullable: true, sensitive: false },
  { name: 'stream_id', type: text, nullable: false, sensitive: false },
  { name: 'seq', type: { kind: 'BIGINT' }, nullable: true, sensitive: false },
  { name: 'status', type: text, nullable: false, sensitive: false },
  { name: 'fields', type: text, nullable: false, sensitive: false },
];

/** The outcome of a command as the answer's table: one row per event, or one row with the reason for the rejection (docs/http.md#commands). */
export function outcomeTable(outcome: Outcome, cleared: boolean): Table {
  const shown = cleared ? outcome : maskOutcome(outcome);
  if (shown.rejection !== undefined) {
    return {
      columns: outcomeColumns,
      rows: [[null, shown.streamId, null, 'rejected', rejectionText(shown.rejection, 'as given')]],
    };
  }
  const rows = shown.events.map((event): readonly Value[] => [
    event.type,
    event.streamId,
    BigInt(event.seq),
    'success',
    namedText(event.fields, 'as given'),
  ]);
  return { columns: outcomeColumns, rows };
}
