/** Large texts: what the language lets through either runs, or fails as too complex; it never crashes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { Failure } from '../../runtime/failure/failure.ts';
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

/** The first row, or the code of the failure. */
function run(text: string): unknown {
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
const list = (count: number, part: string, between: string): string =>
  Array.from({ length: count }, () => part).join(between);
const nested = (count: number, open: string, core: string, close: string): string =>
  open.repeat(count) + core + close.repeat(count);

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
  ['190 levels of subqueries', `SELECT ${nested(190, '(SELECT ', '1', ')')} AS c`, '1'],
  ['190 derived tables', `SELECT c FROM ${nested(190, '(SELECT c FROM ', '(SELECT 1 AS c) x', ') x')}`, '1'],
  [
    '190 levels of subqueries that may have several rows',
    `SELECT ${nested(190, '(SELECT data.b + ', '1', ` ${from})`)} AS c`,
    'R0302',
  ],
  ['600 sums', `SELECT ${list(600, 'data.b', ' + ')} AS c ${from}`, 'R0302'],
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
  [
    '70 joins',
    `SELECT COUNT(*) AS c FROM ${Array.from({ length: 70 }, (_, index) => `Reg."A$Events" t${index}`).join(' CROSS JOIN ')}`,
    'R0302',
  ],
];
for (const [name, text, outcome] of examples) test(name, () => assert.equal(run(text), outcome));

test.run();
