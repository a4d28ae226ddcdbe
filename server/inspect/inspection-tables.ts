import {
  commonType,
  findBlock,
  type AggregateBlock,
  type Catalog,
  type DecisionBlock,
  type EventBlock,
} from '../../compiler/index.ts';
import type { Column } from '../../language/contract/query.ts';
import type { InspectedBranch, InspectedEvent } from '../../runtime/engine/inspect.ts';
import { field } from '../../runtime/engine/state.ts';
import type { Row, TableColumn } from '../../runtime/store/store.ts';
import { castValue } from '../../language/values/cast.ts';
import { writeJson } from '../../language/values/json-write.ts';
import type { StructField, Type, Value } from '../../language/values/type.ts';

/** The columns of an inspection's target depend on this: every event of each aggregate that the decision writes to. */
export interface TargetShape {
  readonly decision: DecisionBlock;
  readonly aggregates: readonly AggregateBlock[];
  readonly events: readonly EventBlock[];
}

/** The shape of a decision that the catalog has. */
export function targetShapeOf(catalog: Catalog, name: string): TargetShape {
  const decision = findBlock(catalog, 'decision', name);
  if (decision === undefined) throw new Error(`decision ${name} is bound and not in the catalog`);
  const landing = new Set([
    decision.aggregate,
    ...decision.branches.flatMap((branch) => branch.emits.map((emit) => emit.aggregate)),
  ]);
  const aggregates = [...landing]
    .map((aggregate) => findBlock(catalog, 'aggregate', aggregate))
    .filter((found): found is AggregateBlock => found !== undefined);
  const events = catalog.blocks.event.filter((event) =>
    aggregates.some((aggregate) => aggregate.events.includes(event.name)),
  );
  return { decision, aggregates, events };
}

const text: Type = { kind: 'STRING' };
const whole: Type = { kind: 'BIGINT' };
const instant: Type = { kind: 'TIMESTAMP' };

function column(name: string, type: Type, more: Partial<TableColumn> = {}): TableColumn {
  return { name, type, nullable: false, sensitive: false, ...more };
}

const json: Type = { kind: 'JSON' };

/**
 * One column for all fields of a name, sensitive if one of them is. Events of several aggregates may give a field types without a common
 * supertype; as JSON each event keeps its own value.
 */
function payloadColumns(shape: TargetShape): readonly Column[] {
  const found = new Map<string, Column>();
  for (const aggregate of shape.aggregates)
    for (const payload of aggregate.payload) {
      const key = payload.name.toLowerCase();
      const before = found.get(key) ?? payload;
      const type = commonType([before.type, payload.type]) ?? json;
      found.set(key, { ...before, type, sensitive: before.sensitive || payload.sensitive });
    }
  return [...found.values()];
}

/** The columns of `$Events`, and `rejection`. */
export function targetColumns(shape: TargetShape): readonly TableColumn[] {
  const fields = payloadColumns(shape).map(({ name, type, sensitive }): StructField => ({
    name,
    type,
    ...(sensitive ? { sensitive: true as const } : {}),
  }));
  return [
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
}

/** Makes rows of the target, one per emitted event or rejection; positions continue from page to page. */
export function createTargetRows(
  shape: TargetShape,
  made: { readonly now: bigint; readonly uuid: () => string; readonly after?: number },
): (events: readonly InspectedEvent[]) => readonly Row[] {
  const payload = payloadColumns(shape);
  const byName = new Map(
    shape.events.map((event) => {
      const own = new Set(event.fields.map(({ name }) => name.toLowerCase()));
      return [event.name, { event, stored: payload.filter(({ name }) => own.has(name.toLowerCase())) }];
    }),
  );
  let position = BigInt(made.after ?? 0);
  return (events) =>
    events.map((inspected): Row => {
      const known = inspected.emission === undefined ? undefined : byName.get(inspected.emission.event);
      position += 1n;
      return [
        made.uuid(),
        inspected.streamType,
        inspected.streamId,
        inspected.seq === 0 ? null : BigInt(inspected.seq),
        inspected.emission?.event ?? (inspected.failed === true ? '__FAILED__' : '__REJECTED__'),
        made.now,
        known === undefined ? null : structOf(inspected, known.event, known.stored),
        inspected.rejection ?? null,
        made.now,
        position,
        inspected.streamId,
      ];
    });
}

/** The event's own fields, in the types of the table's columns. */
function structOf(inspected: InspectedEvent, event: EventBlock, stored: readonly Column[]): Value {
  return new Map(stored.map((column) => [column.name, payloadValue(inspected, event, column)]));
}

function payloadValue(inspected: InspectedEvent, event: EventBlock, stored: Column): Value {
  const own = event.fields.find((candidate) => candidate.name.toLowerCase() === stored.name.toLowerCase());
  if (inspected.emission === undefined || own === undefined || own.volatile) return null;
  const value = field(inspected.emission.payload, own.name);
  if (value === null || stored.type.kind !== 'JSON') return castValue(value, own.type, stored.type);
  return writeJson(value, own.type);
}

/** Columns of the companion table `target__branches`; values that are the same for all rows of a branch are stored once. */
export function branchColumns({ name, branches }: DecisionBlock): readonly TableColumn[] {
  const perBranch = (texts: readonly (string | null)[]): Partial<TableColumn> => ({
    nullable: texts.includes(null),
    derived: { from: 'branch_index', texts },
  });
  return [
    column('inspect_row_index', whole),
    column('decision_name', text, perBranch(branches.map(() => name))),
    column('branch_id', text, perBranch(branches.map(({ id }) => id))),
    column('branch_index', whole),
    column('branch_rule_name', text, { ...perBranch(branches.map(({ label }) => label ?? null)), nullable: true }),
    column('branch_guard', text, { ...perBranch(branches.map(({ guardText }) => guardText ?? null)), nullable: true }),
    column('branch_status', text),
    column('event_type', text, { nullable: true }),
    column('stream_id', text),
  ];
}

/** A column whose values are all in the rows. */
export function plainColumn({ derived: _, ...column }: TableColumn): Column {
  return column;
}

export function branchRows(branches: readonly InspectedBranch[]): readonly Row[] {
  return branches.map(({ row, branch, emitted, eventType, streamId }) => [
    BigInt(row),
    BigInt(branch),
    emitted ? 'emitted' : 'guard_failed',
    eventType,
    streamId,
  ]);
}
