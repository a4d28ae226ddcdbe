import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { printStatement } from '../../compiler/syntax/print.ts';
import { showTree } from './show-tree.ts';

/** Text, its tree, and its canonical print where that differs from the text. */
const table: readonly (readonly [string, string, string?])[] = [
  // blocks
  ['create aggregate Bike', '(CreateAggregate Bike)', 'CREATE AGGREGATE Bike;'],
  ['CREATE AGGREGATE "Bike"();', '(CreateAggregate "Bike")', 'CREATE AGGREGATE Bike;'],
  [
    'CREATE OR REPLACE AGGREGATE A (id STRING KEY, b DECIMAL(12,2) DEFAULT -0.5 AS LAST(data.b));',
    '(CreateAggregate orReplace A [(AggregateField id STRING key) (AggregateField b DECIMAL(12,2) default=(Unary - 0.5) fold=(FunctionCall LAST [data.b] form=plain))])',
  ],
  [
    'CREATE COMMAND Track (key TEXT KEY, name STRING SENSITIVE, n INTEGER NULL, s STRING DEFAULT \'x\', "type" BOOL, select DATE);',
    '(CreateCommand Track [(CommandField key STRING key) (CommandField name STRING sensitive) (CommandField n INT nullable) (CommandField s STRING default=\'x\') (CommandField "type" BOOLEAN) (CommandField select DATE)])',
    "CREATE COMMAND Track (\n  key STRING KEY,\n  name STRING SENSITIVE,\n  n INT NULL,\n  s STRING DEFAULT 'x',\n  type BOOLEAN,\n  select DATE\n);",
  ],
  ['CREATE EVENT E ();', '(CreateEvent E)'],
  [
    'CREATE EVENT E (a INT TAG, b STRING SENSITIVE, c STRING VOLATILE);',
    '(CreateEvent E [(EventField a INT tag) (EventField b STRING sensitive) (EventField c STRING volatile)])',
  ],
  [
    'CREATE DECISION D FOR A ON COMMAND C AS SELECT EVENT E ();',
    '(CreateDecision D A C [(Branch [(Emit E)])])',
    'CREATE DECISION D FOR A ON COMMAND C\nEMIT AS\n  SELECT EVENT E ();',
  ],
  [
    'CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT x FROM Reg.P EMIT AS BRANCH One SELECT EVENT E (a := :a), SELECT EVENT F (b := x) TO B(:id) WHERE x > 0 UNION ALL SELECT EVENT G ();',
    '(CreateDecision D A C state=(Query (Select [(SelectExpression x)] from=(NamedRelation schema=Reg P))) [(Branch label=One [(Emit E [(Assignment a :a)]) (Emit F [(Assignment b x)] to=(EmitTarget B stream=:id))] guard=(Binary > x 0)) (Branch [(Emit G)])])',
    'CREATE DECISION D FOR A ON COMMAND C\nSTATE AS\n  SELECT x FROM Reg.P\nEMIT AS\n  BRANCH One\n  SELECT EVENT E (a := :a),\n  SELECT EVENT F (b := x) TO B(:id)\n  WHERE x > 0\n  UNION ALL\n  SELECT EVENT G ();',
  ],
  // EMIT left out behind what could take an alias
  [
    'CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT x FROM Reg.P AS SELECT EVENT E ();',
    '(CreateDecision D A C state=(Query (Select [(SelectExpression x)] from=(NamedRelation schema=Reg P))) [(Branch [(Emit E)])])',
    'CREATE DECISION D FOR A ON COMMAND C\nSTATE AS\n  SELECT x FROM Reg.P\nEMIT AS\n  SELECT EVENT E ();',
  ],
  [
    'CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT 1 AS branch FROM t AS BRANCH L SELECT EVENT E ();',
    '(CreateDecision D A C state=(Query (Select [(SelectExpression 1 alias=branch)] from=(NamedRelation t))) [(Branch label=L [(Emit E)])])',
    'CREATE DECISION D FOR A ON COMMAND C\nSTATE AS\n  SELECT 1 AS branch FROM t\nEMIT AS\n  BRANCH L\n  SELECT EVENT E ();',
  ],
  [
    'CREATE PROJECTION P AS SELECT 1;',
    '(CreateProjection P (Query (Select [(SelectExpression 1)])))',
    'CREATE PROJECTION P AS\nSELECT 1;',
  ],
  [
    "CREATE EVENTSTORE s WITH (durable.type = 'memory', default = true, wal.n = 1_000, a.b = -1, p.by = ('a','b'), u = ENV('URL'));",
    '(CreateEventStore s [(StoreOption durable.type {string memory}) (StoreOption default {boolean value}) (StoreOption wal.n {number 1000}) (StoreOption a.b {number -1}) (StoreOption p.by {tuple [a b]}) (StoreOption u {env variable=URL})])',
    "CREATE EVENTSTORE s WITH (\n  durable.type = 'memory',\n  default = TRUE,\n  wal.n = 1000,\n  a.b = -1,\n  p.by = ('a', 'b'),\n  u = ENV('URL')\n);",
  ],
  [
    'CREATE TEMPLATE T (A, B INT) AS ( CREATE EVENT {{A}} (); );',
    '(CreateTemplate T form=parentheses [(TemplateParameter A) (TemplateParameter B INT)] {start=33 end=57})',
    'CREATE TEMPLATE T (A, B INT) AS (\n  CREATE EVENT {{A}} ();\n);',
  ],
  [
    'CREATE TEMPLATE T WITH (a STRING) AS CREATE EVENT {{a}} (); END TEMPLATE;',
    '(CreateTemplate T form=with [(TemplateParameter a STRING)] {start=37 end=59})',
    'CREATE TEMPLATE T WITH (a STRING) AS\n  CREATE EVENT {{a}} ();\nEND TEMPLATE;',
  ],
  // the other statements
  [
    "USE TEMPLATE T WITH (A = 'x', B = -2, C = TRUE, D = NULL, F = (a INT KEY, b STRING NULL));",
    '(ApplyTemplate T [(TemplateArgument A {string x}) (TemplateArgument B {number -2}) (TemplateArgument C {boolean value}) (TemplateArgument D {null}) (TemplateArgument F {fields [(CommandField a INT key) (CommandField b STRING nullable)]})])',
    "APPLY TEMPLATE T WITH (A = 'x', B = -2, C = TRUE, D = NULL, F = (a INT KEY, b STRING NULL));",
  ],
  ['DROP EVENT E;', '(DropBlock block=event E)'],
  ['DROP TABLE t;', '(DropTable t)'],
  [
    "EXECUTE F(a := 1, end := 'x') WITH (command_id = 'c', expected_seq = 0);",
    "(Execute F [(Assignment a 1) (Assignment end 'x')] [(ExecuteOption command_id 'c') (ExecuteOption expected_seq 0)])",
  ],
  [
    'CREATE TABLE t (a, b) AS VALUES (1, NULL), (2, :x);',
    '(CreateTable t columns=[a b] (Values [(ValuesRow [1 NULL]) (ValuesRow [2 :x])]))',
  ],
  ['CREATE TABLE t AS SELECT 1;', '(CreateTable t (Query (Select [(SelectExpression 1)])))'],
  [
    'INSPECT DECISION D FROM wanted INTO x USING EVENTSTORE prod;',
    '(InspectDecision decision=D (RelationName wanted) (RelationName x) store=prod)',
  ],
  [
    'INSPECT PROJECTION P FROM Reg."A$Events" INTO Reg.P OFFSET 5 WHERE a = 1 LIMIT 10;',
    '(InspectProjection projection=P (RelationName schema=Reg "A$Events") (RelationName schema=Reg P) offset=5 where=(Binary = a 1) limit=10)',
  ],
  [
    "INSPECT DECISION D FROM Reg.\"A$Commands\" INTO x with schema 'DROP EVENT ''E'';' LIMIT 3 AS OF EACH WHERE outcome = 'rejected';",
    "(InspectDecision decision=D (RelationName schema=Reg \"A$Commands\") (RelationName x) where=(Binary = outcome 'rejected') limit=3 asOf=(AsOf unit=each) schema=(CandidateSchema from=text DROP EVENT 'E';))",
    "INSPECT DECISION D\nFROM Reg.\"A$Commands\"\nINTO x\nWHERE outcome = 'rejected'\nLIMIT 3\nAS OF EACH\nWITH SCHEMA 'DROP EVENT ''E'';';",
  ],
  [
    "INSPECT PROJECTION P FROM e INTO x WITH SCHEMA FILE 'next/p.schema';",
    '(InspectProjection projection=P (RelationName e) (RelationName x) schema=(CandidateSchema from=file next/p.schema))',
  ],
  [
    'INSPECT REACTION R FROM Reg."A$Events" INTO x LIMIT 3 WHERE seq = 1 AS OF EACH;',
    '(InspectReaction reaction=R (RelationName schema=Reg "A$Events") (RelationName x) where=(Binary = seq 1) limit=3 asOf=(AsOf unit=each))',
    'INSPECT REACTION R FROM Reg."A$Events" INTO x WHERE seq = 1 LIMIT 3 AS OF EACH;',
  ],
  ['DESCRIBE INSPECTION x;', '(Describe what=inspection x)'],
  ['DESCRIBE Bike;', '(Describe Bike)'],
  ['describe eventstores;', '(DescribeAll what=eventstore)', 'DESCRIBE EVENTSTORES;'],
  ['reset caller', '(SetCaller)', 'RESET CALLER;'],
  [
    "set caller 'ada' roles ('a', 'b') claims (clinic := 'north', level := -3, teams := ('x'), none := ())",
    "(SetCaller caller=(WrittenCaller subject='ada' roles=['a' 'b'] claims=[(WrittenClaim clinic ['north']) (WrittenClaim level [(Unary - 3)]) (WrittenClaim teams ['x'] isList) (WrittenClaim none isList)]))",
    "SET CALLER 'ada' ROLES ('a', 'b') CLAIMS (\n  clinic := 'north',\n  level := -3,\n  teams := ('x'),\n  none := ()\n);",
  ],
  ['SET CALLER NULL ROLES ();', '(SetCaller caller=(WrittenCaller subject=NULL))', 'SET CALLER NULL;'],
  ['VALIDATE dereg;', '(Validate)', 'VALIDATE REGISTRY;'],
  ['EXPORT REG;', '(Export)', 'EXPORT REGISTRY;'],
  ['EXPLAIN DECISION D;', '(Explain {decision D})'],
  ['EXPLAIN ACCESS;', '(Explain {access})'],
  [
    "EXPLAIN ACCESS FOR CALLER 'ada' ROLES ('nurse') CLAIMS (teams := ('a', 'b'), n := 1);",
    "(Explain {access caller=(WrittenCaller subject='ada' roles=['nurse'] claims=[(WrittenClaim teams ['a' 'b'] isList) (WrittenClaim n [1])])})",
  ],
  ['EXPLAIN SELECT 1;', '(Explain {query (Query (Select [(SelectExpression 1)]))})'],
  // queries
  [
    'SELECT DISTINCT a x, t.*, * FROM t, Reg.A$Agg b WHERE c GROUP BY d, e HAVING f ORDER BY 1 DESC, g NULLS FIRST LIMIT 1 OFFSET 2;',
    '(QueryStatement (Query (Select distinct [(SelectExpression a alias=x) (SelectStar qualifier=t) (SelectStar)] from=(Join CROSS (NamedRelation t) (NamedRelation schema=Reg A$Agg alias=b)) where=c groupBy=[d e] having=f) orderBy=[(OrderItem 1 direction=DESC) (OrderItem g nulls=FIRST)] limit=1 offset=2))',
    'SELECT DISTINCT a AS x, t.*, *\nFROM t CROSS JOIN Reg."A$Agg" AS b\nWHERE c\nGROUP BY d, e\nHAVING f\nORDER BY 1 DESC, g NULLS FIRST\nLIMIT 1\nOFFSET 2;',
  ],
  [
    'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t;',
    '(QueryStatement (Query recursive with=[(CommonTable t columns=[n] (Query (SetOperation UNION all (Select [(SelectExpression 1)]) (Select [(SelectExpression (Binary + n 1))] from=(NamedRelation t)))))] (Select [(SelectStar)] from=(NamedRelation t))))',
    'WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t;',
  ],
  [
    'SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 EXCEPT SELECT 4;',
    '(QueryStatement (Query (SetOperation EXCEPT (SetOperation UNION (Select [(SelectExpression 1)]) (SetOperation INTERSECT (Select [(SelectExpression 2)]) (Select [(SelectExpression 3)]))) (Select [(SelectExpression 4)]))))',
  ],
  [
    'SELECT * FROM a LEFT OUTER JOIN (b INNER JOIN c USING (x)) ON TRUE FULL JOIN (SELECT 1) AS d ON d.x = a.x;',
    '(QueryStatement (Query (Select [(SelectStar)] from=(Join FULL (Join LEFT (NamedRelation a) (Join INNER (NamedRelation b) (NamedRelation c) using=[x]) on=TRUE) (DerivedRelation (Query (Select [(SelectExpression 1)])) alias=d) on=(Binary = d.x a.x)))))',
    'SELECT * FROM a LEFT JOIN (b JOIN c USING (x)) ON TRUE FULL JOIN (SELECT 1) AS d ON d.x = a.x;',
  ],
  [
    'SELECT e.data.name AS year, status status FROM t WHERE x IN (VALUES (1));',
    '(QueryStatement (Query (Select [(SelectExpression e.data.name alias=year) (SelectExpression status alias=status)] from=(NamedRelation t) where=(InQuery x (Query (Values [(ValuesRow [1])]))))))',
    'SELECT e.data.name AS year, status AS status FROM t WHERE x IN (VALUES (1));',
  ],
  ['(SELECT 1);', '(QueryStatement (Query (Select [(SelectExpression 1)])))', 'SELECT 1;'],
];

for (const [text, tree, print] of table) {
  test(text, () => {
    const { statements, diagnostics } = parseScript({ name: 'x', text });
    assert.equal(
      diagnostics.map((fault) => fault.message),
      [],
    );
    assert.is(statements.length, 1);
    const statement = statements[0]?.statement;
    assert.ok(statement);
    assert.is(showTree(statement), tree);
    assert.is(printStatement(statement), print ?? text);
  });
}

test('the definition text of a block has no OR REPLACE', () => {
  const { statements } = parseScript({ name: 'x', text: 'CREATE OR REPLACE AGGREGATE A;' });
  const statement = statements[0]?.statement;
  assert.ok(statement);
  assert.is(printStatement(statement, { orReplace: 'omit' }), 'CREATE AGGREGATE A;');
});

test('a statement has its span with and without its semicolon', () => {
  const text = '\ufeff-- head\nSELECT 1 ;;\n /* x */ SELECT 2 -- tail';
  const { statements } = parseScript({ name: 'x', text });
  const at = (span: { start: number; end: number }) => text.slice(span.start, span.end);
  assert.equal(
    statements.map(({ span, textSpan }) => [at(span), at(textSpan)]),
    [
      ['SELECT 1', 'SELECT 1 ;'],
      ['SELECT 2', 'SELECT 2'],
    ],
  );
});

test('a semicolon ends a statement inside parentheses, but not inside a template body', () => {
  const text =
    'SELECT (1; CREATE TEMPLATE T (A) AS ( CREATE EVENT {{A}} (); ); SELECT 2; CREATE TEMPLATE U WITH (A) AS CREATE EVENT E (); SELECT CASE WHEN 1 THEN 2 END template;';
  const { statements } = parseScript({ name: 'x', text });
  assert.equal(
    statements.map(({ span }) => text.slice(span.start, span.start + 18)),
    ['SELECT (1; CREATE ', 'CREATE TEMPLATE T ', 'SELECT 2; CREATE T', 'CREATE TEMPLATE U '],
  );
});

test.run();
