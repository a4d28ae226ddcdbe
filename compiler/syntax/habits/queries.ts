import type { Habit } from './habit.ts';

const noLock =
  'a query only reads, so there is nothing to lock: nothing changes between the STATE of a decision and its events';
const fetch = 'FETCH FIRST n ROWS ONLY is written LIMIT n';
const minus = 'MINUS is written EXCEPT';

/** Forms in queries (docs/language.md#queries). */
export const queryHabits: readonly Habit[] = [
  {
    typed: 'DISTINCT ^ON',
    instead: 'there is no DISTINCT ON: SELECT key, LAST(x) … GROUP BY key gives one row for each key',
  },
  { typed: 'SELECT «TOP ^<number>»', instead: 'TOP n is written LIMIT n, at the end of the query' },
  { typed: 'LIMIT <number> ^, <number>', instead: 'LIMIT takes one number: LIMIT 5, 10 is written LIMIT 10 OFFSET 5' },
  { typed: '^FETCH', instead: fetch },
  { typed: 'OFFSET <number> «^ROWS»', instead: 'OFFSET takes the number alone: OFFSET n', fix: '' },
  { typed: 'OFFSET <number> «^ROW»', instead: 'OFFSET takes the number alone: OFFSET n', fix: '' },
  { typed: '^FOR UPDATE', instead: noLock },
  { typed: '^FOR SHARE', instead: noLock },
  { typed: '^INTO', instead: 'a query stores nothing: CREATE TABLE t AS SELECT … keeps its rows for the session' },
  { typed: '^NATURAL', instead: 'there is no NATURAL JOIN: JOIN … USING (a) names the columns that are equal' },
  { typed: 'CROSS «^APPLY»', instead: 'CROSS APPLY is written CROSS JOIN LATERAL (SELECT …)', fix: 'JOIN LATERAL' },
  { typed: '^OUTER APPLY', instead: 'OUTER APPLY is written LEFT JOIN LATERAL (SELECT …) t ON TRUE' },
  { typed: '^MINUS', instead: minus, fix: 'EXCEPT' },
  { typed: '«MINUS» ^SELECT', instead: minus, fix: 'EXCEPT' },
  { typed: 'GROUPING ^SETS', instead: 'there are no grouping sets: join one query for each grouping with UNION ALL' },
  { typed: '^WITH ROLLUP', instead: 'there is no ROLLUP: join one query for each grouping with UNION ALL' },
  {
    typed: 'UPCAST FROM EVENT ^(',
    instead: 'the name of the stored event comes before its fields: UPCAST FROM EVENT Old ( … ) AS ( … )',
  },
  {
    typed: 'FROM <name> ^(',
    instead: 'a FROM reads relations, not functions: WITH RECURSIVE counts rows, and LATERAL (SELECT …) computes them',
  },
  { typed: '^RETURNING', instead: 'there is no RETURNING: EXECUTE answers with the events that it made' },
];
