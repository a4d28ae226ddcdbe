/** Large texts: a text that the language accepts either runs, or fails as too complex; it never crashes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { Failure } from '../../language/failure/failure.ts';
import { openReadModel } from './database.ts';
import { openLanguage } from './language.ts';

const wide = openLanguage(
  `
  CREATE AGGREGATE A;
  CREATE COMMAND C (id STRING, b BIGINT, s STRING);
  CREATE EVENT E (b BIGINT, s STRING);
  CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (b := :b, s := :s);
  `,
  { A: [{ type: 'E', stream: 'x', data: { b: '1', s: 'a' } }] },
);

/** The first row, or the code of the failure; a query refused before it runs gives its message. */
function run(text: string): unknown {
  const refused = refusal(text);
  if (refused !== undefined) return refused;
  const { catalog } = wide.registry;
  const model = openReadModel(createReadModelDefinition(catalog), {
    A: [{ type: 'E', stream: 'x', data: { b: '1', s: 'a' } }],
  });
  try {
    return model
      .run(compileQuery(wide.bind(text), catalog))[0]
      ?.map(String)
      .join();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  } finally {
    model.close();
  }
}
function refusal(text: string): string | undefined {
  try {
    wide.bind(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replaceAll(/\s*\n\s*/g, '; ');
  }
}
const list = (count: number, part: string, between: string): string =>
  Array.from({ length: count }, () => part).join(between);
const nested = (count: number, open: string, core: string, close: string): string =>
  open.repeat(count) + core + close.repeat(count);

/** With `#` for the number. */
const numbered = (count: number, part: string, between: string): string =>
  Array.from({ length: count }, (_, index) => part.replaceAll('#', String(index))).join(between);
const crossed = (count: number): string => numbered(count, 'CROSS JOIN Reg."A$Events" x#', ' ');

const from = 'FROM Reg."A$Events"';
const examples: readonly (readonly [string, string, string])[] = [
  ['1000 conditions', `SELECT COUNT(*) AS c ${from} WHERE ${list(1000, 'data.b = 1', ' AND ')}`, '1'],
  ['1000 alternatives', `SELECT COUNT(*) AS c ${from} WHERE ${list(1000, 'data.b = 2', ' OR ')}`, '0'],
  ['1000 texts', `SELECT LENGTH(${list(1000, 'data.s', ' || ')}) AS c ${from}`, '1000'],
  ['1000 unions', `SELECT COUNT(*) AS c FROM (${list(1000, 'SELECT 1 AS x', ' UNION ALL ')}) t`, '1000'],
  ['5000 items of IN', `SELECT COUNT(*) AS c ${from} WHERE data.b IN (${list(5000, '1', ', ')})`, '1'],
  ['200 sums', `SELECT ${list(200, 'data.b', ' + ')} AS c ${from}`, '200'],
  ['190 levels of functions', `SELECT ${nested(190, 'ABS(', 'data.b', ')')} AS c ${from}`, '1'],
  ['190 levels of CASE', `SELECT ${nested(190, 'CASE WHEN data.b = 1 THEN ', '1', ' ELSE 2 END')} AS c ${from}`, '1'],
  ['64 levels of subqueries', `SELECT ${nested(64, '(SELECT ', '1', ')')} AS c`, '1'],
  [
    '64 levels of subqueries that may have several rows',
    `SELECT ${nested(64, '(SELECT data.b + ', '1', ` ${from})`)} AS c`,
    '65',
  ],
  [
    '65 levels of subqueries',
    `SELECT ${nested(65, '(SELECT ', '1', ')')} AS c`,
    'E0622 this has more than 64 subqueries inside one another',
  ],
  [
    '190 levels of BETWEEN',
    `SELECT COUNT(*) AS c ${from} WHERE ${nested(190, '(', '(data.b = 1)', ' BETWEEN FALSE AND TRUE)')}`,
    '1',
  ],
  ['190 derived tables', `SELECT c FROM ${nested(190, '(SELECT c FROM ', '(SELECT 1 AS c) x', ') x')}`, '1'],
  ['201 sums', `SELECT ${list(201, 'data.b', ' + ')} AS c ${from}`, '201'],
  [
    '600 sums',
    `SELECT ${list(600, 'data.b', ' + ')} AS c ${from}`,
    'E0622 this has more than 200 operators inside one another',
  ],
  ['1664 columns', `SELECT ${list(1664, 'SUM(data.b)', ', ')} ${from} HAVING COUNT(*) > 0`, list(1664, '1', ',')],
  [
    '1665 columns',
    `SELECT * FROM (SELECT ${numbered(1665, 'data.b AS c#', ', ')} ${from}) t`,
    'E0622 this has more than 1664 columns',
  ],
  [
    '8001 columns of *',
    `SELECT COUNT(*) AS c FROM (WITH w AS (SELECT ${numbered(1143, '1 AS c#', ', ')}) ${list(7, 'SELECT * FROM w', ' UNION ALL ')}) t`,
    'E0622 this has more than 8000 columns of * in one statement',
  ],
  [
    '16,263 columns of relations',
    `WITH w AS (SELECT ${numbered(1251, '1 AS c#', ', ')}) SELECT COUNT(*) AS c FROM ${numbered(13, 'w w#', ' CROSS JOIN ')}`,
    'E0622 this has more than 16000 columns of relations in one statement',
  ],
  ['1664 expressions to order by', `SELECT 1 AS c ${from} ORDER BY ${numbered(1664, 'data.b + #', ', ')}`, '1'],
  [
    '1665 keys',
    `SELECT 1 AS c ${from} ORDER BY ${numbered(1665, 'data.b + #', ', ')}`,
    'E0622 this has more than 1664 ORDER BY expressions',
  ],
  ['200 arguments', `SELECT GREATEST(${numbered(200, 'data.b * 1.5 + #', ', ')}) AS c ${from}`, '2005'],
  [
    '201 arguments',
    `SELECT COALESCE(${list(201, 'data.b', ', ')}) AS c ${from}`,
    'E0622 this has more than 200 arguments in one call',
  ],
  ['100 times EXCEPT ALL', `SELECT COUNT(*) AS c FROM (${numbered(101, 'SELECT # AS x', ' EXCEPT ALL ')}) t`, '1'],
  [
    '101 times EXCEPT ALL',
    `SELECT COUNT(*) AS c FROM (${numbered(102, 'SELECT # AS x', ' EXCEPT ALL ')}) t`,
    'E0622 this has more than 100 INTERSECT ALL and EXCEPT ALL in a row',
  ],
  [
    '501 rows of VALUES with subqueries',
    `SELECT COUNT(*) AS c FROM (VALUES ${list(501, '((SELECT 1))', ', ')}) t(x)`,
    'E0622 this has more than 500 rows of VALUES with a subquery',
  ],
  [
    '4 windows inside one another',
    `SELECT ${nested(4, '(SELECT AVG(data.b) OVER (PARTITION BY ', '1', `) ${from})`)} AS c`,
    '1000000',
  ],
  [
    '100 windows of one clause',
    `SELECT COUNT(*) OVER w99 AS c ${from} WINDOW w0 AS (ORDER BY seq), ${numbered(99, 'w# AS (w@)', ', ').replaceAll(/w(\d+) AS \(w@\)/g, (_, n: string) => `w${Number(n) + 1} AS (w${n})`)}`,
    '1',
  ],
  [
    '101 windows of one clause',
    `SELECT 1 AS c ${from} WINDOW ${numbered(101, 'w# AS ()', ', ')}`,
    'E0622 this has more than 100 windows in one WINDOW clause',
  ],
  [
    '5 windows inside one another',
    `SELECT ${nested(5, '(SELECT NTILE(', '1', `) OVER () ${from})`)} AS c`,
    'E0622 this has more than 4 window functions inside one another',
  ],
  [
    'two queries of 40 joins joined',
    `WITH t AS (SELECT t0.seq ${from} t0 ${crossed(39)}) SELECT COUNT(*) AS c FROM t JOIN (SELECT t0.seq ${from} t0 ${crossed(39)}) u ON u.seq = t.seq`,
    '1',
  ],
  [
    'a recursion that ends',
    'WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 1000) SELECT MAX(n) AS c FROM i',
    '1000',
  ],
  [
    'a recursion that is read no further',
    'WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i) SELECT n AS c FROM i LIMIT 1 OFFSET 9',
    '10',
  ],
  [
    'a recursion whose rows are all there already',
    'WITH RECURSIVE i AS (SELECT 1 AS n UNION SELECT n % 7 + 1 FROM i) SELECT COUNT(*) AS c FROM i',
    '7',
  ],
  [
    'a recursion without an end',
    `WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + x FROM i CROSS JOIN (VALUES (1), (2)) t(x)) SELECT COUNT(*) AS c FROM i`,
    'R0209',
  ],
  ['64 relations', `SELECT COUNT(*) AS c ${from} t0 ${crossed(63)}`, '1'],
  [
    '65 relations',
    `SELECT COUNT(*) AS c ${from} t0 ${crossed(64)}`,
    'E0622 this has more than 64 relations in one FROM',
  ],
  [
    'tables that build on each other a million times',
    `WITH w0 AS (SELECT 1 AS c), ${numbered(20, 'w# AS (SELECT a.c FROM w@ a, w@ b)', ', ').replaceAll(/w(\d+)( AS [^@]+)@([^@]+)@/g, (_, n: string, a: string, b: string) => `w${Number(n) + 1}${a}${n}${b}${n}`)} SELECT c FROM w20`,
    'R0302',
  ],
];
for (const [name, text, outcome] of examples) test(name, () => assert.equal(run(text), outcome));

test.run();
