import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { marked } from '../kit/marked.ts';
import { assertDiagnostics } from '../kit/diagnostics.ts';
import { bind, caller, columnsOf, compile, showColumn } from './language.ts';

const registry = compile(`
CREATE AGGREGATE Shop;
CREATE AGGREGATE Item (item_id STRING KEY, title STRING, price DECIMAL(8,2) DEFAULT 0 AS LAST(data.price), changes BIGINT AS COUNT(*));
CREATE COMMAND Name_ (item_id STRING, title STRING, price DECIMAL(8,2));
CREATE COMMAND Sell (shop_id STRING, item STRING, n INT, price DECIMAL(8,2), day DATE, meta JSON NULL, gift BOOLEAN NULL);
CREATE EVENT Named (title STRING, price DECIMAL(8,2));
CREATE EVENT Sold (item STRING TAG, n INT, price DECIMAL(8,2), day DATE, meta JSON, gift BOOLEAN);
CREATE DECISION NameItem FOR Item ON COMMAND Name_ EMIT AS SELECT EVENT Named (title := :title, price := :price);
CREATE DECISION SellItem FOR Shop ON COMMAND Sell EMIT AS SELECT EVENT Sold (item := :item, n := :n, price := :price, day := :day, meta := :meta, gift := :gift) WHERE :n > 0;
CREATE PROJECTION Board AS SELECT data.item AS item, SUM(data.n) AS units, SUM(data.n * data.price) AS revenue FROM Reg."Shop$Events" GROUP BY data.item ORDER BY units DESC;
CREATE PROJECTION Latest AS SELECT stream_id AS shop, seq FROM Reg."Shop$Events" ORDER BY data.day DESC, global_position;
`);

/** The columns of queries: name, type, ? for nullable. */
function gives(...cases: readonly (readonly [query: string, columns: string])[]): void {
  for (const [query, columns] of cases) test(query, () => assert.equal(columnsOf(registry, query).join(', '), columns));
}

/** Declares tests that queries have exactly these findings. */
function refuses(source: string, ...expected: readonly string[]): void {
  test(source, () => {
    const text = marked(source);
    assertDiagnostics(bind(registry, text.file, caller).diagnostics, text, expected);
  });
}

// Literals, operators, NULL
gives(
  ['SELECT 1 + 1;', '?column? INT'],
  [
    'SELECT 1 AS a, 3000000000 AS b, 100.00 AS c, .5 AS d, 0.10 AS e, 1e3 AS f, -7 AS g;',
    'a INT, b BIGINT, c DECIMAL(5,2), d DECIMAL(1,1), e DECIMAL(2,2), f DOUBLE, g INT',
  ],
  ['SELECT -2147483648 AS a, -9223372036854775808 AS b;', 'a INT, b BIGINT'],
  [
    "SELECT NULL AS a, 'x' AS b, TRUE AS c, DATE '2026-01-01' AS d, TIMESTAMP '2026-01-01' AS e;",
    'a STRING?, b STRING, c BOOLEAN, d DATE, e TIMESTAMP',
  ],
  [
    "SELECT NULL = NULL AS a, NULL IS NULL AS b, NULL AND FALSE AS c, COALESCE(NULL, 2) AS d, NULLIF(1, 1) AS e, 'a' || NULL AS f;",
    'a BOOLEAN?, b BOOLEAN, c BOOLEAN?, d INT, e INT?, f STRING?',
  ],
  [
    'SELECT 1.5 + 1 AS a, 1.10 * 1.10 AS b, 1.0 / 3 AS c, 7 / 2 AS d, 7 % 3 AS e, 1 + 1e0 AS f;',
    'a DECIMAL(3,1), b DECIMAL(6,4), c DECIMAL(18,6), d INT, e INT, f DOUBLE',
  ],
  [
    "SELECT 1 IN (1, 2.5, NULL) AS a, 'x' NOT IN ('y') AS b, 2 BETWEEN 1 AND 3 AS c, 'a' LIKE 'b' AS d;",
    'a BOOLEAN?, b BOOLEAN, c BOOLEAN, d BOOLEAN',
  ],
  [
    "SELECT CASE WHEN TRUE THEN 1 ELSE 2.5 END AS a, CASE 'x' WHEN 'y' THEN 1 END AS b, CASE WHEN TRUE THEN NULL ELSE 'q' END AS c;",
    'a DECIMAL(11,1), b INT?, c STRING?',
  ],
  ["SELECT CAST('5' AS INT) + 1 AS a, 'x'::STRING AS b, CAST(NULL AS DATE) AS c;", 'a INT, b STRING, c DATE?'],
  [
    "SELECT '2026-03-01T10:00:00Z'::TIMESTAMP < '2026-03-02' AS earlier, DATE '2026-01-01' = '2026-01-01' AS same;",
    'earlier BOOLEAN, same BOOLEAN',
  ],
);

// Names of columns, as PostgreSQL gives them
gives(
  [
    "SELECT UPPER('a'), CAST(1 AS STRING), '5'::INT, COALESCE(1, 2), CASE WHEN TRUE THEN 1 END, EXISTS (SELECT 1), (SELECT 2 AS two), 'x';",
    'upper STRING, string STRING, int INT, coalesce INT, case INT?, exists BOOLEAN, two INT, ?column? STRING',
  ],
  [
    'SELECT data.item, e.data.n, seq, COUNT(*) OVER (), EXTRACT(YEAR FROM data.day), CURRENT_DATE FROM Reg."Shop$Events" e;',
    'item STRING?, n INT?, seq BIGINT, count BIGINT, extract INT?, current_date DATE',
  ],
  ["SELECT data->>'item', data->>'n' FROM Reg.Shop$Events;", 'item STRING?, n STRING?'],
);

// Relations
gives(
  [
    'SELECT * FROM Reg."Shop$Events";',
    'event_id STRING, stream_type STRING, stream_id STRING, seq BIGINT, event_type STRING, occurred_at TIMESTAMP, data STRUCT?',
  ],
  [
    'SELECT timestamp, global_position, event_version, tags, command_id, correlation_id, causation_id, aggregate_id FROM dereg.shop$events;',
    'timestamp TIMESTAMP, global_position BIGINT, event_version INT, tags STRING[], command_id STRING?, correlation_id STRING?, causation_id STRING?, aggregate_id STRING',
  ],
  [
    'SELECT * FROM Reg."Shop$Agg";',
    'aggregate_id STRING, item STRING?, n INT?, price DECIMAL(8,2)?, day DATE?, meta JSON?, gift BOOLEAN?',
  ],
  [
    'SELECT * FROM Reg."Item$Agg";',
    'aggregate_id STRING, item_id STRING, title STRING?, price DECIMAL(8,2), changes BIGINT',
  ],
  ['SELECT * FROM Reg.Board;', 'item STRING?, units BIGINT?, revenue DECIMAL(18,2)?'],
  ['SELECT * FROM Reg.Latest;', 'shop STRING, seq BIGINT'],
  ['SELECT name, aggregate FROM Reg.meta_commands;', 'name STRING, aggregate STRING?'],
  ['SELECT Reg.Board.item, b.units FROM Reg.Board CROSS JOIN Reg.Board b;', 'item STRING?, units BIGINT?'],
  ['SELECT t.* FROM (SELECT 1 AS a, 2 AS b) t;', 'a INT, b INT'],
  ['SELECT a, c FROM (SELECT 1, 2) t(a, c);', 'a INT, c INT'],
  ["SELECT x, y FROM (VALUES (1, NULL), (2.5, DATE '2026-01-01')) v(x, y);", 'x DECIMAL(11,1), y DATE?'],
  ['SELECT e.data.item FROM (SELECT * FROM Reg."Shop$Events" WHERE seq > 1) e;', 'item STRING?'],
  [
    'WITH e AS (SELECT data, seq FROM Reg."Shop$Events") SELECT e.data.n + 1 AS more, data.item FROM e;',
    'more INT?, item STRING?',
  ],
);

// Joins: columns that may be missing can be NULL
gives(
  ['SELECT a.x, b.y FROM (SELECT 1 AS x) a LEFT JOIN (SELECT 1 AS y) b ON a.x = b.y;', 'x INT, y INT?'],
  ['SELECT a.x, b.y FROM (SELECT 1 AS x) a RIGHT JOIN (SELECT 1 AS y) b ON a.x = b.y;', 'x INT?, y INT'],
  ['SELECT a.x, b.y FROM (SELECT 1 AS x) a FULL JOIN (SELECT 1 AS y) b ON a.x = b.y;', 'x INT?, y INT?'],
  ['SELECT * FROM (SELECT 1 AS k, 2 AS x) a JOIN (SELECT 1 AS k, 3 AS y) b USING (k);', 'k INT, x INT, y INT'],
  [
    'SELECT k, a.k AS ak, b.k AS bk FROM (SELECT 1 AS k) a LEFT JOIN (SELECT 1 AS k) b USING (k);',
    'k INT, ak INT, bk INT?',
  ],
  ['SELECT k FROM (SELECT 1 AS k) a FULL JOIN (SELECT 1.5 AS k) b USING (k);', 'k DECIMAL(11,1)?'],
  [
    'SELECT k FROM (SELECT 1 AS k) a JOIN (SELECT 1 AS k) b USING (k) RIGHT JOIN (SELECT 1 AS z) c ON c.z = k;',
    'k INT?',
  ],
);

// Aggregates, groups, windows
gives(
  [
    'SELECT COUNT(*) AS c, COUNT(data.n) AS n, SUM(data.n) AS s, AVG(data.n) AS a, MIN(data.price) AS m, SUM(data.price) AS p FROM Reg."Shop$Events";',
    'c BIGINT, n BIGINT, s BIGINT?, a DECIMAL(18,6)?, m DECIMAL(8,2)?, p DECIMAL(18,2)?',
  ],
  [
    'SELECT stream_id AS s, LAST(event_type) AS l, FIRST(data.n) FILTER (WHERE data.n > 1) AS f FROM Reg."Shop$Events" GROUP BY s;',
    's STRING, l STRING?, f INT?',
  ],
  [
    'SELECT MONTH(data.day) AS m, COUNT(*) AS c FROM Reg."Shop$Events" GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY c DESC, MONTH(data.day);',
    'm INT?, c BIGINT',
  ],
  [
    'SELECT data.item, SUM(SUM(data.n)) OVER (ORDER BY data.item) AS running FROM Reg."Shop$Events" GROUP BY data.item;',
    'item STRING?, running BIGINT?',
  ],
  [
    "SELECT ARRAY_AGG(data.item) AS l, STRING_AGG(data.item, ',' ORDER BY seq) AS s FROM Reg.Shop$Events;",
    'l STRING[]?, s STRING?',
  ],
  ["SELECT stream_id FROM Reg.Shop$Events WHERE 'item:' || LOWER('X') = ANY(tags);", 'stream_id STRING'],
  [
    'SELECT (SELECT COUNT(*) FROM Reg.Shop$Events) AS a, (SELECT MAX(seq) FROM Reg.Shop$Events) AS b, (SELECT seq FROM Reg.Shop$Events LIMIT 1) AS c;',
    'a BIGINT, b BIGINT?, c BIGINT?',
  ],
  [
    'SELECT i.aggregate_id FROM Reg."Item$Agg" i WHERE EXISTS (SELECT 1 FROM Reg.Shop$Events e WHERE e.data.item = i.aggregate_id);',
    'aggregate_id STRING',
  ],
  [
    'SELECT i.title, (SELECT COUNT(*) FROM Reg.Shop$Events e WHERE e.data.item = i.item_id) AS sold FROM Reg."Item$Agg" i GROUP BY i.title, i.item_id;',
    'title STRING?, sold BIGINT',
  ],
);

// Set operations and WITH
gives(
  ['SELECT 1 AS a UNION SELECT 2.5 ORDER BY a DESC LIMIT 1;', 'a DECIMAL(11,1)'],
  ["SELECT DATE '2026-01-01' AS d UNION ALL SELECT '2026-02-01' UNION SELECT NULL;", 'd DATE?'],
  ['SELECT NULL AS a UNION SELECT 1;', 'a INT?'],
  ['(SELECT 1 AS a ORDER BY a) EXCEPT SELECT NULL;', 'a INT'],
  ['SELECT NULL::INT AS a INTERSECT SELECT 1;', 'a INT'],
  ['WITH t AS (SELECT 1 AS n), u(m) AS (SELECT n + 1 FROM t) SELECT t.n, u.m FROM t, u;', 'n INT, m INT'],
  [
    'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT SUM(n) AS s FROM t;',
    's BIGINT?',
  ],
  [
    "WITH RECURSIVE t(n, path) AS (SELECT 1, NULL UNION ALL SELECT n * 1.5, 'x' FROM t WHERE n < 5) SELECT * FROM t;",
    'n DECIMAL(18,6)?, path STRING?',
  ],
  ['WITH RECURSIVE a AS (SELECT 1 AS n) SELECT n FROM a;', 'n INT'],
);

// Refused queries
refuses(
  'SELECT «nothing», «other» FROM Reg.Board;',
  "E0203 there is no column 'nothing' here; there is item, units, revenue",
  "E0203 there is no column 'other' here; there is item, units, revenue",
);
refuses('SELECT «untis» FROM Reg.Board;', "E0203 there is no column 'untis' here; did you mean 'units'?");
refuses('SELECT «item» FROM Reg."Shop$Events";', "E0203 there is no column 'item' here; did you mean 'data.item'?");
refuses(
  'SELECT a.b, c, d.* FROM Reg.«Bord» a JOIN Reg.Board d ON a.x = d.item ORDER BY z;',
  "E0206 there is no relation 'Bord'; did you mean 'Board'?",
);
refuses('SELECT * FROM Reg.«Shop»;', "E0206 there is no relation 'Shop'; did you mean 'Shop$Events' or 'Shop$Agg'?");
refuses(
  'SELECT * FROM «Board»;',
  'E0206 there is no relation \'Board\'; relations of the registry are written Reg."Board"',
);
refuses('SELECT * FROM «sqlite_master»;', "E0206 there is no relation 'sqlite_master'");
refuses('SELECT * FROM «public».Board;', "E0214 there is no schema or event store 'public'; there is Reg");
refuses(
  'SELECT «item» FROM Reg.Board a JOIN Reg.Board b ON a.item = b.item;',
  "E0207 column 'item' could be a.item or b.item; say which",
);
refuses('SELECT «x».item FROM Reg.Board b;', "E0213 there is no relation 'x' in scope; there is b");
refuses(
  'SELECT 1 FROM Reg.Board b CROSS JOIN Reg.Board «B»;',
  "E0215 two relations here are called 'B'; give one an alias",
);
refuses(
  'SELECT data.«itm» FROM Reg.Shop$Events;',
  "E0218 no event of 'Shop' carries a field 'itm'; did you mean 'data.item'?",
);
refuses('SELECT b.item.«x» FROM Reg.Board b;', "E0203 there is no column 'item.x' here");
refuses(
  'SELECT stream_id, «data.item», COUNT(*) FROM Reg.Shop$Events GROUP BY stream_id;',
  "E0601 column 'data.item' must be in GROUP BY or inside an aggregate",
);
refuses(
  'SELECT COUNT(*) FROM Reg.Board HAVING «units» > 1 ORDER BY «item»;',
  "E0601 column 'units' must be in GROUP BY or inside an aggregate",
  "E0601 column 'item' must be in GROUP BY or inside an aggregate",
);
refuses('SELECT item FROM Reg.Board WHERE «SUM(units)» > 1;', 'E0602 SUM is not allowed in WHERE');
refuses('SELECT COUNT(*) AS c FROM Reg.Board GROUP BY «c»;', 'E0602 COUNT is not allowed in GROUP BY');
refuses('SELECT SUM(«MAX(units)») FROM Reg.Board;', 'E0603 MAX is not allowed inside another aggregate');
refuses(
  'SELECT 1 FROM Reg.Board WHERE «ROW_NUMBER() OVER (ORDER BY item)» = 1;',
  'E0604 the window function ROW_NUMBER is not allowed in WHERE',
);
refuses(
  'SELECT «LAST(item)» FROM Reg.Board;',
  'E0605 LAST needs exactly one event relation (Reg."X$Events") in FROM, and there is none',
);
refuses(
  'SELECT «FIRST(a.seq)» FROM Reg.Shop$Events a JOIN Reg.Item$Events b ON a.seq = b.seq;',
  'E0605 FIRST needs exactly one event relation (Reg."X$Events") in FROM, and there are 2',
);
refuses("SELECT «'many'» = units FROM Reg.Board;", "E0303 'many' is not a valid BIGINT");
refuses("SELECT «'a'» + 1;", "E0303 'a' is not a valid INT");
refuses(
  'SELECT «item = 1», «units + item» FROM Reg.Board;',
  'E0309 STRING = INT: a text and a number are not compared or computed silently; CAST one of them',
  'E0309 BIGINT + STRING: a text and a number are not compared or computed silently; CAST one of them',
);
refuses(
  'SELECT «item IN (1, 2)» FROM Reg.Board;',
  'E0309 STRING = INT: a text and a number are not compared or computed silently; CAST one of them',
);
refuses('SELECT 1 WHERE «1»;', 'E0306 WHERE must be BOOLEAN, not INT');
refuses('SELECT «CASE WHEN TRUE THEN 1 ELSE TRUE END»;', 'E0307 CASE: INT and BOOLEAN have no common type');
refuses('SELECT «1::DATE»;', 'E0308 INT cannot be converted to DATE');
refuses("SELECT CAST(«'x'» AS INT);", "E0303 'x' is not a valid INT");
refuses(
  "SELECT «load_extension»('x'), «uper»('x');",
  "E0205 there is no function 'load_extension'; docs/language.md#functions lists the functions",
  "E0205 there is no function 'uper'; did you mean 'UPPER'?",
);
refuses('SELECT 1, 2 UNION «SELECT 3» ORDER BY 9;', 'E0606 the sides of UNION have 2 and 1 columns');
refuses('SELECT 1 AS a UNION SELECT 2 ORDER BY «b»;', "E0203 there is no column 'b' here");
refuses('SELECT («SELECT 1, 2»);', 'E0607 this subquery must have one column, not 2');
refuses(
  'SELECT DISTINCT item FROM Reg.Board ORDER BY «units»;',
  'E0610 with DISTINCT, ORDER BY expressions must be in the select list',
);
refuses(
  "SELECT 1 LIMIT «-1» OFFSET «'x'»;",
  'E0611 LIMIT takes a whole number that is not negative, or an expression of numbers and parameters',
  'E0611 OFFSET takes a whole number that is not negative, or an expression of numbers and parameters',
);
refuses('SELECT «:x»;', "E0217 ':x' has no meaning here; only a decision has the fields of a command");
refuses('SELECT * FROM (SELECT 1 AS a) «data»;', "E0211 'data' is reserved and cannot name a relation");
refuses(
  'WITH t(b) AS (SELECT 1 AS a, 2 AS b) SELECT «b» FROM t;',
  "E0216 t has two columns called 'b'; give one an alias",
);
refuses(
  "SELECT k, (SELECT MAX(«t.id» + u.id) FROM (VALUES (1)) u(id)) AS m FROM (VALUES (1, 'a')) t(id, k) GROUP BY k;",
  "E0601 column 'id' must be in GROUP BY or inside an aggregate",
);
refuses(
  'SELECT «t.id», (SELECT COUNT(t.id)) AS n FROM (VALUES (1)) t(id);',
  "E0601 column 'id' must be in GROUP BY or inside an aggregate",
);
refuses('SELECT 1 FROM (VALUES (1)) t(id) WHERE EXISTS (SELECT «SUM(t.id)»);', 'E0602 SUM is not allowed in WHERE');
refuses(
  'SELECT (SELECT «SUM(SUM(t.id))») FROM (VALUES (1)) t(id);',
  'E0603 SUM is not allowed inside another aggregate',
);
refuses('SELECT «b» FROM (SELECT 1 AS a, 2 AS b) t(b);', "E0216 t has two columns called 'b'; give one an alias");
refuses(
  'WITH RECURSIVE t AS (SELECT 1 AS n, 2 AS n UNION ALL SELECT 1, 2 FROM t) SELECT t.«n» FROM t;',
  "E0216 t has two columns called 'n'; give one an alias",
);
refuses('WITH t(a, «b») AS (SELECT 1) SELECT * FROM t;', "E0613 't' has 1 column, and 2 are named");
refuses(
  'WITH RECURSIVE «t»(n) AS (SELECT 1 UNION ALL SELECT COUNT(*) FROM t) SELECT * FROM t;',
  "E0615 't' refers to itself and must be a start UNION [ALL] a step that reads it once, in its own FROM, ungrouped",
);
refuses('WITH RECURSIVE «t» AS (SELECT 1 AS n UNION ALL SELECT a.n FROM t a, t b) SELECT zzz FROM t;', 'E0615');
refuses(
  'WITH RECURSIVE «t» AS (SELECT 1 AS n UNION ALL SELECT 2 WHERE EXISTS (SELECT 1 FROM t)) SELECT * FROM t;',
  'E0615',
);
refuses(
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL «SELECT n > 1 FROM r WHERE n < 5») SELECT COUNT(*), SUM(n) FROM r;',
  "E0307 column 'n' of UNION: INT and BOOLEAN have no common type",
);
refuses(
  'SELECT SUM(units) OVER (ORDER BY item «RANGE 1 PRECEDING») FROM Reg.Board;',
  'E0616 SUM takes distances in a RANGE only over one whole number, one DECIMAL, or one date (in days), to order by',
);
refuses(
  'SELECT SUM(units) OVER («ROWS BETWEEN CURRENT ROW AND 1 PRECEDING»), SUM(units) OVER («ROWS UNBOUNDED FOLLOWING») FROM Reg.Board;',
  'E0616 SUM has a frame that ends before it begins',
  'E0616 SUM has a frame that ends before it begins',
);
refuses(
  "SELECT «UPPER(*)», «UPPER(DISTINCT 'a')», «UPPER('a') OVER ()», «RANK()», «SUM(*)»;",
  'E0616 UPPER takes no *',
  'E0616 UPPER is no aggregate, so it takes no DISTINCT or ORDER BY',
  'E0616 UPPER is no window function, so it takes no OVER',
  'E0616 RANK needs OVER (…)',
  'E0616 SUM takes no *',
);

test('comparing a text with a number offers a CAST as its fix', () => {
  const [found] = bind(registry, 'SELECT item = units FROM Reg.Board;').diagnostics;
  assert.equal(found?.fix?.replacement, 'CAST(item AS BIGINT)');
});

test('a SELECT over a projection alone keeps its order', () => {
  const order = (text: string): unknown =>
    bind(registry, text).value?.orderBy.map(
      (key) =>
        `${key.by === 'expression' && key.expression.kind === 'column' ? key.expression.column : key.by} ${key.direction} ${key.nulls}`,
    );
  assert.equal(order('SELECT item FROM Reg.Board WHERE units > 1;'), ['units DESC FIRST']);
  assert.equal(order('SELECT * FROM Reg.Latest;'), ['order$1 DESC FIRST', 'order$2 ASC LAST']);
  assert.equal(order('SELECT DISTINCT item FROM Reg.Board;'), []);
  assert.equal(order('SELECT COUNT(*) FROM Reg.Board;'), []);
  assert.equal(order('SELECT a.item FROM Reg.Board a CROSS JOIN Reg.Board b;'), []);
});

test('nested recursive queries are bound in limited time', () => {
  const nested = (depth: number): string =>
    depth === 0
      ? 'SELECT 1 AS n'
      : `WITH RECURSIVE t${depth}(n) AS (SELECT 1 UNION ALL SELECT x.n * 1.5 FROM t${depth}, (${nested(depth - 1)}) x) SELECT n FROM t${depth}`;
  const started = process.cpuUsage().user;
  bind(registry, `${nested(40)};`);
  assert.ok(process.cpuUsage().user - started < 5_000_000);
});

test('hidden sort keys stay out of stars', () => {
  assert.equal(bind(registry, 'SELECT * FROM Reg.Latest;').value?.columns.map(showColumn), [
    'shop STRING',
    'seq BIGINT',
  ]);
});

test('a payload field that no event carries yet is NULL in the session', () => {
  const lenient = { ...caller, lenientPayload: true };
  const bound = bind(registry, 'SELECT data.depth AS depth FROM Reg.Shop$Events;', lenient);
  assert.equal(bound.value?.columns.map(showColumn), ['depth STRING?']);
  assert.equal(
    bound.diagnostics.map((d) => `${d.severity} ${d.code}`),
    ['info E0219'],
  );
});

const limits = { depth: 8, joins: 2, commonTables: 1, setOperations: 1, listItems: 3, recursive: false };
for (const [query, code] of [
  [`SELECT ${'ABS('.repeat(10)}1${')'.repeat(10)};`, 'E0620'],
  [`SELECT 1 FROM ${'(SELECT 1 FROM '.repeat(8)}Reg.Board${') a'.repeat(8)};`, 'E0620'],
  [`SELECT 1 FROM ${'(SELECT 1 FROM '.repeat(7)}Reg.Board${') a'.repeat(7)};`, ''],
  [`SELECT ${'(SELECT '.repeat(8)}1${')'.repeat(8)};`, 'E0620'],
  [`SELECT ${'(SELECT '.repeat(7)}1${')'.repeat(7)};`, ''],
  [`SELECT ${'EXISTS (SELECT '.repeat(7)}1${')'.repeat(7)};`, ''],
  ['SELECT 1 FROM Reg.Board a, Reg.Board b, Reg.Board c, Reg.Board d;', 'E0617'],
  ['WITH a AS (SELECT 1), b AS (SELECT 2) SELECT 1;', 'E0617'],
  ['SELECT 1 UNION SELECT 2 UNION SELECT 3;', 'E0617'],
  ['SELECT 1 IN (1, 2, 3, 4);', 'E0617'],
  ['WITH RECURSIVE t AS (SELECT 1 AS n UNION SELECT n FROM t) SELECT 1;', 'E0618'],
  [`SELECT ${'1 + '.repeat(100)}1;`, ''],
  ['SELECT 1 IN (1, 2, 3);', ''],
] as const) {
  test(`limits: ${query.slice(0, 60)}`, () => {
    assert.equal(
      bind(registry, query, { ...caller, limits })
        .diagnostics.map((d) => d.code)
        .join(),
      code,
    );
  });
}

test.run();
