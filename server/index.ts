/**
 * `schemac/runtime`: everything that generated modules import. Importing it loads neither a server nor a store nor the compiler; starting a
 * server loads what it needs.
 */
import type { StartOptions } from './start/start-server.ts';

export type { CommandDefinition, CommandField } from '../language/contract/command.ts';
export type {
  BranchDefinition,
  Decided,
  DecisionContext,
  DecisionDefinition,
  Emission,
  StateDefinition,
} from '../language/contract/decision.ts';
export type { Domain, EventStoreDefinition, RegisteredBlock } from '../language/contract/domain.ts';
export type { EventDefinition, EventField, StoredEventFacts } from '../language/contract/event.ts';
export type { Column, CompiledQuery, QueryParameter } from '../language/contract/query.ts';
export type { ReactionDefinition } from '../language/contract/reaction.ts';
export type { ReadModelDefinition } from '../language/contract/read-model.ts';
export type { AggregateDefinition, ProjectionDefinition } from '../language/contract/relation.ts';
export type { SubscriptionDefinition } from '../language/contract/subscription.ts';
export { Failure } from '../language/failure/failure.ts';
export { defineDomain, defineFold, defineState, read, sql, write } from '../runtime/generated/supplied.ts';
export { ExactNumber, type JsonObject, type JsonValue } from '../language/values/json.ts';
export type { Type, Value } from '../language/values/type.ts';

/** Serves the domain of a generated folder; both it and what a server needs are loaded only now. */
export async function startServer(options: StartOptions): Promise<void> {
  const { startServer: start } = await import('./start/start-server.ts');
  return start(options);
}
