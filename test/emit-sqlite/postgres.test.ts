/** Whole queries where language.md is silent: PostgreSQL gives the same rows, or fails or refuses alike. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openTwins } from './postgres.ts';

const twins = await openTwins();

/** A chapter of queries whose answers must agree. */
function agree(chapter: string, queries: readonly string[]): void {
  test(chapter, async () => {
    for (const query of queries) assert.equal(twins.ours(query), await twins.theirs(query), query);
  });
}

const numbers = 'FROM (VALUES (1, 1, 2), (2, 1, 1), (3, 1, NULL), (4, 2, NULL), (5, 2, NULL)) AS t(x, k, n)';
const bad = 'FROM (VALUES (1, 0), (2, -1), (3, NULL)) AS t(x, n)';

agree('numbers of rows that window functions take', [
  ...['NTILE(0)', 'NTILE(-1)', 'NTILE(NULL)', 'NTILE(NULL::INT)', 'NTILE(2)', 'NTILE(n)', 'NTILE(1 - 1)'].flatMap(
    (call) => [
      `SELECT x, ${call} OVER (PARTITION BY k ORDER BY x) ${numbers} ORDER BY x`,
      `SELECT x, ${call} OVER (ORDER BY x) ${bad} ORDER BY x`,
      `SELECT x, ${call} OVER (ORDER BY x) ${bad} WHERE x > 5`,
    ],
  ),
  ...[
    '0',
    '-1',
    '-2',
    'NULL',
    'NULL::INT',
    '2',
    'n',
    'x - 3',
    '(SELECT MAX(u.n) FROM (VALUES (1), (2)) AS u(n))',
  ].flatMap((n) =>
    ['NTH_VALUE(x, #)', 'LAG(x, #)', 'LAG(x, #, 9)', 'LEAD(x, #, 9)'].flatMap((call) => [
      `SELECT x, ${call.replace('#', n)} OVER (PARTITION BY k ORDER BY x) ${numbers} ORDER BY x`,
      `SELECT x, ${call.replace('#', n)} OVER (ORDER BY x DESC) ${bad} ORDER BY x`,
    ]),
  ),
]);

agree('windows beside other clauses', [
  `SELECT k, SUM(SUM(x)) OVER (), RANK() OVER (ORDER BY k DESC) ${numbers} GROUP BY k HAVING COUNT(*) > 1 ORDER BY k`,
  `SELECT SUM(SUM(x)) OVER (), AVG(SUM(x)) OVER (ORDER BY SUM(x)) ${numbers}`,
  `SELECT x, COUNT(*) OVER (ORDER BY x) BETWEEN 2 AND 3 ${numbers} ORDER BY RANK() OVER (ORDER BY x DESC)`,
  `SELECT x, AVG(x * 10000000000) OVER (PARTITION BY (SELECT AVG(9000000000) OVER (PARTITION BY t.k)) ORDER BY x) > 0 ${numbers} ORDER BY x`,
]);

test('the twins end', () => twins.close());

test.run();
