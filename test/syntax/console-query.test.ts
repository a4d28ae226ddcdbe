import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { placeOf } from '../../language/source/source-file.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';

/** Texts for a console, each with its kind or the place where it is refused. */
const table: readonly (readonly [string, string])[] = [
  ['SELECT 1', 'query'],
  ['with a as (select 1) select * from a;', 'query'],
  ['SELECT 1;;', 'query'],
  ["SELECT '; DELETE FROM events; --' AS x", 'query'],
  ['SELECT * FROM t WHERE event_type = \'Update\' AND "delete" IS NULL', 'query'],
  ['SELECT data.into, data.for FROM t', 'query'],
  ['SELECT SUBSTRING(a FROM 1 FOR 2)', 'query'],
  ['(SELECT 1) UNION (SELECT 2)', 'query'],
  ['(((SELECT 1)))', 'query'],
  ['((((SELECT 1)) UNION (((SELECT 2)))) LIMIT 1)', 'query'],
  ['WITH a AS ((((SELECT 1)))) SELECT (((SELECT 1))), EXISTS ((((SELECT 1)))), ((((1)))) FROM a', 'query'],
  [`${'('.repeat(200)}SELECT 1${')'.repeat(200)}`, 'query'],
  [`${'('.repeat(201)}SELECT 1${')'.repeat(201)}`, 'error 1:201'],
  ['DELETE FROM events', 'not-a-query 1:1'],
  ['/* SELECT */ DELETE FROM events', 'not-a-query 1:14'],
  ['((DELETE', 'not-a-query 1:3'],
  ['EXPLAIN SELECT 1', 'not-a-query 1:1'],
  ['VALUES (1)', 'not-a-query 1:1'],
  ['EXECUTE F()', 'not-a-query 1:1'],
  ['DO $$ BEGIN DELETE FROM events; END $$', 'not-a-query 1:1'],
  ['WITH x AS (SELECT 1) INSERT INTO t VALUES (1)', 'not-a-query 1:22'],
  ['WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d', 'not-a-query 1:12'],
  ['SELECT 1; DELETE FROM events', 'second-statement 1:11'],
  ['SELECT 1; SELECT 2', 'second-statement 1:11'],
  ["SELECT '\\'; DELETE FROM events; --'", 'second-statement 1:13'],
  ['SELECT * INTO stolen FROM events', 'clause 1:10'],
  ['SELECT * FROM events FOR UPDATE', 'clause 1:22'],
  ['SELECT * FROM (SELECT * FROM t FOR SHARE) x', 'clause 1:32'],
  ['', 'error 1:1'],
  ['-- nothing', 'error 1:11'],
  ['\ufeffDELETE FROM events', 'error 1:1'],
  ['SELECT 1\0; DELETE FROM events', 'error 1:9'],
  ['SELECT * FROM events /*', 'error 1:22'],
  ['SELECT * FROM [sqlite_master]', 'error 1:15'],
  ['SELECT (DELETE FROM t)', 'error 1:16'],
  ['ＤＥＬＥＴＥ FROM events', 'error 1:1'],
];

for (const [text, expected] of table) {
  test(JSON.stringify(text), () => {
    const file = { name: 'sql', text };
    const { outcome, diagnostics } = parseQuery(file);
    const [fault] = diagnostics;
    const place = fault === undefined ? undefined : placeOf(file, fault.span.start);
    assert.is(place === undefined ? outcome : `${outcome} ${place.line}:${place.column}`, expected);
  });
}

test.run();
