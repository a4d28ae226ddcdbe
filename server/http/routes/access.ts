import { raw } from '../../../runtime/engine/raw.ts';
import { pageOf } from '../../operation/describe/meta-rows.ts';
import { shownTable } from '../../operation/shown.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { Route } from '../route.ts';

/** The access of the caller itself (docs/callers.md#seeing-what-is-allowed). */
export const accessRoutes: readonly Route[] = [
  {
    name: 'access',
    method: 'GET',
    path: '/api/access',
    summary: 'Relations and commands, as far as the caller may read and send them, and which rows and values it sees',
    rights: [],
    answers: 'table',
    rows: 'access',
    statuses: [503],
    query: takes.page,
    freshness: 'never',
    resolve: ({ options, domain, caller }) => ({
      answer: async (parameters) => {
        const { access } = await options.late();
        const table = await access(domain, caller);
        return { kind: 'table', table: shownTable(raw(pageOf(table, parameters)), caller) };
      },
    }),
  },
];
