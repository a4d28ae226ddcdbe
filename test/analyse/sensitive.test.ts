import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { assertDiagnostics } from '../kit/diagnostics.ts';
import { marked } from '../kit/marked.ts';
import { bind, caller, checkFiles, cleared, columnsOf, compile, showColumn } from './language.ts';

const login = `
CREATE AGGREGATE Login;
CREATE COMMAND Enrol (user_id STRING, password STRING SENSITIVE, age INT SENSITIVE, nick STRING);
CREATE EVENT Enrolled (hash STRING SENSITIVE, pin STRING SENSITIVE, age INT SENSITIVE, nick STRING TAG);
CREATE DECISION EnrolUser FOR Login ON COMMAND Enrol
EMIT AS SELECT EVENT Enrolled (hash := encode(digest(:password, 'sha256'), 'hex'), pin := :password, age := :age, nick := :nick);
`;
const registry = compile(`${login}
CREATE PROJECTION Secrets AS
SELECT stream_id AS who, LAST(data.hash) AS h, UPPER(LAST(data.pin)) AS p, COUNT(data.pin) AS pins, COUNT(DISTINCT data.pin) AS different,
       encode(digest(LAST(data.pin), 'sha256'), 'hex') AS print, LAST(data.pin) = 'x' AS same, LAST(data.pin) IS NULL AS missing,
       CASE WHEN LAST(data.pin) = 'x' THEN 'yes' ELSE 'no' END AS said, CASE WHEN TRUE THEN LAST(data.pin) END AS shown, SUM(data.age) AS ages,
       COALESCE(LAST(data.pin), 'none') LIKE 'h%' AS begins,
       BOOL_OR(data.pin BETWEEN SYMMETRIC 'b' AND 'a') AS within
FROM Reg."Login$Events" GROUP BY stream_id;
CREATE PROJECTION Whole AS SELECT stream_id AS who, data, CAST(data AS STRING) AS text FROM Reg."Login$Events";
`);

test('SENSITIVE follows values through expressions and queries', () => {
  const shown = registry.catalog.blocks.projection.map((projection) =>
    projection.query.columns.map(showColumn).join(', '),
  );
  assert.equal(shown, [
    'who STRING, h STRING?!, p STRING?!, pins BIGINT, different BIGINT, print STRING?, same BOOLEAN?, missing BOOLEAN, said STRING, shown STRING?!, ages BIGINT?!, begins BOOLEAN, within BOOLEAN?',
    'who STRING, data STRUCT?, text STRING?!',
  ]);
  assert.equal(columnsOf(registry, 'SELECT * FROM Reg."Login$Agg";'), [
    'aggregate_id STRING',
    'hash STRING?!',
    'pin STRING?!',
    'age INT?!',
    'nick STRING?',
  ]);
});

test('SENSITIVE stays with its column, whatever the names of other columns', () => {
  const from = 'Reg."Login$Events"';
  const pair = `SELECT data.nick AS q, data.pin AS q FROM ${from}`;
  const twice = compile(`${login}
CREATE PROJECTION Star AS SELECT s.x, s.y FROM (SELECT * FROM (${pair}) z) AS s(x, y);
CREATE PROJECTION Shared AS WITH z AS (${pair}) SELECT s.x, s.y FROM z AS s(x, y);
CREATE PROJECTION Unnamed AS SELECT * FROM (SELECT * FROM (SELECT MAX(data.nick), MAX(data.pin) FROM ${from}) t) AS s(x, y);
`);
  const shown = twice.catalog.blocks.projection.map(({ query }) => query.columns.map(showColumn).join(', '));
  assert.equal(shown, ['x STRING?, y STRING?!', 'x STRING?, y STRING?!', 'x STRING?, y STRING?!']);
});

/** An expression of a caller's select list, in short. */
function show(expression: TypedExpression): string {
  switch (expression.kind) {
    case 'mask':
      return `mask(${expression.of.map(show).join(', ')})`;
    case 'column':
      return expression.column;
    case 'case':
      return 'case';
    default:
      return expression.kind;
  }
}
function items(text: string): readonly string[] {
  const { value, diagnostics } = bind(registry, text, caller);
  if (value?.body.kind !== 'select') return diagnostics.map((diagnostic) => diagnostic.message);
  return value.body.items.map((item) => `${show(item)}${item.sensitive ? '!' : ''}`);
}

// The output for a caller without sensitive:read
for (const [query, ...expected] of [
  [
    'SELECT data.nick, data.pin, UPPER(data.pin) || data.hash FROM Reg.Login$Events;',
    'data.nick',
    'mask(data.pin)!',
    'mask(data.pin, data.hash)!',
  ],
  [
    "SELECT data.pin = 'x', data.pin IS NULL, encode(digest(data.pin, 'md5'), 'hex'), data.pin IN ('a') FROM Reg.Login$Events;",
    'mask(data.pin)!',
    'mask(data.pin)!',
    'mask(data.pin)!',
    'mask(data.pin)!',
  ],
  [
    'SELECT COUNT(data.pin), COUNT(DISTINCT data.pin), COUNT(UPPER(data.pin)), MAX(data.pin), COUNT(*) FROM Reg.Login$Events;',
    'aggregate',
    'mask(case)!',
    'mask(case)!',
    'mask(case)!',
    'aggregate',
  ],
  [
    "SELECT data, data->>'pin', data->>'nick', CAST(data AS STRING) FROM Reg.Login$Events;",
    'mask(data)',
    'mask(data.pin)!',
    'data.nick',
    'cast',
  ],
  [
    'SELECT * FROM Reg.Login$Events;',
    'event_id',
    'stream_type',
    'stream_id',
    'seq',
    'event_type',
    'occurred_at',
    'mask(data)',
  ],
  ["SELECT who, h, pins, print, p || '!' FROM Reg.Secrets;", 'who', 'mask(h)!', 'pins', 'print', 'mask(p)!'],
  ['SELECT x FROM (SELECT data.pin AS x FROM Reg.Login$Events) t;', 'mask(x)!'],
  ['WITH t AS (SELECT UPPER(data.pin) AS x FROM Reg.Login$Events) SELECT x || x FROM t;', 'mask(x)!'],
  ['SELECT (SELECT data.pin FROM Reg.Login$Events LIMIT 1) AS one;', 'mask(scalar-query)!'],
  ['SELECT t.data.pin, t.data.nick FROM (SELECT data FROM Reg.Login$Events) t;', 'mask(data.pin)!', 'data.nick'],
  ['SELECT text, data FROM Reg.Whole;', 'mask(text)!', 'data'],
  ['SELECT CAST(data AS STRING) FROM Reg.Whole;', 'mask(data)!'],
] as const) {
  test(query, () => assert.equal(items(query), expected));
}

/** Places where sensitive columns are not allowed. */
for (const [source, where] of [
  ["SELECT 1 FROM Reg.Login$Events WHERE «data.pin» = 'x';", 'WHERE'],
  ['SELECT stream_id FROM Reg.Login$Events ORDER BY «data.pin»;', 'ORDER BY'],
  ['SELECT data.pin AS x FROM Reg.Login$Events ORDER BY «x»;', 'ORDER BY'],
  ['SELECT COUNT(*) FROM Reg.Login$Events GROUP BY «data.pin»;', 'GROUP BY'],
  ['SELECT data.pin AS x, COUNT(*) FROM Reg.Login$Events GROUP BY «x»;', 'GROUP BY'],
  ["SELECT COUNT(*) FROM Reg.Login$Events HAVING MAX(«data.pin») > 'a';", 'MAX'],
  ["SELECT COUNT(*) FILTER (WHERE «data.pin» > 'a') FROM Reg.Login$Events;", 'FILTER'],
  ["SELECT CASE WHEN «data.pin» LIKE 'h%' THEN 1 END FROM Reg.Login$Events;", 'CASE'],
  ['SELECT CASE WHEN seq = 1 THEN «data.pin» END FROM Reg.Login$Events;', 'CASE'],
  ['SELECT ROW_NUMBER() OVER (ORDER BY «data.pin») FROM Reg.Login$Events;', 'a window function'],
  ['SELECT COUNT(«data.pin») OVER () FROM Reg.Login$Events;', 'a window function'],
  ['SELECT 1 FROM Reg.Secrets a JOIN Reg.Secrets b ON a.who = «b.h»;', 'JOIN … ON'],
  ['SELECT 1 FROM Reg.Secrets a JOIN Reg.Secrets b USING («h»);', 'JOIN … USING'],
  ['SELECT DISTINCT «data.pin» FROM Reg.Login$Events;', 'DISTINCT'],
  ['«SELECT data.pin FROM Reg.Login$Events UNION SELECT NULL»;', 'UNION'],
  ['SELECT 1 FROM Reg.Login$Events WHERE seq IN («SELECT data.age FROM Reg.Login$Events»);', 'IN (SELECT …)'],
  ["SELECT «data.pin» IN (SELECT 'x') FROM Reg.Login$Events;", 'IN (SELECT …)'],
  ["SELECT 1 WHERE «(SELECT data.pin FROM Reg.Login$Events LIMIT 1)» = 'x';", 'WHERE'],
  ["SELECT STRING_AGG(data.nick, ',' ORDER BY «data.pin») FROM Reg.Login$Events;", 'ORDER BY'],
] as const) {
  test(source, () => {
    const text = marked(source);
    const { diagnostics } = bind(registry, text.file, caller);
    assert.equal(
      diagnostics.map((diagnostic) => diagnostic.message.includes(` not allowed in ${where};`)),
      [true],
      diagnostics.map((d) => d.message).join(),
    );
    if (!source.includes(' IN («SELECT')) assertDiagnostics(diagnostics, text, ['E0702']);
    assert.equal(bind(registry, text.file, cleared).diagnostics, []);
  });
}

/** A set's column names come from its first side; the message names the sensitive column. */
for (const [query, column] of [
  ['SELECT data.nick FROM Reg.Login$Events UNION SELECT data.pin FROM Reg.Login$Events;', 'data.pin'],
  ['SELECT seq, data.nick FROM Reg.Login$Events EXCEPT (SELECT 1, UPPER(h) FROM Reg.Secrets);', 'h'],
  ["SELECT 'a' INTERSECT SELECT 'b' INTERSECT SELECT x FROM (SELECT data.pin AS x FROM Reg.Login$Events) t;", 'x'],
] as const) {
  test(query, () => {
    const { diagnostics } = bind(registry, { name: 'sql', text: query }, caller);
    assert.equal(
      diagnostics.map(({ code, message }) => [code, message.split(' ', 1)[0]]),
      [['E0702', `'${column}'`]],
    );
  });
}

test('a key of data must be a literal of an event field', () => {
  const text = marked('SELECT data->>«event_type» FROM Reg.Login$Events;');
  assertDiagnostics(bind(registry, text.file).diagnostics, text, ['E0312']);
});

// Sensitive values into fields
for (const [assignment, error] of [
  ['plain := «:password»', "E0701 field 'plain' is not SENSITIVE and cannot take a value that derives from :password"],
  [
    "plain := «'x' || UPPER(:password)»",
    "E0701 field 'plain' is not SENSITIVE and cannot take a value that derives from :password",
  ],
  ['plain := «last»', "E0701 field 'plain' is not SENSITIVE and cannot take a value that derives from last"],
  [
    "plain := «CASE WHEN TRUE THEN :password ELSE 'x' END»",
    "E0701 field 'plain' is not SENSITIVE and cannot take a value that derives from :password",
  ],
  ["plain := CASE WHEN :password = last THEN 'same' ELSE 'other' END", ''],
  ["plain := encode(digest(:password, 'sha512'), 'base64')", ''],
  ['secret := :password', ''],
  ['plain := CAST(last IS NULL AS STRING)', ''],
] as const) {
  test(assignment, () => {
    const text = marked(`${login}CREATE COMMAND Leak (user_id STRING, password STRING SENSITIVE);
CREATE EVENT Leaky (plain STRING, secret STRING SENSITIVE);
CREATE DECISION LeakIt FOR Login ON COMMAND Leak STATE AS SELECT LAST(data.pin) AS last FROM Reg."Login$Events" EMIT AS SELECT EVENT Leaky (${assignment}) WHERE :password <> last;`);
    assertDiagnostics(checkFiles(text.file).diagnostics, text, error === '' ? [] : [error]);
  });
}

test.run();
