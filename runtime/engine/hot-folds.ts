import type { Domain } from '../../language/contract/domain.ts';
import type { AggregateTable } from '../../language/contract/read-model.ts';
import type { EventRow, eventRowColumns, FoldDefinition } from '../../language/contract/fold.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import { typeName, type Type, type Value } from '../../language/values/type.ts';
import { hasCell } from '../../language/values/payload-cell.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import type { StoredEvent } from '../store/entry.ts';
import { createAggregateReaders, type ColumnField, type EventReader } from '../store/event-reader.ts';
import type { Turn } from '../store/store.ts';
import { generatedUpcasts } from './generated-upcasts.ts';
import { createRecent } from './recent.ts';

type Reader = Pick<Turn, 'query'>;

/** The most fold states in memory, over all folds; the least recently used are dropped first. */
const capacity = 200_000;

/**
 * The states of folds in memory, as of the end of the log that turns see: a state is loaded from its events on first
 * use and evolves with every later append. Any state can be dropped at any time and is then loaded again.
 */
export interface HotFolds {
  /** The state under a key, or undefined when no event is in it. `fresh`: the stream is known to have no events. */
  readonly state: (
    reader: Reader,
    fold: FoldDefinition<object>,
    key: readonly Value[],
    fresh: boolean,
  ) => object | undefined | Promise<object | undefined>;
  /** Evolves the states in memory with events that a turn appended at `at`. */
  readonly evolve: (events: readonly StoredEvent[], at: bigint) => void;
  /** Drops the states that these events changed, which a turn had appended at `at` and which were not kept. */
  readonly forget: (events: readonly StoredEvent[], at: bigint) => void;
  /** Drops everything. */
  readonly clear: () => void;
  /** Continues with another registry; states that mean the same in both stay. */
  readonly swap: (domain: Domain) => void;
}

/** The state of a fold, and the next one under the same key: all folds by stream share the entry of their stream. */
interface State {
  /** `sharedId` of the fold. */
  readonly of: string;
  /** `null`: no event is in it yet. */
  state: object | null;
  /** The failure of an expression on an event; every reader gets it, as from a scan. */
  failure: Failure | undefined;
  next: State | undefined;
}

/** `secret`: 4 bytes at least, of the store. */
export function createHotFolds(domain: Domain, secret: Uint8Array): HotFolds {
  let byAggregate = foldsOf(domain);
  const hot = createRecent<State>(capacity, Buffer.from(secret).readInt32LE(), countOf);
  /** Number of times that states were dropped: a state that was being loaded meanwhile may contain events that were not kept. */
  let drops = 0;

  /** `entry`: the state that is known under the id. */
  function keep(id: string, entry: State | undefined, state: State): object | undefined {
    const known = stateOf(entry, state.of);
    if (known !== undefined) {
      known.state = state.state;
      known.failure = state.failure;
    } else if (entry !== undefined) {
      state.next = entry.next;
      entry.next = state;
      hot.grew();
    } else hot.set(id, state);
    return read(state);
  }

  async function load(reader: Reader, fold: FoldDefinition<object>, key: readonly Value[]): Promise<State> {
    const rows = await reader.query(fold.load, key);
    const state = emptyState(fold);
    for (const row of rows)
      evolve(
        state,
        fold,
        Object.fromEntries(fold.load.columns.map((column, index) => [column.name, row[index] ?? null])),
      );
    return state;
  }

  /** The states that these events change, each with the id of its entry. */
  function each(
    events: readonly StoredEvent[],
    at: bigint,
    change: (id: string, state: State, fold: FoldDefinition<object>, row: EventRow) => void,
  ): void {
    for (const event of events) {
      const aggregate = byAggregate.get(event.streamType);
      if (aggregate === undefined || aggregate.folds.length === 0) continue;
      const streamId = streamEntryId(event.streamType, event.streamId);
      const ofStream = aggregate.byOther.length < aggregate.folds.length ? hot.get(streamId) : undefined;
      const folds = ofStream === undefined ? aggregate.byOther : aggregate.folds;
      if (folds.length === 0) continue;
      const row = (aggregate.rows.get(event.type) ?? aggregate.otherRow)(event, at);
      for (const fold of folds) {
        const key = keyOf(fold, row);
        if (key === null) continue;
        if (key === 'unknown') {
          // Every state of this fold in memory is dropped; the next read loads it again and fails as a scan would.
          hot.reduce((entry) => only(entry, (id) => id !== sharedId(fold)));
          continue;
        }
        const id = fold.byStream ? streamId : entryId(fold, key);
        const state = stateOf(fold.byStream ? ofStream : hot.get(id), sharedId(fold));
        if (state !== undefined) change(id, state, fold, row);
      }
    }
  }

  return {
    state: (reader, fold, key, fresh) => {
      const id = entryId(fold, key);
      const isNew = fresh && fold.byStream;
      // All states of a stream without events are the same, so older ones need not be found.
      const entry = isNew ? hot.young(id) : hot.get(id);
      const known = stateOf(entry, sharedId(fold));
      if (known !== undefined) return read(known);
      if (isNew) return keep(id, entry, emptyState(fold));
      const begun = drops;
      return load(reader, fold, key).then((state) => (begun === drops ? keep(id, hot.get(id), state) : read(state)));
    },
    evolve: (events, at) => {
      each(events, at, (_id, state, fold, row) => evolve(state, fold, row));
    },
    forget: (events, at) => {
      drops += 1;
      each(events, at, (id) => hot.remove(id));
    },
    clear: () => {
      drops += 1;
      hot.clear();
    },
    swap: (next) => {
      drops += 1;
      const after = foldsOf(next);
      const kept = keptFolds(byAggregate, after);
      hot.reduce((entry) => only(entry, (id) => kept.has(id)));
      byAggregate = after;
    },
  };
}

function emptyState(fold: FoldDefinition<object>): State {
  return { of: sharedId(fold), state: null, failure: undefined, next: undefined };
}

function stateOf(entry: State | undefined, id: string): State | undefined {
  for (let state = entry; state !== undefined; state = state.next) if (state.of === id) return state;
  return undefined;
}

function countOf(entry: State): number {
  let count = 0;
  for (let state: State | undefined = entry; state !== undefined; state = state.next) count += 1;
  return count;
}

/** The rest of an entry, with the states of some folds only. */
function only(entry: State | undefined, isKept: (id: string) => boolean): State | undefined {
  if (entry === undefined) return undefined;
  entry.next = only(entry.next, isKept);
  return isKept(entry.of) ? entry : entry.next;
}

interface AggregateFolds {
  readonly folds: readonly FoldDefinition<object>[];
  /** Folds whose key is not the stream's id alone. */
  readonly byOther: readonly FoldDefinition<object>[];
  /** Makes a row of an event, by event type. */
  readonly rows: ReadonlyMap<string, MakeRow>;
  /** For events of other types, which have no payload columns. */
  readonly otherRow: MakeRow;
  /** Identifies the shape of its rows. */
  readonly table: string;
}

/** Folds that are in both registries, over rows of the same shape: the name of a fold says what it computes. */
function keptFolds(
  before: ReadonlyMap<string, AggregateFolds>,
  after: ReadonlyMap<string, AggregateFolds>,
): ReadonlySet<string> {
  const kept = [...after].flatMap(([aggregate, { folds, table }]) => {
    const old = before.get(aggregate);
    if (old?.table !== table) return [];
    const known = new Set(old.folds.map(sharedId));
    return folds.map(sharedId).filter((id) => known.has(id));
  });
  return new Set(kept);
}

function foldsOf(domain: Domain): ReadonlyMap<string, AggregateFolds> {
  const folds = new Map<string, FoldDefinition<object>>();
  for (const decision of [...domain.decisions, ...domain.reactions])
    for (const lookup of decision.state?.folds ?? []) folds.set(sharedId(lookup.fold), lookup.fold);
  return new Map(
    domain.readModel.aggregates.map((table) => {
      const own = [...folds.values()].filter((fold) => fold.aggregate === table.aggregate);
      // Rows are only needed for folds.
      const rows = own.length === 0 ? new Map<string, MakeRow>() : rowsOf(table, domain);
      const byOther = own.filter(({ byStream }) => !byStream);
      return [table.aggregate, { folds: own, byOther, rows, otherRow: rowsWith(table), table: JSON.stringify(table) }];
    }),
  );
}

function rowsOf(table: AggregateTable, domain: Domain): ReadonlyMap<string, MakeRow> {
  const readers = createAggregateReaders(table, (event, _clause, index) => {
    const definition = domain.events.find(({ name }) => name === event.name);
    const made = definition === undefined ? undefined : generatedUpcasts(definition)[index];
    if (made === undefined) throw new Error(`event ${event.name} lacks a clause of its table`);
    return made.apply;
  });
  return new Map(Array.from(readers, ([type, reader]) => [type, rowsWith(table, reader)]));
}

const sharedIds = new WeakMap<FoldDefinition<object>, string>();

/**
 * Names the states that a fold can share with those of other decisions. The name of a fold says what it computes, but
 * each decision has its own names for the columns of the state: one decision cannot evolve a state that another created
 * under other names.
 */
function sharedId(fold: FoldDefinition<object>): string {
  const known = sharedIds.get(fold);
  if (known !== undefined) return known;
  const id = [fold.id, ...Object.keys(fold.initial()).map(encodeURIComponent)].join('/');
  sharedIds.set(fold, id);
  return id;
}

/** The last id that was made: a decision reads the states of a stream, and then its events change them. One string also computes its hash only once. */
let lastStream = { aggregate: '', streamId: '', id: '' };

/** The id of the entry with the states of all folds by stream; the name of an aggregate has no such character as the id of a fold. */
function streamEntryId(aggregate: string, streamId: string): string {
  if (lastStream.streamId !== streamId || lastStream.aggregate !== aggregate)
    lastStream = { aggregate, streamId, id: `${aggregate}:${streamId}` };
  return lastStream.id;
}

function entryId(fold: FoldDefinition<object>, key: readonly Value[]): string {
  if (fold.byStream) return streamEntryId(fold.aggregate, scalarText(key[0]));
  let id = sharedId(fold);
  for (const part of key) {
    const text = scalarText(part);
    id += `:${text.length}:${text}`;
  }
  return id;
}

function keyOf(fold: FoldDefinition<object>, row: EventRow): readonly Value[] | null | 'unknown' {
  try {
    return fold.key(row);
  } catch (error) {
    if (error instanceof Failure) return 'unknown';
    throw error;
  }
}

function evolve(entry: State, fold: FoldDefinition<object>, row: EventRow): void {
  try {
    entry.state ??= fold.initial();
    fold.evolve(entry.state, row);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    entry.failure = error;
  }
}

function read(entry: State): object | undefined {
  if (entry.failure !== undefined) throw entry.failure;
  return entry.state ?? undefined;
}

/** A stored event as a row of `$Events`. */
type MakeRow = (event: StoredEvent, at: bigint) => EventRow;

/**
 * The source of a row, whose columns are computed on access: most folds read few of them, and many none of the payload.
 */
class LazyRow {
  readonly event: StoredEvent;
  readonly at: bigint;
  /** Values of the reader's fields. */
  values: readonly Value[] | undefined;
  constructor(event: StoredEvent, at: bigint) {
    this.event = event;
    this.at = at;
    this.values = undefined;
  }
}

const ownColumns: Readonly<Record<Exclude<(typeof eventRowColumns)[number], 'event_type'>, (row: LazyRow) => Value>> = {
  event_id: ({ event }) => event.id,
  stream_type: ({ event }) => event.streamType,
  stream_id: ({ event }) => event.streamId,
  aggregate_id: ({ event }) => event.streamId,
  seq: ({ event }) => BigInt(event.seq),
  occurred_at: ({ at }) => at,
  timestamp: ({ at }) => at,
  global_position: ({ event }) => BigInt(event.position),
  event_version: ({ event }) => event.version,
  stored_type: ({ event }) => event.type,
};

/** Makes rows of the events of a reader; without one the columns of the payload are NULL. */
function rowsWith(table: AggregateTable, reader?: EventReader<ColumnField>): MakeRow {
  class Row extends LazyRow {}
  const define = (column: string, value: (row: LazyRow) => Value): void => {
    Object.defineProperty(Row.prototype, column, {
      get(this: LazyRow) {
        return value(this);
      },
    });
  };
  for (const [column, value] of Object.entries(ownColumns)) define(column, value);
  define('event_type', ({ event }) => reader?.event ?? event.type);
  for (const { name, type } of table.payload) {
    const place = reader?.fields.findIndex(({ column }) => column === name) ?? -1;
    define(`data.${name}`, (row) => {
      if (reader === undefined || place < 0) return null;
      row.values ??= reader.readable(row.event, row.at);
      const value = row.values[place] ?? null;
      return hasCell(value, type) ? value : overflow(name, type);
    });
  }
  // The columns are accessors of the prototype; a class type cannot declare computed names.
  return (event, at) => new Row(event, at) as unknown as EventRow;
}

/** Fails as the read model does when a query reads such a field; a fold that does not read it continues. */
function overflow(field: string, type: Type): never {
  throw fail('R0202', { type: typeName(type), where: field });
}
