/** Values for `:name` in a console query (docs/http.md#schema-and-console). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const test = suite('console parameters');
const server = await startSample({ services: true });
test.after(() => server.stop());
const bike = { bike_id: 'B-1', model: 'Roadster', price: 1, code: 'guess' };
assert.is((await server.post('/api/aggregates/Bike/execute/RegisterBike', bike)).status, 200);

/** A text, its parameters, and the rows as JSON or the error. */
const withParameters: readonly (readonly [sql: string, params: unknown, answer: string])[] = [
  [
    'SELECT :a AS t, :b AS n, :c AS m, :d AS o, :e AS p',
    { a: "it's", b: 7, c: true, d: null, e: '' },
    '[{"t":"it\'s","n":7,"m":true,"o":null,"p":""}]',
  ],
  [
    'SELECT :big AS a, :exact AS b, :minus AS c',
    { big: 9007199254740991, exact: 0.25, minus: -3 },
    '[{"a":9007199254740991,"b":0.25,"c":-3}]',
  ],
  ['SELECT :n + 1 AS a', '{"n":123456789012345678}', '[{"a":"123456789012345679"}]'],
  ['SELECT :n AS a', '{"n":12345678901234.0625}', '[{"a":12345678901234.0625}]'],
  [
    "SELECT CAST(:t AS DATE) AS a, TIMESTAMP '2026-01-31T00:00:00Z' < :s AS b",
    { t: '2026-01-31', s: '2026-02-01T00:00:00Z' },
    '[{"a":"2026-01-31","b":true}]',
  ],
  [
    'SELECT model FROM Reg.Fleet WHERE model = :Model AND bikes >= :n ORDER BY model LIMIT :most',
    { mODEL: 'Roadster', n: 1, most: 1 },
    '[{"model":"Roadster"}]',
  ],
  [
    "SELECT model FROM Reg.Fleet WHERE model LIKE :p AND model IN (:x, 'y')",
    { p: 'Ro%', x: 'Roadster' },
    '[{"model":"Roadster"}]',
  ],
  [
    'SELECT :x AS a, :x AS b',
    { x: "'; DROP TABLE x; --" },
    '[{"a":"\'; DROP TABLE x; --","b":"\'; DROP TABLE x; --"}]',
  ],
  ['SELECT :__proto__ AS a', '{"__proto__":"p"}', '[{"a":"p"}]'],
  ['SELECT 1 AS a', {}, '[{"a":1}]'],
  ['SELECT :x AS a', undefined, "1:8 ':x' has no value; params gives none (E0217)"],
  ['SELECT :x AS a, :y AS b', { y: 1 }, "1:8 ':x' has no value; params has y (E0217)"],
  [
    'SELECT 1 AS a',
    { x: 1, y: 2 },
    "1:1 the query does not use the parameter ':x'; 1:1 the query does not use the parameter ':y'",
  ],
  ['SELECT :x AS a', { x: [1] }, "parameter 'x' takes a text, a number, true, false or null"],
  ['SELECT :x AS a', { x: { y: 1 } }, "parameter 'x' takes a text, a number, true, false or null"],
  ['SELECT :x AS a', { x: 1, X: 2 }, "parameter 'X' is given twice"],
  ['SELECT :x AS a', [1], "'params' takes an object of values by name"],
  [
    'SELECT data->>:k AS a FROM Reg."Bike$Events"',
    { k: 'model' },
    '1:15 the key of data-> and data->> must be a string literal (E0312)',
  ],
  ['SELECT 1 AS a FROM :t', { t: 'Fleet' }, "1:20 expected a relation, found ':t' (E0101)"],
  ['SELECT model FROM Reg.Fleet WHERE bikes = :n', { n: 'one' }, "1:43 'one' is not a valid BIGINT (E0303)"],
  [
    'SELECT code FROM Reg."Bike$Agg" WHERE code = :c',
    { c: 'guess' },
    "1:39 'code' is sensitive and not allowed in WHERE; it can only be selected, and is masked (E0702)",
  ],
];

for (const [sql, params, answer] of withParameters) {
  test(`parameters: ${sql} ${JSON.stringify(params)}`, async () => {
    const given = typeof params === 'string' ? params : JSON.stringify(params);
    const response = await server.post(
      '/api/query',
      params === undefined ? { sql } : `{"sql":${JSON.stringify(sql)},"params":${given}}`,
    );
    const text = (await response.text()).trimEnd();
    assert.is(text.startsWith('[') ? text : (JSON.parse(text) as { error: string }).error, answer);
  });
}

test.run();
