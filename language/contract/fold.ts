import type { Value } from '../values/type.ts';
import type { DecisionContext } from './decision.ts';
import type { CompiledQuery } from './query.ts';

/** The columns of `$Events`, except those of the payload, whose values are known when an event is appended. */
export const eventRowColumns = [
  'event_id',
  'stream_type',
  'stream_id',
  'aggregate_id',
  'seq',
  'event_type',
  'occurred_at',
  'timestamp',
  'global_position',
  'event_version',
  'stored_type',
] as const;

/** An event as input of folds: columns of `$Events` by name, payload columns as `data.<field>` in the aggregate's column types. */
export type EventRow = Readonly<Record<string, Value>>;

/**
 * A fold: state under a key, kept up to date event by event (docs/architecture.md#the-pipeline). `S` is the accumulator, changed in place
 * by `evolve`. Pure apart from that.
 */
export interface FoldDefinition<S> {
  readonly id: string;
  readonly aggregate: string;
  /** True when the key is the stream's id alone: then a stream without events has no state, and no lookup is needed. */
  readonly byStream: boolean;
  /** The key parts of an event, or null when the fold ignores it: the row condition is not TRUE, or a part is NULL. */
  readonly key: (event: EventRow) => readonly Value[] | null;
  readonly initial: () => S;
  readonly evolve: (state: S, event: EventRow) => void;
  /** All events of one key in order, with the columns that `evolve` reads; parameters are the key parts. */
  readonly load: CompiledQuery;
}

/** A lookup that a decision's STATE makes. */
export interface FoldLookup {
  readonly fold: FoldDefinition<object>;
  /** The key to look up, from the command, the states that earlier lookups found, and the caller; null finds nothing. */
  readonly key: (command: object, states: readonly object[], context: DecisionContext) => readonly Value[] | null;
  /** Without events there is no row (otherwise the row is the fold's initial state). */
  readonly mustExist: boolean;
}
