import type { DecisionContext, StateDefinition } from './decision.ts';
import type { Column } from './query.ts';
import type { SubscriptionStart } from './subscription.ts';
import type { Type } from '../values/type.ts';

/** Facts that a reaction may read of an event in addition to its fields, with the types; a field of the same name hides a fact. */
export const eventFacts = [
  { name: 'stream_id', type: { kind: 'STRING' }, nullable: false },
  { name: 'event_id', type: { kind: 'STRING' }, nullable: false },
  { name: 'event_type', type: { kind: 'STRING' }, nullable: false },
  { name: 'seq', type: { kind: 'BIGINT' }, nullable: false },
  { name: 'occurred_at', type: { kind: 'TIMESTAMP' }, nullable: false },
  { name: 'global_position', type: { kind: 'BIGINT' }, nullable: false },
  { name: 'correlation_id', type: { kind: 'STRING' }, nullable: true },
  { name: 'due', type: { kind: 'TIMESTAMP' }, nullable: true },
] as const satisfies readonly { readonly name: string; readonly type: Type; readonly nullable: boolean }[];

/** A generated reaction module: `E` has a property for each input, `S` one for each column of STATE. */
export interface ReactionDefinition<E, S> {
  readonly name: string;
  readonly start: SubscriptionStart;
  readonly events: readonly string[];
  /** Only events in streams of this aggregate. */
  readonly aggregate?: string;
  /** The properties of `E`: fields of the event, and facts. */
  readonly inputs: readonly Column[];
  readonly state?: StateDefinition;
  readonly branches: readonly ReactionBranchDefinition<E, S>[];
}

export interface ReactionBranchDefinition<E, S> {
  readonly label: string;
  readonly command: string;
  readonly guard?: string;
  /** Events of the same stream that cancel it while it waits. */
  readonly unless: readonly string[];
  /** Set if it waits: when it is due, µs since 1970; null is never. `now` of the context is the time of the event. */
  readonly due?: (event: E, context: DecisionContext) => bigint | null;
  /** For a branch that waits: the arguments that depend on the event alone. */
  readonly known?: (event: E) => object;
  /** The arguments of the command by field, or null when the guard is not TRUE. */
  readonly execute: (event: E, state: S, context: DecisionContext) => object | null;
}
