/**
 * All routes. The router, 405 and its `Allow`, the rights matrix, OpenAPI and the table in the documentation are made from these rows; a
 * path without a row cannot be reached.
 */
import type { EnabledBy } from '../options.ts';
import type { Route } from '../route.ts';
import { accessRoutes } from './access.ts';
import { archiveRoutes } from './archive.ts';
import { commandRoutes } from './commands.ts';
import { consoleRoutes } from './console.ts';
import { eventRoutes } from './events.ts';
import { executeRoutes } from './execute.ts';
import { homeRoutes } from './home.ts';
import { inspectRoutes } from './inspect.ts';
import { languageRoutes } from './language.ts';
import { operationRoutes } from './operation.ts';
import { projectionRoutes } from './projections.ts';
import { reactionRoutes } from './reactions.ts';
import { registryRoutes } from './registry.ts';
import { stateRoutes } from './state.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { statusRoutes } from './status.ts';

/** A fixed segment precedes a parameter in the same place: `/events` before `/{id}`. */
export const routeTable: readonly Route[] = [
  ...homeRoutes,
  ...statusRoutes,
  ...accessRoutes,
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
