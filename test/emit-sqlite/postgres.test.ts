/** Whole queries where language.md is silent: PostgreSQL gives the same rows, or fails or refuses alike. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openTwins } from './postgres.ts';

const twins = await openTwins();

const values =
  "FROM (VALUES ('b', 2, 1.50, TRUE), ('a', 1, 1.5, NULL), (NULL, NULL, NULL, FALSE), ('B', 1, -1, TRUE), ('ä', 2, 0, NULL)) AS t(b, n, p, f)";
const codes =
  "FROM (VALUES (1, CAST('ab' AS VARCHAR(3)), CAST(1.2 AS DECIMAL(5,2))), (2, NULL, NULL), (3, 'abc', 999.99)) AS t(id, code, price)";

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

agree('DISTINCT values stand in their order', [
  ...['b', 'n', 'p', 'f'].map((x) => `SELECT ARRAY_AGG(DISTINCT ${x}) ${values}`),
  `SELECT ARRAY_AGG(DISTINCT b) FILTER (WHERE n > 1), STRING_AGG(DISTINCT b, '-') FILTER (WHERE n = 7) ${values}`,
  `SELECT n % 2 AS g, STRING_AGG(DISTINCT b, ', '), ARRAY_AGG(DISTINCT n ORDER BY n DESC) ${values} GROUP BY n % 2 ORDER BY 1`,
  `SELECT STRING_AGG(DISTINCT b, ', ' ORDER BY b DESC), ARRAY_AGG(DISTINCT b ORDER BY b NULLS FIRST) ${values}`,
  `SELECT ARRAY_AGG(DISTINCT b ORDER BY n) ${values}`,
]);

agree('literals beside VARCHAR(n) and DECIMAL(p,s)', [
  ...[
    ...["COALESCE(code, 'unknown')", "code IN ('abcd', 'ab')", "code NOT IN ('abcd', 'cd')", "NULLIF(code, 'abcd')"],
    ...["CASE code WHEN 'abcd' THEN 1 WHEN 'ab' THEN 2 ELSE 3 END", "CASE WHEN id = 1 THEN code ELSE 'longer' END"],
    ...["GREATEST(code, 'abcd')", "LEAST('abcd', code)", "LAG(code, 1, 'nothing') OVER (ORDER BY id)"],
    ...["code BETWEEN 'aaaa' AND 'bbbb'", "code = 'abcd'", "code IS DISTINCT FROM 'abcd'", "code || 'cdef'"],
    ...[
      "code IN (SELECT 'abcd')",
      "code IN (VALUES ('abcd'), ('ab'))",
      "CAST(COALESCE(code, 'unknown') AS VARCHAR(4))",
    ],
    ...["COALESCE(price, '1.234')", "price = '1.234'", "GREATEST(price, '1.234')", "price IN ('1.200', '12345.6')"],
  ].map((x) => `SELECT id, ${x} ${codes} ORDER BY id`),
  `SELECT code ${codes} UNION SELECT 'abcdef' ORDER BY 1`,
  `SELECT 'abcdef' UNION ALL (VALUES ('x'), (NULL), ('abcdefg')) UNION ALL SELECT code ${codes} ORDER BY 1`,
  `SELECT code ${codes} EXCEPT SELECT 'abcdef' ORDER BY 1`,
  `SELECT * FROM (VALUES (CAST('ab' AS VARCHAR(3))), ('abcdef')) AS v(x) ORDER BY 1`,
]);

agree('literals of dates, and signs', [
  ...['2024-05-06T10:00:00', '2024-05-06T23:00:00-05:00', ' 2024-05-06 ', '2024-05-06'].flatMap((text) => [
    `SELECT DATE('${text}'), CAST('${text}' AS DATE), '${text}'::DATE`,
    `SELECT DATE(t.x), CAST(t.x AS DATE) FROM (VALUES (CAST('${text}' AS TEXT))) AS t(x)`,
  ]),
  ...['- -2147483648', '2 * -2147483648', '-2147483648 - 1', '-(-(-2147483648))', '- - - -7', '-2147483648'].map(
    (number) => `SELECT ${number} AS n`,
  ),
  ...['century', 'millennium', 'week', 'quarter', 'microsecond', 'milliseconds', 'decades'].map(
    (unit) => `SELECT DATE_TRUNC('${unit}', TIMESTAMP '0011-01-01T00:00:00.123456Z') = TIMESTAMP '0001-01-01'`,
  ),
  ...[
    "'a' LIKE 'b\\'",
    "'ab' LIKE 'b\\'",
    "'ab' LIKE '%b\\'",
    "'' LIKE '\\'",
    "'ab' LIKE 'a\\'",
    "'a' LIKE 'a%\\'",
  ].map((like) => `SELECT ${like} AS matches`),
]);

test('the twins end', () => twins.close());

test.run();
