import { projectionOf } from '../answers/registered.ts';
import { relationAccess } from './relation-access.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { Access, Call, Route } from '../route.ts';

/** The rows of projections. */
export const projectionRoutes: readonly Route[] = [
  {
    name: 'projection',
    method: 'GET',
    path: '/api/projections/{name}/query',
    summary: 'The rows of a projection, in its own order',
    rights: ['read:{name}'],
    answers: 'table',
    rows: 'projection',
    statuses: [409, 503],
    query: takes.rows,
    past: 'relation',
    freshness: 'store',
    resolve,
  },
];

function resolve(call: Call): Access {
  const { name, columns, query } = projectionOf(call.domain, call.path['name']);
  return relationAccess(call, {
    relation: name,
    columns: columns.filter((column) => column.hidden !== true),
    what: `projection '${name}'`,
    usesTime: query.usesTime === true,
  });
}
