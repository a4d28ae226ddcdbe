import { projectionOf } from '../answers/registered.ts';
import type { Access, Call, Route } from '../pipeline/route.ts';
import { named, readResult } from '../answers/selection.ts';

/** The rows of projections. */
export const projectionRoutes: readonly Route[] = [
  {
    name: 'projection',
    method: 'GET',
    path: '/api/projections/{name}/query',
    summary: 'The rows of a projection, in its own order',
    rights: ['read:{name}'],
    answers: 'table',
    statuses: [409, 503],
    query: ['page'],
    freshness: 'store',
    resolve,
  },
];

function resolve(call: Call): Access {
  const projection = projectionOf(call.domain, call.path['name']);
  return {
    usesTime: projection.query.usesTime === true,
    answer: async (parameters) => {
      const rows = readResult(call, {
        ...parameters,
        relation: projection.name,
        columns: projection.columns.filter((column) => column.hidden !== true).map((column) => column.name),
        order: 'own',
      });
      return { kind: 'table', table: await named(`projection '${projection.name}'`, rows) };
    },
  };
}
