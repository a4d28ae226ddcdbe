/** A query that fails on its data: each expression that can fail, at each place of a query that takes one, is named by its place in the text. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const server = await startSample({ services: true });
test.after(() => server.stop());

/** Expressions of whole numbers that fail on a row with a zero, a one and a word, each with its failure. */
const expressions: readonly (readonly [text: string, message: string])[] = [
  ['1 / zero', 'division by zero'],
  ['one % zero', 'division by zero'],
  ['2147483647 + one', 'a value does not fit INT'],
  ['CAST(word AS INT)', 'the text is not a valid INT'],
  ['word::INT', 'the text is not a valid INT'],
  ['CAST(SQRT(zero - one) AS INT)', 'SQRT: cannot take the square root of a negative number'],
  ['LENGTH(SUBSTRING(word, 1, zero - one))', 'SUBSTRING: the length must not be negative'],
  ['(SELECT n FROM (VALUES (1), (2)) AS s(n))', 'a subquery used as a value has several rows'],
];

/** The part of an expression that fails, where that is not the whole. */
const within: Readonly<Record<string, string>> = {
  'CAST(SQRT(zero - one) AS INT)': 'SQRT(zero - one)',
  'LENGTH(SUBSTRING(word, 1, zero - one))': 'SUBSTRING(word, 1, zero - one)',
};

/** Queries over that row, with `?` for the expression. */
const places: readonly string[] = [
  'SELECT ? AS n FROM t',
  "SELECT\n  word, 'schemac_x(' AS said,\n  ? AS n FROM t",
  'SELECT 1 AS n FROM t WHERE ? > 0',
  'SELECT 1 AS n FROM t WHERE one = 1 AND ? > 0',
  'SELECT 1 AS n FROM t JOIN (SELECT 5 AS five) AS u ON u.five = 5 AND u.five < ?',
  'SELECT CASE WHEN one = 1 THEN ? ELSE 0 END AS n FROM t',
  'SELECT one IN (3, ?) AS n FROM t',
  'SELECT COALESCE(NULLIF(one, 1), ?) AS n FROM t',
  'SELECT SUM(?) AS n FROM t',
  'SELECT one, MAX(?) AS n FROM t GROUP BY one ORDER BY one',
  'SELECT COUNT(*) AS n FROM t GROUP BY ?',
  'SELECT COUNT(*) AS n FROM t GROUP BY zero, one, word HAVING ? > 0',
  'SELECT one FROM t ORDER BY ?, one',
  'SELECT SUM(?) OVER (ORDER BY one) AS n FROM t',
  'SELECT ROW_NUMBER() OVER (ORDER BY ?) AS n FROM t',
  'SELECT n + 1 AS m FROM (SELECT ? AS n FROM t) AS d',
  'WITH c AS (SELECT ? AS n FROM t) SELECT n FROM c UNION ALL SELECT 1 AS n',
  'SELECT (SELECT MAX(?) FROM t) AS n',
  'SELECT EXISTS (SELECT 1 FROM t WHERE ? > 0) AS n',
  'SELECT one FROM t WHERE one IN (SELECT ? FROM t)',
  'SELECT DISTINCT ABS(?) AS n FROM t LIMIT 5',
];

const rows = "(SELECT * FROM (VALUES (0, 1, 'one'), (0, 1, 'one')) AS v(zero, one, word) LIMIT 1)";

for (const place of places)
  test(`an expression that fails is named in ${place}`, async () => {
    const found: (readonly [string, string])[] = [];
    const wanted: (readonly [string, string])[] = [];
    for (const [expression, message] of expressions) {
      const head = `WITH t AS ${rows}`;
      const body = place.startsWith('WITH ') ? `, ${place.slice(5)}` : ` ${place}`;
      const sql = `${head}${body}`.replace('?', () => expression);
      const answer = await server.post('/api/query', { sql });
      const { error } = (await answer.json()) as { readonly error: string };
      const [, line, column, said = error] = /^(?:(\d+):(\d+) )?([^]*?)(?:, column '[^]*)?$/.exec(error) ?? [];
      const before = sql.split('\n').slice(0, Number(line) - 1);
      const from = before.reduce((sum, { length }) => sum + length + 1, Number(column) - 1);
      const named = within[expression] ?? expression;
      found.push([said, sql.slice(from, from + named.length)]);
      wanted.push([message, named]);
    }
    assert.equal(found, wanted);
  });

test.run();
