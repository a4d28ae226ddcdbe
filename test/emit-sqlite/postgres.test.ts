/** Whole queries where docs/language.md is silent: PostgreSQL gives the same rows, or fails or refuses alike. */
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

agree('windows with other clauses', [
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

const inner = '(VALUES (1), (2)) AS u(z)';
agree('an aggregate of outer and own columns belongs to the inner query, even if it never needs its own', [
  `SELECT (SELECT SUM(COALESCE(t.n, u.z)) FROM ${inner}) FROM (VALUES (7), (8)) AS t(n)`,
  `SELECT (SELECT MAX(COALESCE(t.n, u.z)) FROM ${inner} WHERE FALSE) FROM (VALUES (7), (8)) AS t(n) WHERE FALSE`,
  `SELECT (SELECT STRING_AGG(COALESCE(t.b, u.z::TEXT), '-') FROM ${inner}) FROM (VALUES ('x'), ('y')) AS t(b)`,
  `SELECT (SELECT SUM(COALESCE(t.n, u.z)) FROM ${inner}) ${values} ORDER BY t.b, t.p`,
  ...['FALSE', 'TRUE', 'NULL', '1 = 2', 'FALSE AND t.n > 1', 'u.z > 1', 't.n > 7'].flatMap((filter) => [
    `SELECT (SELECT SUM(COALESCE(t.n, u.z)) FILTER (WHERE ${filter}) FROM ${inner}) FROM (VALUES (7), (8)) AS t(n)`,
    `SELECT n FROM (VALUES (7), (8)) AS t(n) WHERE (SELECT COUNT(COALESCE(t.n, u.z)) FILTER (WHERE ${filter}) FROM ${inner}) < 2 ORDER BY n`,
  ]),
]);

agree('BOOL_AND, BOOL_OR and EVERY', [
  `SELECT BOOL_AND(f), BOOL_OR(f), EVERY(f), BOOL_AND(DISTINCT f), BOOL_OR(n > 1) FILTER (WHERE p > 0) ${values}`,
  `SELECT BOOL_AND(f), BOOL_OR(f), EVERY(f) ${values} WHERE FALSE`,
  `SELECT n, every(f), BOOL_OR(p = 1.5) ${values} GROUP BY n HAVING BOOL_AND(b <> 'B') IS NOT TRUE ORDER BY n NULLS LAST`,
  `SELECT b, BOOL_AND(f) OVER (ORDER BY p), BOOL_OR(f) FILTER (WHERE n = 1) OVER (PARTITION BY n), EVERY(p >= 0) OVER () ${values} ORDER BY p, b`,
  `SELECT every FROM (SELECT EVERY(f) ${values}) AS u`,
  `SELECT (SELECT BOOL_OR(t.f)), BOOL_AND(NULL), BOOL_AND('t') ${values}`,
  ...['BOOL_AND(n)', 'EVERY(b)', 'BOOL_OR(f, f)', 'BOOL_OR(*)', 'BOOL_AND()'].map((call) => `SELECT ${call} ${values}`),
]);

agree('BETWEEN SYMMETRIC', [
  ...[
    ...['n BETWEEN SYMMETRIC 2 AND 1', 'n NOT BETWEEN SYMMETRIC 2 AND 1', 'p BETWEEN SYMMETRIC n AND -1'],
    ...['p BETWEEN SYMMETRIC NULL AND 0', 'n NOT BETWEEN SYMMETRIC 5 AND NULL', "b BETWEEN SYMMETRIC 'b' AND 'a'"],
    ...['f BETWEEN SYMMETRIC TRUE AND f', "p BETWEEN SYMMETRIC '1.5' AND '0'", 'n BETWEEN SYMMETRIC n - 1 AND n + p'],
    ...['n BETWEEN SYMMETRIC 3 AND 10 / (n - 1)', 'n BETWEEN SYMMETRIC 10 / (n - 2) AND 0'],
    ...['n BETWEEN SYMMETRIC b AND 1', 'n BETWEEN SYMMETRIC 1'],
    'p BETWEEN SYMMETRIC 9007199254740993 AND 0.000001',
  ].map((x) => `SELECT b, ${x} ${values} ORDER BY b`),
  `SELECT COUNT(*) ${values} WHERE n BETWEEN SYMMETRIC 2 AND 0 AND NOT p BETWEEN SYMMETRIC 1 AND -1`,
]);

agree('literals with VARCHAR(n) and DECIMAL(p,s)', [
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

agree(
  'the WINDOW clause',
  [
    'SELECT x, SUM(x) OVER w, RANK() OVER (w ORDER BY x DESC), COUNT(*) OVER (w) # WINDOW w AS (PARTITION BY k) ORDER BY x',
    'SELECT x, SUM(x) OVER v # WINDOW w AS (PARTITION BY k), v AS (w ORDER BY x ROWS 1 PRECEDING) ORDER BY SUM(x) OVER v, x',
    'SELECT k, SUM(SUM(x)) OVER w # GROUP BY k HAVING COUNT(*) > 1 WINDOW w AS (ORDER BY k) ORDER BY k',
    'SELECT x, (SELECT SUM(t.x) OVER w FROM (VALUES (1)) AS u(y) WINDOW w AS ()) # WINDOW w AS (ORDER BY k) ORDER BY x',
    'SELECT x, SUM(x) OVER (v) # WINDOW w AS (ORDER BY x), v AS (w ROWS 1 PRECEDING)',
    'SELECT x, SUM(x) OVER (w ROWS 1 PRECEDING) # WINDOW w AS (ORDER BY x) ORDER BY x',
    'SELECT x, SUM(x) OVER (w PARTITION BY k) # WINDOW w AS (ORDER BY x)',
    'SELECT x, SUM(x) OVER (w ORDER BY k) # WINDOW w AS (ORDER BY x)',
    'SELECT x, SUM(x) OVER v # WINDOW v AS (w), w AS (ORDER BY x)',
    'SELECT x, (SELECT SUM(x) OVER w) # WINDOW w AS (ORDER BY k)',
    'SELECT x # WINDOW w AS (ORDER BY nope)',
    'SELECT x # WINDOW w AS (), w AS ()',
    'SELECT COUNT(*) OVER (GROUPS 1 PRECEDING) #',
  ].map((query) => query.replace('#', numbers)),
);

/** Every second of these rows has the same k as its neighbour; x is unique. */
const steps =
  'FROM (VALUES (1, 1, 1.00), (2, 1, 1.25), (3, 2, 1.30), (4, 2, 1.5), (5, 4, 3), (6, 7, NULL), (7, NULL, NULL)) AS t(x, k, p)';
const frames = ['ROWS', 'GROUPS', 'RANGE'].flatMap((unit) =>
  [
    ...['UNBOUNDED PRECEDING', '1 PRECEDING', 'BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'CURRENT ROW'],
    ...[
      'BETWEEN 1 PRECEDING AND 1 FOLLOWING',
      'BETWEEN 2 PRECEDING AND 1 PRECEDING',
      'BETWEEN 1 FOLLOWING AND 3 FOLLOWING',
    ],
    'BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING',
  ].flatMap((rows) =>
    ['', ' EXCLUDE CURRENT ROW', ' EXCLUDE GROUP', ' EXCLUDE TIES', ' EXCLUDE NO OTHERS'].map(
      (exclude) => `${unit} ${rows}${exclude}`,
    ),
  ),
);

agree(
  'frames',
  frames.map((frame, index) => {
    const key = ['k', 'k DESC', 'k NULLS FIRST'][index % 3] ?? 'k';
    // The order of a frame of ROWS within equal rows is undefined, so x decides there.
    const order = frame.startsWith('ROWS') ? `${key}, x` : key;
    return `SELECT x, SUM(x) OVER w, COUNT(*) OVER w, MIN(p) OVER w ${steps} WINDOW w AS (ORDER BY ${order} ${frame}) ORDER BY x`;
  }),
);

agree(
  'distances over a DECIMAL',
  ['0.25 PRECEDING', 'BETWEEN 0.2 PRECEDING AND 0.05 FOLLOWING', 'BETWEEN 1 FOLLOWING AND 2.00 FOLLOWING'].flatMap(
    (rows) =>
      ['p', 'p DESC NULLS LAST'].map(
        (order) => `SELECT x, SUM(x) OVER (ORDER BY ${order} RANGE ${rows}) ${steps} ORDER BY x`,
      ),
  ),
);

test('both servers stop', () => twins.close());

test.run();
