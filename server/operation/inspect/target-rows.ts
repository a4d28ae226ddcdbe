import {
  commonType,
  findBlock,
  type AggregateBlock,
  type Catalog,
  type DecisionBlock,
  type EventBlock,
} from '../../../compiler/index.ts';
import { type Column, columnsOf } from '../../../language/contract/query.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { DecidedCommand } from '../../../runtime/engine/dry-turn.ts';
import type { Explain } from '../../../runtime/engine/explain.ts';
import type { EmittedEvent, Outcome } from '../../../runtime/engine/outcome.ts';
import { rejectionText } from '../../../runtime/engine/rejection.ts';
import type { DecidedAgain } from '../../../runtime/engine/replay.ts';
import { createStreamHeads } from '../../../runtime/engine/stream-heads.ts';
import type { Row, TableColumn } from '../../../runtime/store/store.ts';
import { castValue } from '../../../language/values/cast.ts';
import { writeJson } from '../../../language/values/json-write.ts';
import type { StructField, Type, Value } from '../../../language/values/type.ts';

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

const json: Type = { kind: 'JSON' };

/**
 * Makes a column for all fields of a name, sensitive if one of them is. Events of several aggregates may give a field types without a
 * common supertype; as JSON each event keeps its own value.
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
    ...columnsOf('event_id stream_type stream_id seq:BIGINT? event_type occurred_at:TIMESTAMP'),
    { name: 'data', type: { kind: 'STRUCT', fields }, nullable: true, sensitive: false },
    ...columnsOf('rejection? timestamp:TIMESTAMP~ global_position:BIGINT~ aggregate_id~'),
  ];
}

/** The stream of a target's row; the columns are those of `targetColumns`. */
export function eventOf(row: Row): { readonly streamType: string; readonly streamId: string } {
  const [, streamType, streamId] = row;
  if (typeof streamType !== 'string' || typeof streamId !== 'string') throw new Error('a row of a target has a stream');
  return { streamType, streamId };
}

/** A target's row without its seq, and without its data if that may come from state. */
export function withoutEvent(row: Row, withData: boolean): Row {
  return row.map((value, at) => (at === 3 || (withData && at === 6) ? null : value));
}

/** A command to show: decided now, or a recorded one that was decided again, which may have failed. */
export type ShownCommand = DecidedCommand | DecidedAgain;

export interface TargetRows {
  /** A row per emitted event or rejection. */
  readonly rows: readonly Row[];
  readonly branches: readonly Row[];
  readonly rejected: number;
}

/** Makes rows of the target and its branches; rows of commands of the present count seqs and positions from 1 over the run. */
export function createTargetRows(
  shape: TargetShape,
  { uuid, explain }: { readonly uuid: () => string; readonly explain?: Explain | undefined },
): (commands: readonly ShownCommand[]) => TargetRows {
  const payload = payloadColumns(shape);
  const byName = new Map(
    shape.events.map((event) => {
      const own = new Set(event.fields.map(({ name }) => name.toLowerCase()));
      return [event.name, { event, stored: payload.filter(({ name }) => own.has(name.toLowerCase())) }];
    }),
  );
  const heads = createStreamHeads();
  let [position, index] = [0, 0];
  const add = (command: ShownCommand, made: { rows: Row[]; branches: Row[]; rejected: number }): void => {
    const { at, outcome } = command;
    const again = 'entry' in command ? command : undefined;
    if (again !== undefined) position = again.position - 1;
    const row = (streamType: string, streamId: string, type: string, of: Partial<TargetCells> = {}): void => {
      position += 1;
      const { seq = null, data = null, rejection = null } = of;
      made.rows.push([uuid(), streamType, streamId, seq, type, at, data, rejection, at, BigInt(position), streamId]);
    };
    if (outcome instanceof Failure) {
      const { streamType, streamId } = again?.entry ?? { streamType: shape.decision.aggregate, streamId: '' };
      row(streamType, streamId, '__FAILED__', { rejection: `${outcome.code} ${outcome.message}` });
    } else if (outcome.rejection !== undefined) {
      const explained = explain === undefined ? outcome.rejection : explain(outcome.rejection);
      row(outcome.streamType, outcome.streamId, '__REJECTED__', { rejection: rejectionText(explained) });
    } else
      for (const event of outcome.events) {
        const { streamType, streamId, type } = event;
        const seq = again === undefined ? heads.get(streamType, streamId) + 1 : event.seq;
        heads.set(streamType, streamId, seq);
        const known = byName.get(type);
        const data = known === undefined ? null : structOf(event, known.event, known.stored);
        row(streamType, streamId, type, { seq: BigInt(seq), data });
      }
    if (outcome instanceof Failure || outcome.rejection !== undefined) made.rejected += 1;
    if (!(outcome instanceof Failure)) made.branches.push(...branchRows(outcome, index));
    index += 1;
  };
  return (commands) => {
    const made = { rows: [], branches: [], rejected: 0 };
    for (const command of commands) add(command, made);
    return made;
  };
}

interface TargetCells {
  readonly seq: bigint;
  readonly data: Value;
  readonly rejection: string;
}

/** The event's own fields, in the types of the table's columns. */
function structOf(emitted: EmittedEvent, event: EventBlock, stored: readonly Column[]): Value {
  return new Map(stored.map((column) => [column.name, payloadValue(emitted, event, column)]));
}

function payloadValue({ fields }: EmittedEvent, event: EventBlock, stored: Column): Value {
  const place = event.fields.findIndex((candidate) => candidate.name.toLowerCase() === stored.name.toLowerCase());
  const own = event.fields[place];
  if (own === undefined || own.volatile) return null;
  const value = fields[place]?.value ?? null;
  if (value === null || stored.type.kind !== 'JSON') return castValue(value, own.type, stored.type);
  return writeJson(value, own.type);
}

/** Columns of the companion table `target__branches`; values that are the same for all rows of a branch are stored once. */
export function branchColumns({ name, branches }: DecisionBlock): readonly TableColumn[] {
  const perBranch = (
    column: string,
    textOf: (branch: DecisionBlock['branches'][number]) => string | undefined,
  ): TableColumn[] => {
    const texts = branches.map((branch) => textOf(branch) ?? null);
    return columnsOf(column).map((each) => ({ ...each, derived: { from: 'branch_index', texts } }));
  };
  return [
    ...columnsOf('inspect_row_index:BIGINT'),
    ...perBranch('decision_name', () => name),
    ...perBranch('branch_id', ({ id }) => id),
    ...columnsOf('branch_index:BIGINT'),
    ...perBranch('branch_rule_name?', ({ label }) => label),
    ...perBranch('branch_guard?', ({ guardText }) => guardText),
    ...columnsOf('branch_status event_type? stream_id'),
  ];
}

/** A column whose values are all in the rows. */
export function plainColumn({ derived: _, ...column }: TableColumn): Column {
  return column;
}

function branchRows({ streamId, decided }: Outcome, row: number): readonly Row[] {
  return (decided?.emissions ?? []).map((emissions, branch) => [
    BigInt(row),
    BigInt(branch + 1),
    emissions === null ? 'guard_failed' : 'emitted',
    emissions?.[0]?.event ?? null,
    streamId,
  ]);
}
