/** Queries of the language over a small history, and their rows as JSON. The naive evaluator must agree with each. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Value } from '../../language/values/type.ts';
import { openLanguage } from './language.ts';

const shop = openLanguage(
  `
  CREATE AGGREGATE Shop;
  CREATE AGGREGATE Item;
  CREATE COMMAND Name_ (item_id STRING, title STRING);
  CREATE COMMAND Sell (shop_id STRING, item STRING, n INT, price DECIMAL(8,2), day DATE);
  CREATE EVENT Named (title STRING);
  CREATE EVENT Sold (item STRING, n INT, price DECIMAL(8,2), day DATE);
  CREATE DECISION NameItem FOR Item ON COMMAND Name_ EMIT AS SELECT EVENT Named (title := :title);
  CREATE DECISION SellItem FOR Shop ON COMMAND Sell
    EMIT AS SELECT EVENT Sold (item := :item, n := :n, price := :price, day := :day) WHERE :n > 0;
  CREATE PROJECTION Board AS
    WITH title AS (SELECT stream_id AS item, LAST(data.title) AS title FROM Reg."Item$Events" GROUP BY stream_id),
         sale AS (SELECT data.item AS item, SUM(data.n) AS units, SUM(data.n * data.price) AS revenue
                  FROM Reg."Shop$Events" WHERE event_type = 'Sold' GROUP BY data.item)
    SELECT s.item, t.title, s.units, s.revenue FROM sale s LEFT JOIN title t ON t.item = s.item;
  CREATE PROJECTION Ranked AS SELECT item, units FROM Reg."Board" ORDER BY revenue DESC;
  CREATE PROJECTION Names AS SELECT stream_id AS "order", data.title AS "my ""title""" FROM Reg."Item$Events";
  `,
  {
    Item: [
      { type: 'Named', stream: 'i1', data: { title: 'Tea' } },
      { type: 'Named', stream: 'i2', data: { title: 'Cup' } },
      { type: 'Named', stream: 'i1', data: { title: 'Green tea' } },
    ],
    Shop: [
      { type: 'Sold', stream: 's1', data: { item: 'i1', n: 2, price: '3.50', day: '2026-01-05' } },
      { type: 'Sold', stream: 's1', data: { item: 'i2', n: 1, price: '7.25', day: '2026-01-06' } },
      { type: 'Sold', stream: 's2', data: { item: 'i1', n: 5, price: '3.25', day: '2026-02-01' } },
      { type: 'Sold', stream: 's2', data: { item: 'i3', n: 1, price: '1.00', day: '2026-02-02' } },
    ],
  },
);

const probe = openLanguage(
  `
  CREATE AGGREGATE Probe;
  CREATE COMMAND Note (probe_id STRING, a INT NULL, b STRING DEFAULT 'none');
  CREATE EVENT Noted (a INT, b STRING);
  CREATE DECISION TakeNote FOR Probe ON COMMAND Note EMIT AS SELECT EVENT Noted (a := :a, b := :b);
  `,
  {
    Probe: [
      { type: 'Noted', stream: 'x', data: { a: 1, b: 'one' } },
      { type: 'Noted', stream: 'x', data: { b: 'two' } },
      { type: 'Noted', stream: 'x', data: { a: 3, b: 'none' } },
      { type: 'Noted', stream: 'x', data: { b: 'none' } },
    ],
  },
);

/** A chapter of examples: query and rows. */
function chapter(name: string, language: typeof shop, examples: readonly (readonly [string, string])[]): void {
  for (const [query, rows] of examples) test(`${name}: ${query}`, () => assert.equal(language.answer(query), rows));
}

chapter('select', shop, [
  ['SELECT 1 + 1', '[[2]]'],
  ['SELECT 1 AS a WHERE 1 = 2', '[]'],
  [
    `SELECT 'it''s' AS a, 7.50 AS b, 1e3 AS c, TRUE AS d, NULL AS e, DATE '2026-01-02' AS f`,
    `[["it's",7.50,1000,true,null,"2026-01-02"]]`,
  ],
  ['SELECT * FROM Reg."Board" ORDER BY item', '[["i1","Green tea",7,23.25],["i2","Cup",1,7.25],["i3",null,1,1.00]]'],
  ['SELECT item, units FROM Reg."Board" WHERE revenue > 5 ORDER BY revenue DESC LIMIT 1 OFFSET 1', '[["i2",1]]'],
  ['SELECT b.*, 1 AS one FROM Reg."Board" b WHERE b.item = \'i2\'', '[["i2","Cup",1,7.25,1]]'],
  ['SELECT UNITS FROM Reg."board" ORDER BY Item DESC', '[[1],[1],[7]]'],
  ['SELECT "my ""title""", "order" FROM Reg."Names" ORDER BY 2, 1', '[["Green tea","i1"],["Tea","i1"],["Cup","i2"]]'],
  [
    'SELECT DISTINCT UPPER(SUBSTRING(data.title, 1, 1)) AS c, LENGTH(data.title) AS l FROM Reg."Item$Events" ORDER BY l, c',
    '[["C",3],["T",3],["G",9]]',
  ],
  ['SELECT seq, data.item FROM Reg."Shop$Events" ORDER BY data.price * data.n DESC LIMIT 2', '[[1,"i1"],[2,"i2"]]'],
  ['SELECT data.n AS n FROM Reg."Shop$Events" ORDER BY n DESC NULLS LAST, global_position OFFSET 2', '[[1],[1]]'],
  ['SELECT * FROM Reg."Ranked"', '[["i1",7],["i2",1],["i3",1]]'],
  ['SELECT units FROM Reg."Ranked" WHERE units < 5 LIMIT 5', '[[1],[1]]'],
]);

chapter('event columns', shop, [
  [
    'SELECT * FROM Reg."Item$Events" WHERE seq = 2',
    '[["id-3","Item","i1",2,"Named","2026-01-01T00:02:00.000000Z",{"title":"Green tea"}]]',
  ],
  [
    'SELECT timestamp, global_position, event_version, tags, command_id, correlation_id, causation_id, aggregate_id FROM Reg."Item$Events" WHERE stream_id = \'i2\'',
    '[["2026-01-01T00:01:00.000000Z",2,1,[],null,null,null,"i2"]]',
  ],
  [`SELECT data->>'title' AS t FROM Reg."Item$Events" ORDER BY global_position`, '[["Tea"],["Cup"],["Green tea"]]'],
  [
    'SELECT x.data.item AS i, x.d AS d FROM (SELECT data, seq AS d FROM Reg."Shop$Events") x WHERE x.data.n > 1 ORDER BY i, d',
    '[["i1",1],["i1",1]]',
  ],
  ['WITH e AS (SELECT * FROM Reg."Shop$Events") SELECT SUM(e.data.n) AS n FROM e', '[[9]]'],
  ['SELECT aggregate_id, title FROM Reg."Item$Agg" ORDER BY 1', '[["i1","Green tea"],["i2","Cup"]]'],
]);

chapter('groups', shop, [
  ['SELECT data.item, COUNT(*) AS c FROM Reg."Shop$Events" GROUP BY data.item HAVING COUNT(*) > 1', '[["i1",2]]'],
  [
    'SELECT MONTH(data.day) AS m, SUM(data.n * data.price) AS r FROM Reg."Shop$Events" GROUP BY MONTH(data.day) ORDER BY m',
    '[[1,14.25],[2,17.25]]',
  ],
  [
    'SELECT MONTH(data.day) AS m, COUNT(*) FROM Reg."Shop$Events" GROUP BY m ORDER BY COUNT(*), 1 DESC',
    '[[2,2],[1,2]]',
  ],
  ['SELECT MONTH(data.day) + 1 AS m FROM Reg."Shop$Events" GROUP BY MONTH(data.day) ORDER BY 1', '[[2],[3]]'],
  [
    'SELECT COUNT(DISTINCT data.item) AS d, MAX(data.day) AS last_day, MIN(data.price) AS low, COUNT(*) FILTER (WHERE data.n > 1) AS many FROM Reg."Shop$Events"',
    '[[3,"2026-02-02",1.00,2]]',
  ],
  ['SELECT COALESCE(SUM(data.n), 0) AS n FROM Reg."Shop$Events" WHERE stream_id = \'nowhere\'', '[[0]]'],
  ['SELECT COALESCE(0, SUM(data.n)) AS n FROM Reg."Shop$Events"', '[[0]]'],
  ['SELECT 1 AS one FROM Reg."Shop$Events" HAVING COUNT(*) > 3', '[[1]]'],
  ['SELECT 1 AS one FROM Reg."Shop$Events" HAVING COUNT(*) > 4', '[]'],
  [
    'SELECT stream_id, ARRAY_AGG(data.price) AS p, STRING_AGG(data.item, \'+\') AS i FROM Reg."Shop$Events" GROUP BY stream_id ORDER BY 1',
    '[["s1",[3.50,7.25],"i1+i2"],["s2",[3.25,1.00],"i1+i3"]]',
  ],
  [
    'SELECT ARRAY_AGG(data.item ORDER BY data.price DESC) AS i, ARRAY_AGG(data.day) FILTER (WHERE data.n > 9) AS none FROM Reg."Shop$Events"',
    '[[["i2","i1","i1","i3"],null]]',
  ],
  [
    `SELECT STRING_AGG(DISTINCT data.item, '; ' ORDER BY data.item DESC) AS i FROM Reg."Shop$Events"`,
    '[["i3; i2; i1"]]',
  ],
  [
    'SELECT LAST(data.title) AS l, FIRST(data.title) AS f, LAST(data.title) FILTER (WHERE stream_id = \'i2\') AS two FROM Reg."Item$Events"',
    '[["Green tea","Tea","Cup"]]',
  ],
  [
    'SELECT AVG(data.n) AS a, AVG(data.price) AS b, SUM(data.price) / COUNT(*) AS c FROM Reg."Shop$Events"',
    '[[2.250000,3.750000,3.750000]]',
  ],
]);

chapter('joins', shop, [
  [
    "SELECT a.n, b.m FROM (SELECT 1 AS n UNION ALL SELECT 2) a CROSS JOIN (SELECT 'x' AS m) b ORDER BY n DESC",
    '[[2,"x"],[1,"x"]]',
  ],
  [
    'SELECT i.title, s.data.n AS n FROM Reg."Shop$Events" s JOIN Reg."Item$Agg" i ON i.aggregate_id = s.data.item ORDER BY s.global_position',
    '[["Green tea",2],["Cup",1],["Green tea",5]]',
  ],
  [
    'SELECT s.data.item AS i, t.title FROM Reg."Item$Agg" t RIGHT JOIN Reg."Shop$Events" s ON t.aggregate_id = s.data.item ORDER BY s.seq, s.stream_id',
    '[["i1","Green tea"],["i1","Green tea"],["i2","Cup"],["i3",null]]',
  ],
  [
    'SELECT a.column1 AS a, b.column1 AS b FROM (VALUES (1), (2)) a FULL JOIN (VALUES (2), (3)) b ON a.column1 = b.column1 ORDER BY 1, 2',
    '[[1,null],[2,2],[null,3]]',
  ],
  ['SELECT k, a.x, b.y FROM (VALUES (1, 2)) a(k, x) JOIN (VALUES (1, 3)) b(k, y) USING (k)', '[[1,2,3]]'],
  [
    'SELECT a.x, b.x AS y, c.x AS z FROM (VALUES (1)) a(x) LEFT JOIN ((VALUES (1)) b(x) JOIN (VALUES (2)) c(x) ON b.x < c.x) ON a.x = b.x',
    '[[1,1,2]]',
  ],
  [
    'SELECT a.x, e.stream_type AS t, e.data AS d FROM (VALUES (9)) a(x) LEFT JOIN Reg."Shop$Events" e ON e.seq = a.x',
    '[[9,null,null]]',
  ],
]);

chapter('subqueries', shop, [
  [
    'SELECT i.aggregate_id FROM Reg."Item$Agg" i WHERE EXISTS (SELECT 1 FROM Reg."Shop$Events" e WHERE e.data.item = i.aggregate_id AND e.data.n > 4)',
    '[["i1"]]',
  ],
  [
    `SELECT stream_id, seq FROM Reg."Shop$Events" WHERE data.item IN (SELECT stream_id FROM Reg."Item$Events") AND data.day BETWEEN '2026-01-06' AND '2026-02-28' ORDER BY 1, 2`,
    '[["s1",2],["s2",1]]',
  ],
  [
    'SELECT aggregate_id, (SELECT SUM(e.data.n) FROM Reg."Shop$Events" e WHERE e.data.item = i.aggregate_id) AS n FROM Reg."Item$Agg" i ORDER BY 1',
    '[["i1",7],["i2",1]]',
  ],
  [
    'SELECT (SELECT item FROM Reg."Board" WHERE units = 7) AS i, (SELECT item FROM Reg."Board" WHERE units = 8) AS none',
    '[["i1",null]]',
  ],
  ['SELECT (SELECT item FROM Reg."Board") AS i', 'R0208'],
  [
    'SELECT 1 NOT IN (SELECT NULL) AS a, 1 IN (SELECT 1 UNION SELECT NULL) AS b, 1 NOT IN (SELECT 2 WHERE FALSE) AS c',
    '[[null,true,true]]',
  ],
  ['SELECT COUNT(*) AS c FROM (SELECT DISTINCT stream_id FROM Reg."Shop$Events") x', '[[2]]'],
]);

chapter('set operations', shop, [
  [
    'SELECT stream_id FROM Reg."Shop$Events" UNION SELECT stream_id FROM Reg."Item$Events" ORDER BY 1',
    '[["i1"],["i2"],["s1"],["s2"]]',
  ],
  ['SELECT data.item AS i FROM Reg."Shop$Events" EXCEPT SELECT stream_id FROM Reg."Item$Events"', '[["i3"]]'],
  [
    'SELECT stream_id FROM Reg."Item$Events" INTERSECT SELECT data.item FROM Reg."Shop$Events" ORDER BY 1',
    '[["i1"],["i2"]]',
  ],
  ['(SELECT 2 AS n UNION ALL SELECT 1 ORDER BY 1 LIMIT 1) UNION ALL SELECT 3 ORDER BY n DESC', '[[3],[1]]'],
  ['SELECT 1 AS n UNION ALL (SELECT 2 EXCEPT SELECT 2) UNION ALL SELECT NULL ORDER BY n DESC', '[[null],[1]]'],
  ['SELECT 1 AS n UNION SELECT 1.0 UNION SELECT 2.50 ORDER BY 1', '[[1.00],[2.50]]'],
  ['SELECT 1 AS n UNION ALL SELECT 2 INTERSECT SELECT 2 ORDER BY 1', '[[1],[2]]'],
  ["SELECT * FROM (VALUES (2, 'b'), (1, NULL)) v ORDER BY 1", '[[1,null],[2,"b"]]'],
]);

chapter('common tables', shop, [
  ['WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT SUM(n) AS s FROM t', '[[15]]'],
  ['WITH RECURSIVE t(n) AS (SELECT 0 UNION SELECT (n + 1) % 3 FROM t) SELECT n FROM t ORDER BY n', '[[0],[1],[2]]'],
  ['WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS x FROM a) SELECT a.x, b.x AS y FROM a, b', '[[1,2]]'],
  ['WITH a AS (SELECT 1 AS x) SELECT (WITH a AS (SELECT 2 AS x) SELECT x FROM a) AS inner_x, x FROM a', '[[2,1]]'],
  [
    'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT t.n + u.k FROM t JOIN (SELECT 1 AS k) u ON TRUE WHERE t.n < 4) SELECT n FROM t ORDER BY n DESC',
    '[[4],[3],[2],[1]]',
  ],
  ['WITH a AS (SELECT RANDOM() AS r) SELECT x.r = y.r AS same FROM a x, a y', '[[true]]'],
]);

chapter('windows', shop, [
  [
    'SELECT stream_id, data.item AS item, data.n AS n, SUM(data.n) OVER (PARTITION BY stream_id ORDER BY seq) AS running, ROW_NUMBER() OVER (ORDER BY global_position) AS rn FROM Reg."Shop$Events" ORDER BY rn',
    '[["s1","i1",2,2,1],["s1","i2",1,3,2],["s2","i1",5,5,3],["s2","i3",1,6,4]]',
  ],
  [
    'SELECT data.n AS n, RANK() OVER (ORDER BY data.n) AS r, DENSE_RANK() OVER (ORDER BY data.n) AS d, NTILE(2) OVER (ORDER BY global_position) AS t FROM Reg."Shop$Events" ORDER BY global_position',
    '[[2,3,2,1],[1,1,1,1],[5,4,3,2],[1,1,1,2]]',
  ],
  [
    'SELECT LAG(data.n) OVER (ORDER BY global_position) AS a, LEAD(data.n, 2, 0) OVER (ORDER BY global_position) AS b, FIRST_VALUE(data.n) OVER (ORDER BY global_position DESC) AS c FROM Reg."Shop$Events" ORDER BY global_position',
    '[[null,5,1],[2,1,1],[1,0,1],[5,0,1]]',
  ],
  [
    'SELECT stream_id FROM Reg."Shop$Events" ORDER BY ROW_NUMBER() OVER (ORDER BY data.day DESC) LIMIT 3',
    '[["s2"],["s2"],["s1"]]',
  ],
  [
    'SELECT data.n AS n, SUM(data.n) OVER (ORDER BY data.day RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS near FROM Reg."Shop$Events" ORDER BY global_position',
    '[[2,2],[1,3],[5,5],[1,6]]',
  ],
  [
    'SELECT AVG(data.price) OVER (ORDER BY global_position ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS a, LAST(data.item) OVER (PARTITION BY stream_id) AS l FROM Reg."Shop$Events" ORDER BY global_position',
    '[[3.500000,"i2"],[5.375000,"i2"],[5.250000,"i3"],[2.125000,"i3"]]',
  ],
  [
    'SELECT stream_id, SUM(SUM(data.n)) OVER (ORDER BY stream_id) AS s FROM Reg."Shop$Events" GROUP BY stream_id ORDER BY 1',
    '[["s1",3],["s2",9]]',
  ],
]);

chapter('functions', shop, [
  [
    `SELECT CASE WHEN 'abc' LIKE 'a%' THEN 'y' ELSE 'n' END AS a, 'ABC' ILIKE 'abc' AS b, 'a_c' LIKE 'a\\_c' AS c, POSITION('b' IN 'abc') AS d, REPLACE('aXa', 'X', '-') AS e, TRIM('  q ') AS f, LPAD('7', 3, '0') AS g, SPLIT_PART('a,b,c', ',', 2) AS h`,
    '[["y",true,true,2,"a-a","q","007","b"]]',
  ],
  [
    `SELECT '2026-03-01T10:00:00Z'::TIMESTAMP < '2026-03-01T10:00:00.000001Z'::TIMESTAMP AS earlier, EXTRACT(YEAR FROM DATE '2026-03-01') AS y, DATE_TRUNC('month', '2026-03-15T10:00:00Z'::TIMESTAMP) AS m`,
    '[[true,2026,"2026-03-01T00:00:00.000000Z"]]',
  ],
  [
    "SELECT NULL = NULL AS a, NULL IS NULL AS b, NULL AND FALSE AS c, NULL OR TRUE AS d, COALESCE(NULL, 2) AS e, NULLIF(1, 1) AS f, 'a' || NULL AS g, CONCAT('a', NULL, 'b') AS h",
    '[[null,true,false,true,2,null,null,"ab"]]',
  ],
  [
    'SELECT 0.1 + 0.2 = 0.3 AS a, 7 / 2 AS b, 7 % 3 AS c, 7.00 / 3 AS d, 1 / 3.0 AS e',
    '[[true,3,1,2.333333,0.333333]]',
  ],
  ['SELECT 1 / 0 AS a', 'R0201'],
  ['SELECT data.n / (data.n - 2) AS x FROM Reg."Shop$Events"', 'R0201'],
  [
    'SELECT CASE WHEN data.n = 2 THEN 0 ELSE 10 / (data.n - 2) END AS x FROM Reg."Shop$Events" ORDER BY global_position',
    '[[0],[-10],[3],[-10]]',
  ],
  [
    "SELECT CASE data.item WHEN 'i1' THEN 'tea' WHEN NULL THEN 'never' END AS x FROM Reg.\"Shop$Events\" ORDER BY global_position",
    '[["tea"],[null],["tea"],[null]]',
  ],
  ['SELECT CURRENT_TIMESTAMP AS t, CURRENT_DATE AS d', '[["2026-01-01T00:00:00.000000Z","2026-01-01"]]'],
]);

chapter('NULLs and order of events', probe, [
  [
    'SELECT LAST(data.a) AS la, FIRST(data.a) AS fa, LAST(data.b) AS lb, COUNT(data.a) AS ca, COUNT(*) AS c, SUM(data.a) AS s, AVG(data.a) AS m FROM Reg."Probe$Events" GROUP BY stream_id',
    '[[3,1,"none",2,4,4,2.000000]]',
  ],
  [
    'SELECT LAST(data.a) AS la, SUM(data.a) AS s, COUNT(*) AS c FROM Reg."Probe$Events" WHERE stream_id = \'nowhere\'',
    '[[null,null,0]]',
  ],
  ['SELECT seq FROM Reg."Probe$Events" WHERE data.a <> 1 ORDER BY seq', '[[3]]'],
  ['SELECT seq FROM Reg."Probe$Events" WHERE NOT (data.a = 1) OR data.a IS NULL ORDER BY seq', '[[2],[3],[4]]'],
  ['SELECT seq FROM Reg."Probe$Events" WHERE data.a IS DISTINCT FROM 1 ORDER BY seq', '[[2],[3],[4]]'],
  ['SELECT seq FROM Reg."Probe$Events" WHERE data.a NOT IN (1, NULL) ORDER BY seq', '[]'],
  [
    'SELECT seq, data.a FROM Reg."Probe$Events" ORDER BY data.a DESC NULLS LAST, seq',
    '[[3,3],[1,1],[2,null],[4,null]]',
  ],
  ['SELECT seq FROM Reg."Probe$Events" ORDER BY data.a, seq', '[[1],[3],[2],[4]]'],
  ['SELECT seq FROM Reg."Probe$Events" ORDER BY data.a DESC, seq DESC', '[[4],[2],[3],[1]]'],
  ['SELECT COUNT(DISTINCT data.b) AS n, COUNT(DISTINCT data.a) AS m FROM Reg."Probe$Events"', '[[3,2]]'],
  [
    'SELECT data.a AS a, COUNT(*) AS c FROM Reg."Probe$Events" GROUP BY data.a ORDER BY a NULLS FIRST',
    '[[null,2],[1,1],[3,1]]',
  ],
]);

chapter('columns that are called alike', shop, [
  ['SELECT * FROM (SELECT SUM(units), SUM(revenue) FROM Reg."Board") t', '[[9,31.50]]'],
  ["SELECT * FROM (SELECT 1 AS a, 'x' AS a, 2.5 AS A) z", '[[1,"x",2.5]]'],
  ['SELECT z.*, * FROM (SELECT * FROM (SELECT 1 AS a, 2 AS a) y) z', '[[1,2,1,2]]'],
  ['WITH t AS (SELECT 1 AS a, 2 AS a) SELECT * FROM t', '[[1,2]]'],
  ['WITH t AS (SELECT 1 AS a, 2 AS a), u AS (SELECT * FROM t) SELECT u.x, u.a FROM u AS u(x)', '[[1,2]]'],
  [
    'WITH RECURSIVE t AS (SELECT 1, 10 UNION ALL SELECT x, y + 1 FROM t AS s(x, y) WHERE y < 12) SELECT * FROM t ORDER BY 2',
    '[[1,10],[1,11],[1,12]]',
  ],
  ['SELECT x, y, z FROM (SELECT 1 + 1, 2 + 2, 3 + 3) AS t(x, y, z)', '[[2,4,6]]'],
  ['SELECT x, y FROM (SELECT * FROM (SELECT MIN(units), MAX(units) FROM Reg."Board") t) AS t(x, y)', '[[1,7]]'],
  ['SELECT * FROM (SELECT 1, 2 UNION ALL SELECT * FROM (SELECT 3, 4) t) t ORDER BY 1', '[[1,2],[3,4]]'],
  ['SELECT DISTINCT * FROM (SELECT 1 AS a, 2 AS a) t WHERE EXISTS (SELECT * FROM (SELECT 3, 4) u)', '[[1,2]]'],
  [
    'SELECT * FROM (SELECT a.*, b.* FROM (VALUES (1, 2)) a(k, v) JOIN (VALUES (1, 3)) b(k, v) USING (k)) t',
    '[[1,2,1,3]]',
  ],
  ['SELECT * FROM (SELECT 1 AS "a", 2 AS "a:2", 3 AS "a") t', '[[1,2,3]]'],
  [
    'SELECT t.x.item, t.y.title FROM (SELECT s.data, i.data FROM Reg."Shop$Events" s JOIN Reg."Item$Events" i ON i.stream_id = s.data.item WHERE s.seq = 1) AS t(x, y) ORDER BY 2',
    '[["i1","Green tea"],["i1","Green tea"],["i1","Tea"],["i1","Tea"]]',
  ],
  [
    'SELECT u.n FROM (SELECT * FROM (SELECT s.data.n, i.data.title FROM Reg."Shop$Events" s, Reg."Item$Events" i) t) u WHERE u.title = \'Cup\' ORDER BY 1',
    '[[1],[1],[2],[5]]',
  ],
]);

const three = `FROM (VALUES (1, 'a'), (2, 'b')) t(id, k) JOIN (VALUES (1, 'c'), (3, 'd')) u(id, k) USING (id) JOIN (VALUES (1, 'e'), (4, 'f')) v(id, k) USING (id)`;
const full = three.replaceAll('JOIN', 'FULL JOIN');
chapter('USING', shop, [
  [`SELECT * ${three}`, '[[1,"a","c","e"]]'],
  [`SELECT t.*, u.*, v.* ${three}`, '[[1,"a",1,"c",1,"e"]]'],
  [`SELECT * ${full} ORDER BY id`, '[[1,"a","c","e"],[2,"b",null,null],[3,null,"d",null],[4,null,null,"f"]]'],
  [`SELECT id, t.id, u.id, v.id ${full} ORDER BY 1`, '[[1,1,1,1],[2,2,null,null],[3,null,3,null],[4,null,null,4]]'],
  [
    `SELECT * FROM (VALUES (1, 'a')) t(id, k) CROSS JOIN ((VALUES (1, 'c')) u(id, k) JOIN (VALUES (1, 'e')) v(id, w) USING (id))`,
    '[[1,"a",1,"c","e"]]',
  ],
  [
    `SELECT * FROM (VALUES (1, 'a', 7)) t(id, k, z) JOIN (VALUES (7, 'b')) u(z, m) USING (z) JOIN (VALUES ('a', 1, 9)) v(k, id, y) USING (id, k)`,
    '[[1,"a",7,"b",9]]',
  ],
  ['SELECT * FROM (VALUES (1)) t(id) LEFT JOIN (VALUES (1.50), (1.00)) u(id) USING (id)', '[[1.00]]'],
]);

const grouped = "FROM (VALUES (1, 'a'), (2, 'a'), (3, 'b')) t(id, k)";
const other = 'FROM (VALUES (2), (3)) u(id)';
chapter('aggregates of the query around', shop, [
  [`SELECT (SELECT SUM(t.id)) ${grouped}`, '[[6]]'],
  [`SELECT k, (SELECT COUNT(t.id) ${other} WHERE u.id = 2) ${grouped} GROUP BY k ORDER BY k`, '[["a",2],["b",1]]'],
  [`SELECT k ${grouped} GROUP BY k HAVING EXISTS (SELECT 1 ${other} WHERE u.id = COUNT(t.id))`, '[["a"]]'],
  [`SELECT k, (SELECT SUM(u.id + t.k2) ${other}) FROM (VALUES (1, 10), (1, 10)) t(k, k2) GROUP BY k, k2`, '[[1,25]]'],
  [
    `SELECT k, SUM(id), (SELECT MAX(u.id) + MAX(t.id) ${other}) ${grouped} GROUP BY k ORDER BY (SELECT -MAX(t.id)), 1`,
    '[["b",3,6],["a",3,5]]',
  ],
  [`SELECT (SELECT COUNT(t.id) FILTER (WHERE t.k = 'a') ${other} LIMIT 1) AS n ${grouped}`, '[[2]]'],
  [`SELECT (SELECT x FROM (SELECT SUM(t.id) AS x) d) AS n, COUNT(*) ${grouped}`, '[[6,3]]'],
  [`SELECT k, (SELECT SUM(u.id + SUM(t.id)) ${other}) AS n ${grouped} GROUP BY k ORDER BY k`, '[["a",11],["b",11]]'],
  [
    `SELECT DISTINCT (SELECT COUNT(t.id) * COUNT(*) ${other}) ${grouped} GROUP BY k HAVING COUNT(*) > 0 ORDER BY 1`,
    '[[2],[4]]',
  ],
  [`SELECT (SELECT (SELECT COUNT(t.id) ${other} WHERE u.id > v.id) FROM (VALUES (2)) v(id)) ${grouped}`, '[[3]]'],
  [
    `SELECT SUM(x) OVER (), x IN (SELECT COUNT(t.id) - 1 FROM (VALUES (1)) t2) FROM (SELECT 1 AS x) t3, (VALUES (1)) t(id) GROUP BY x`,
    '[[1,false]]',
  ],
  [
    'SELECT e.stream_id, (SELECT LAST(e.data.price)) FROM Reg."Shop$Events" e GROUP BY e.stream_id ORDER BY 1',
    '[["s1",7.25],["s2",1.00]]',
  ],
]);

const pairs = 'FROM (VALUES (1, 10), (2, 20), (3, NULL)) t(id, x)';
const lines = 'FROM (VALUES (1, 5), (1, 6), (2, 7)) u(t, y)';
chapter('LATERAL', shop, [
  [`SELECT t.id, z.y ${pairs}, LATERAL (SELECT u.y ${lines} WHERE u.t = t.id) z ORDER BY 1, 2`, '[[1,5],[1,6],[2,7]]'],
  [
    `SELECT t.id, z.* ${pairs} LEFT JOIN LATERAL (SELECT u.y, u.y + t.x ${lines} WHERE u.t = t.id ORDER BY u.y DESC LIMIT 1) z ON TRUE ORDER BY 1`,
    '[[1,6,16],[2,7,27],[3,null,null]]',
  ],
  [`SELECT z.m FROM (VALUES (1)) a(b) CROSS JOIN LATERAL (SELECT SUM(t.id) + a.b AS m ${pairs}) z`, '[[7]]'],
  [`SELECT * FROM (VALUES (2)) a(n), LATERAL (SELECT n * 2 AS m) b, LATERAL (SELECT n + m AS s) c`, '[[2,4,6]]'],
  [
    `SELECT (SELECT SUM(z.y) FROM LATERAL (SELECT u.y ${lines} WHERE u.t = t.id) z) ${pairs} ORDER BY t.id`,
    '[[11],[7],[null]]',
  ],
  [
    `SELECT t.id, (SELECT SUM(z.w) FROM (VALUES (1), (2)) v(f), LATERAL (SELECT u.y * v.f AS w ${lines} WHERE u.t = t.id) z) AS s ${pairs} ORDER BY 1`,
    '[[1,33],[2,21],[3,null]]',
  ],
  [
    `SELECT z.* FROM (VALUES ('a"b', 1.50, 9007199254740993, TRUE, DATE '2026-01-02', 0.1::DOUBLE, NULL)) t(a, b, c, d, e, f, g), LATERAL (SELECT t.*) z`,
    '[["a\\"b",1.50,"9007199254740993",true,"2026-01-02",0.1,null]]',
  ],
  [`SELECT z.l FROM (SELECT ARRAY_AGG(u.y) AS l ${lines}) t, LATERAL (SELECT t.l) z`, '[[[5,6,7]]]'],
  [
    `SELECT e.seq, z.n FROM Reg."Shop$Events" e JOIN LATERAL (SELECT e.data.n + 1 AS n) z ON z.n > 2 ORDER BY 1, 2`,
    '[[1,3],[1,6]]',
  ],
]);

chapter('comparison with a subquery', shop, [
  [`SELECT id ${pairs} WHERE id = ANY (SELECT u.t ${lines}) ORDER BY 1`, '[[1],[2]]'],
  [`SELECT id ${pairs} WHERE id <> ALL (SELECT u.t ${lines})`, '[[3]]'],
  [`SELECT id ${pairs} WHERE id > ALL (SELECT u.t ${lines})`, '[[3]]'],
  [
    `SELECT id, x < ANY (SELECT x ${pairs.replace('t(', 'o(')}) AS any ${pairs} ORDER BY 1`,
    '[[1,true],[2,null],[3,null]]',
  ],
  [
    `SELECT 1 < ANY (SELECT u.y ${lines} WHERE u.t = 9), 1 >= ALL (SELECT u.y ${lines} WHERE u.t = 9)`,
    '[[false,true]]',
  ],
  [
    `SELECT 1.5 > ANY (VALUES (1), (2)), 'b' <= ALL (VALUES ('b'), (NULL)), 2 = ALL (VALUES (2), (2)), 1 <> ANY (VALUES (1))`,
    '[[true,null,true,false]]',
  ],
  [`SELECT t, SUM(y) > ANY (SELECT x ${pairs}) ${lines} GROUP BY t ORDER BY 1`, '[[1,true],[2,null]]'],
]);

test('queries over session tables', () => {
  const text = { kind: 'STRING' } as const;
  const columns = [
    { name: 'who', type: text, nullable: true, sensitive: false },
    { name: 'sum', type: { kind: 'DECIMAL', precision: 5, scale: 2 } as const, nullable: true, sensitive: false },
  ];
  const rows: readonly (readonly Value[])[] = [
    ['Ada', 10000n],
    ['Bo', null],
  ];
  const tables = { wanted: { columns, rows } };
  assert.equal(shop.answer('SELECT * FROM wanted ORDER BY sum', { tables }), '[["Ada",100.00],["Bo",null]]');
  assert.equal(
    shop.answer('SELECT w.who FROM Wanted w JOIN wanted x ON w.who = x.who WHERE x.sum > 1', { tables }),
    '[["Ada"]]',
  );
});

chapter('a list of columns that ends before them', shop, [
  ['SELECT * FROM (VALUES (1, 2)) t(a)', '[[1,2]]'],
  ['SELECT t.a, column2 FROM (VALUES (1, 2)) t(a)', '[[1,2]]'],
  ['WITH t(a) AS (SELECT 1, 2 AS b) SELECT b, a FROM t', '[[2,1]]'],
  [
    'WITH RECURSIVE t(a) AS (SELECT 1, 2 AS b UNION ALL SELECT a + 1, b FROM t WHERE a < 3) SELECT a, b FROM t',
    '[[1,2],[2,2],[3,2]]',
  ],
  ['SELECT l.thing, l.units FROM Reg."Ranked" AS l(thing) LIMIT 1', '[["i1",7]]'],
]);

test.run();
