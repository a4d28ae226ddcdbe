/**
 * `schemac/runtime`: all that generated modules import. Importing it loads neither a server nor a store nor the compiler; what
 * a running server needs is loaded when it is started.
 */
import { isIn } from './generated/is-in.ts';
import * as read from './generated/read.ts';
import { streamId } from './generated/stream-id.ts';
import * as write from './generated/write.ts';
import * as sums from './generated/sums.ts';
import type { StartOptions } from './server/start-server.ts';
import { sql as expressions } from './values/sql.ts';

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
export { defineDomain } from './generated/define-domain.ts';
export { defineState } from './generated/define-state.ts';
export { ExactNumber, type JsonObject, type JsonValue } from './values/json.ts';
export type { Type, Value } from './values/type.ts';
export { read, write };

/** Everything that printed expressions call. */
export const sql = { ...expressions, ...sums, isIn, streamId } as const;

/** Serves a generated domain; what that takes is loaded only now. */
export async function startServer(options: StartOptions): Promise<void> {
  const { startServer: start } = await import('./server/start-server.ts');
  return start(options);
}
