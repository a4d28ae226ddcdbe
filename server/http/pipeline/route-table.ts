/**
 * All routes. The router, 405 and its `Allow`, the rights matrix, OpenAPI and the table in the documentation are made from these rows; a
 * path without a row cannot be reached.
 */
import type { EnabledBy, Route } from './route.ts';
import { archiveRoutes } from '../routes/archive.ts';
import { commandRoutes } from '../routes/commands.ts';
import { consoleRoutes } from '../routes/console.ts';
import { eventRoutes } from '../routes/events.ts';
import { executeRoutes } from '../routes/execute.ts';
import { homeRoutes } from '../routes/home.ts';
import { inspectRoutes } from '../routes/inspect.ts';
import { languageRoutes } from '../routes/language.ts';
import { operationRoutes } from '../routes/operation.ts';
import { projectionRoutes } from '../routes/projections.ts';
import { reactionRoutes } from '../routes/reactions.ts';
import { registryRoutes } from '../routes/registry.ts';
import { stateRoutes } from '../routes/state.ts';
import { subscriptionRoutes } from '../routes/subscriptions.ts';
import { statusRoutes } from '../routes/status.ts';

/** A fixed segment precedes a parameter in the same place: `/events` before `/{id}`. */
export const routeTable: readonly Route[] = [
  ...homeRoutes,
  ...statusRoutes,
  ...registryRoutes,
  ...eventRoutes,
  ...archiveRoutes,
  ...commandRoutes,
  ...inspectRoutes,
  ...executeRoutes,
  ...stateRoutes,
  ...projectionRoutes,
  ...subscriptionRoutes,
  ...reactionRoutes,
  ...languageRoutes,
  ...consoleRoutes,
  ...operationRoutes,
];

/** The rows that a server with these options has. */
export function routesOf(options: EnabledBy): readonly Route[] {
  return routeTable.filter((route) => route.enabled?.(options) ?? true);
}
