import { aggregateOf } from '../answers/registered.ts';
import { mostOfResult } from '../../operation/room/held-results.ts';
import { takes } from '../parameters/parameter-table.ts';
import { visibleStreams } from '../../operation/read/read.ts';
import type { Route } from '../route.ts';
import { withinRoom } from '../../operation/room/within-room.ts';

/** Routes for recorded commands of an aggregate. */
export const commandRoutes: readonly Route[] = [
  {
    name: 'commands',
    method: 'GET',
    path: '/api/aggregates/{agg}/commands',
    summary: 'The recorded commands of an aggregate, by entry',
    rights: ['read:{agg}$Commands'],
    answers: 'table',
    rows: 'result',
    statuses: [409, 503],
    query: takes.commands,
    past: 'commands',
    freshness: 'store',
    resolve: async (call) => {
      const { name } = aggregateOf(call.domain, call.path['agg']);
      const { columns, read } = await (await call.options.late()).commands(call.domain, name);
      const shown = columns.filter(({ hidden }) => hidden !== true).map((column) => column.name);
      const { limits } = call.options.settings;
      const { resultMilliseconds: milliseconds } = limits;
      return {
        columns,
        shows: [`${name}$Commands`],
        answer: async ({ select = shown, until: _, ...page }) => {
          const { caller, moment } = call;
          const until = moment === undefined ? {} : { until: moment };
          const table = await withinRoom(call.lease, { most: mostOfResult(limits), by: 'other' }, (room) =>
            read({
              ...page,
              select,
              caller,
              ...until,
              visible: (ids) => visibleStreams(call, name, ids),
              budget: { ...room, milliseconds },
            }),
          );
          return { kind: 'table', table };
        },
      };
    },
  },
];
