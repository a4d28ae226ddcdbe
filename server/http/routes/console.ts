import { asOfHeaders } from '../answers/as-of.ts';
import { mostOfResult } from '../../operation/room/held-results.ts';
import { refuseRepeatedNames } from '../representation/column-names.ts';
import type { Route } from '../route.ts';
import { consoleText } from '../request/console-text.ts';
import { withinRoom, type WithinRoom } from '../../operation/room/within-room.ts';

/** The read-only SQL console (docs/http.md#schema-and-console). */
export const consoleRoutes: readonly Route[] = [
  {
    name: 'query',
    method: 'POST',
    path: '/api/query',
    summary: 'Answers one SELECT or WITH statement',
    rights: ['query'],
    answers: 'table',
    rows: 'result',
    statuses: [413, 415, 503],
    query: ['as_of'],
    freshness: 'never',
    body: 'query',
    enabled: (options) => options.console === true,
    resolve: (call) => ({
      answer: async ({ asOf: asked }, { byColumn }) => {
        const { limits } = call.options.settings;
        const { consoleBytes, consoleResultBytes } = limits;
        const sent = consoleText(await call.body({ bytes: consoleBytes, stringBytes: consoleBytes }));
        const text = { ...sent, ...(asked !== undefined && { asOf: asked }), signal: call.lease.released };
        const { query } = await call.options.late();
        const most = Math.min(consoleResultBytes, mostOfResult(limits));
        const within: WithinRoom = (read) => withinRoom(call.lease, { most, by: 'other' }, read);
        const { table, asOf } = await query(text, call.caller, within, call.deliveries.standings);
        // Only Arrow can hold repeated names. The fault is of the whole result, as with a result over its budget.
        if (!byColumn) refuseRepeatedNames(table.columns, '1:1 ');
        return { kind: 'table', table, ...(asOf === undefined ? {} : { headers: asOfHeaders(asOf) }) };
      },
    }),
  },
];
