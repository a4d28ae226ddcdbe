import type { Column } from '../../../language/contract/query.ts';
import { maskOutcome } from '../../../runtime/engine/mask.ts';
import type { NamedValue, Outcome, Rejection, Table } from '../../../runtime/engine/outcome.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { writeJson } from '../../../language/values/json-write.ts';

const text: Type = { kind: 'STRING' };
const columns: readonly Column[] = [
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
    return { columns, rows: [[null, shown.streamId, null, 'rejected', rejectionText(shown.rejection)]] };
  }
  const rows = shown.events.map((event): readonly Value[] => [
    event.type,
    event.streamId,
    BigInt(event.seq),
    'success',
    objectText(event.fields),
  ]);
  return { columns, rows };
}

function rejectionText({ decision, guards, state, command }: Rejection): string {
  const members = [
    `"decision":${JSON.stringify(decision)}`,
    `"guards":${JSON.stringify(guards.map(({ branch, guard }) => ({ branch, guard })))}`,
    `"state":${objectText(state)}`,
    `"command":${objectText(command)}`,
  ];
  return `{${members.join(',')}}`;
}

function objectText(values: readonly NamedValue[]): string {
  return `{${values.map(({ name, type, value }) => `${JSON.stringify(name)}:${writeJson(value, type)}`).join(',')}}`;
}
