import { mostOfResult } from '../held-results.ts';
import { Problem } from '../answers/problem.ts';
import { takes } from '../parameters/parameter-table.ts';
import { aggregateOf } from '../answers/registered.ts';
import type { Route } from '../pipeline/route.ts';
import { withinRoom } from '../pipeline/within-room.ts';

/** Tables recorded by inspections, through an aggregate that they belong to. No route here starts an inspection. */
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
    rows: 'result',
    statuses: [409, 503],
    query: takes.page,
    freshness: 'store',
    resolve: async (call) => {
      const aggregate = aggregateOf(call.domain, call.path['agg']);
      const wanted = call.path['table'] ?? '';
      const { limits } = call.options.settings;
      const { resultMilliseconds: milliseconds } = limits;
      const most = mostOfResult(limits);
      const table = await withinRoom(call.lease, { most }, (room) =>
        call.options.inspections.find(wanted, side, { ...room, ...call.reading, milliseconds }),
      );
      if (table === undefined || !table.aggregates.includes(aggregate.name)) {
        throw new Problem('H4043', `no inspection of aggregate '${aggregate.name}' recorded a table '${wanted}'`);
      }
      return {
        needs: table.aggregates.map((each) => `read:${each}$Events`),
        answer: async ({ limit, offset }) => {
          const page = { ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
          const { cleared } = call.caller;
          const rows = await withinRoom(call.lease, { most, by: 'other' }, (room) =>
            table.read({ ...page, cleared, budget: { ...room, milliseconds } }),
          );
          return { kind: 'table', table: rows };
        },
      };
    },
  };
}
