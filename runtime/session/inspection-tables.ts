import type { AggregateBlock, DecisionBlock, EventBlock } from '../../compiler/index.ts';
import type { Column } from '../contract/query.ts';
import type { InspectedBranch, InspectedEvent, Inspection } from '../engine/inspect.ts';
import { field } from '../engine/state.ts';
import type { Row } from '../store/store.ts';
import { castValue } from '../values/cast.ts';
import type { StructField, Type, Value } from '../values/type.ts';

/** What decides the columns of an inspection's target: every event that can land where the decision writes. */
export interface TargetShape {
  readonly decision: DecisionBlock;
  readonly aggregates: readonly AggregateBlock[];
  readonly events: readonly EventBlock[];
}

const text: Type = { kind: 'STRING' };
const whole: Type = { kind: 'BIGINT' };
const instant: Type = { kind: 'TIMESTAMP' };

function column(name: string, type: Type, more: Partial<Column> = {}): Column {
  return { name, type, nullable: false, sensitive: false, ...more };
}

function payloadColumns(shape: TargetShape): readonly Column[] {
  const found = new Map<string, Column>();
  for (const aggregate of shape.aggregates)
    for (const payload of aggregate.payload)
      if (!found.has(payload.name.toLowerCase())) found.set(payload.name.toLowerCase(), payload);
  return [...found.values()];
}

/** Columns as queries see them (`$Events` plus `rejection`), and as they are stored (`data.<field>` as `d$<field>`). */
export function targetColumns(shape: TargetShape): {
  readonly seen: readonly Column[];
  readonly stored: readonly Column[];
} {
  const payload = payloadColumns(shape);
  const fields = payload.map(({ name, type, sensitive }): StructField => ({
    name,
    type,
    ...(sensitive ? { sensitive: true as const } : {}),
  }));
  const seen = [
    column('event_id', text),
    column('stream_type', text),
    column('stream_id', text),
    column('seq', whole, { nullable: true }),
    column('event_type', text),
    column('occurred_at', instant),
    column('data', { kind: 'STRUCT', fields }, { nullable: true }),
    column('rejection', text, { nullable: true }),
    column('timestamp', instant, { hidden: true }),
    column('global_position', whole, { hidden: true }),
    column('aggregate_id', text, { hidden: true }),
  ];
  return { seen, stored: [...seen, ...payload.map((stored) => ({ ...stored, name: `d$${stored.name}` }))] };
}

/** One row an emitted event or rejection, in the order of `stored`. */
export function targetRows(
  shape: TargetShape,
  inspection: Inspection,
  made: { readonly now: bigint; readonly uuid: () => string },
): readonly Row[] {
  const payload = payloadColumns(shape);
  const byName = new Map(shape.events.map((event) => [event.name, event]));
  return inspection.events.map((inspected, index): Row => {
    const event = inspected.emission === undefined ? undefined : byName.get(inspected.emission.event);
    const position = BigInt(index + 1);
    return [
      made.uuid(),
      inspected.streamType,
      inspected.streamId,
      inspected.seq === 0 ? null : BigInt(inspected.seq),
      inspected.emission?.event ?? '__REJECTED__',
      made.now,
      structOf(inspected, event, payload),
      inspected.rejection ?? null,
      made.now,
      position,
      inspected.streamId,
      ...payload.map((stored) => payloadValue(inspected, event, stored)),
    ];
  });
}

/** The event's own fields, in the types of the table's columns. */
function structOf(inspected: InspectedEvent, event: EventBlock | undefined, payload: readonly Column[]): Value {
  if (inspected.emission === undefined || event === undefined) return null;
  const own = new Set(event.fields.map(({ name }) => name.toLowerCase()));
  const stored = payload.filter(({ name }) => own.has(name.toLowerCase()));
  return new Map(stored.map((column) => [column.name, payloadValue(inspected, event, column)]));
}

function payloadValue(inspected: InspectedEvent, event: EventBlock | undefined, stored: Column): Value {
  const own = event?.fields.find((candidate) => candidate.name.toLowerCase() === stored.name.toLowerCase());
  if (inspected.emission === undefined || own === undefined || own.volatile) return null;
  return castValue(field(inspected.emission.payload, own.name), own.type, stored.type);
}

/** Columns of the companion table `target__branches`. */
export const branchColumns: readonly Column[] = [
  column('inspect_row_index', whole),
  column('decision_name', text),
  column('branch_id', text),
  column('branch_index', whole),
  column('branch_rule_name', text, { nullable: true }),
  column('branch_guard', text, { nullable: true }),
  column('branch_status', text),
  column('event_type', text, { nullable: true }),
  column('stream_id', text),
];

export function branchRows(decision: DecisionBlock, inspection: Inspection): readonly Row[] {
  return inspection.branches.map((inspected: InspectedBranch): Row => {
    const branch = decision.branches[inspected.branch - 1];
    return [
      BigInt(inspected.row),
      decision.name,
      branch?.id ?? '',
      BigInt(inspected.branch),
      branch?.label ?? null,
      branch?.guardText ?? null,
      inspected.emitted ? 'emitted' : 'guard_failed',
      inspected.eventType,
      inspected.streamId,
    ];
  });
}
