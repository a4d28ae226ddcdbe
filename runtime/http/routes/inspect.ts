import { Problem } from '../problem.ts';
import { aggregateOf } from '../registered.ts';
import type { Route } from '../route.ts';

/** Tables that inspections recorded, through an aggregate that they are about. Nothing here starts an inspection. */
export const inspectRoutes: readonly Route[] = [
  tables('inspect', '/api/aggregates/{agg}/inspect/{table}', 'either', 'A table that an inspection recorded'),
  tables('inspect_input', '/api/aggregates/{agg}/inspect/input/{table}', 'input', 'A table that an inspection read'),
  tables(
    'inspect_output',
    '/api/aggregates/{agg}/inspect/output/{table}',
    'output',
    'A table that an inspection wrote',
  ),
];

function tables(name: string, path: string, side: 'input' | 'output' | 'either', summary: string): Route {
  return {
    name,
    method: 'GET',
    path,
    summary,
    rights: ['read:{agg}$Events', 'read:meta_inspections'],
    answers: 'table',
    statuses: [409],
    query: ['page'],
    freshness: 'store',
    resolve: async (call) => {
      const aggregate = aggregateOf(call.domain, call.path['agg']);
      const wanted = call.path['table'] ?? '';
      const table = await call.options.inspections.find(wanted, side);
      if (table === undefined || !table.aggregates.includes(aggregate.name)) {
        throw new Problem(404, `no inspection of aggregate '${aggregate.name}' recorded a table '${wanted}'`);
      }
      return {
        needs: table.aggregates.map((each) => `read:${each}$Events`),
        answer: async ({ limit, offset }) => ({
          kind: 'table',
          table: await table.read({
            cleared: call.caller.cleared,
            ...(limit === undefined ? {} : { limit }),
            ...(offset === undefined ? {} : { offset }),
          }),
        }),
      };
    },
  };
}
