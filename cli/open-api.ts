import { createHash } from 'node:crypto';
import type { Catalog } from '../compiler/index.ts';
import { openApiText, type DescribedDomain } from '../runtime/http/openapi/document.ts';
import { routesOf } from '../runtime/http/route-table.ts';
import { defaultHttpLimits } from '../runtime/http/settings.ts';

/**
 * The OpenAPI document of a schema: what a server of it answers at `/openapi.json` while its configuration names no credentials and
 * enables no further routes.
 */
export function openApiOf(catalog: Catalog, exportText: string, version: string): string {
  const settings = { allowedHosts: [], allowedOrigins: [], metrics: 'here', limits: defaultHttpLimits } as const;
  return openApiText({ version, settings }, describedDomain(catalog, exportText), routesOf({ settings }));
}

/** What the document needs of the domain that the catalog is generated to. */
function describedDomain({ blocks }: Catalog, exportText: string): DescribedDomain {
  return {
    hash: createHash('sha256').update(exportText).digest('hex'),
    aggregates: blocks.aggregate.map(({ name, state, eventColumns }) => ({
      name,
      stateColumns: state.columns,
      eventColumns,
    })),
    commands: blocks.command,
    decisions: blocks.decision,
    projections: blocks.projection.map(({ name, query }) => ({ name, columns: query.columns })),
  };
}
