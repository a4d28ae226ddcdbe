/**
 * `schemac/runtime`: all that generated modules import. Importing it loads neither a server nor a store nor the compiler; what
 * a running server needs is loaded when it is started.
 */
import type { StartOptions } from './server/start-server.ts';

export type { CommandDefinition, CommandField } from './contract/command.ts';
export type {
  BranchDefinition,
  Decided,
  DecisionContext,
  DecisionDefinition,
  Emission,
  StateDefinition,
} from './contract/decision.ts';
export type { Domain, EventStoreDefinition, RegisteredBlock } from './contract/domain.ts';
export type { EventDefinition, EventField } from './contract/event.ts';
export type { Column, CompiledQuery, QueryParameter } from './contract/query.ts';
export type { ReadModelDefinition } from './contract/read-model.ts';
export type { AggregateDefinition, ProjectionDefinition } from './contract/relation.ts';
export { Failure } from './failure/failure.ts';
export { defineDomain, defineState, read, sql, write } from './generated/supplied.ts';
export { ExactNumber, type JsonObject, type JsonValue } from './values/json.ts';
export type { Type, Value } from './values/type.ts';

/** Serves a generated domain; what that takes is loaded only now. */
export async function startServer(options: StartOptions): Promise<void> {
  const { startServer: start } = await import('./server/start-server.ts');
  return start(options);
}
