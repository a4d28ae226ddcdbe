/** Forms of other SQL dialects: the typed text, with its marks, and all diagnostics of it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles } from '../../compiler/index.ts';
import { findAggregate, findWindowOnly } from '../../compiler/functions/aggregates.ts';
import { findCallable } from '../../compiler/functions/catalogue.ts';
import { foreignFunctions, foreignKinds, foreignStatements, foreignTypes } from '../../compiler/syntax/habits/names.ts';
import { syntaxHabits } from '../../compiler/syntax/habits/syntax-habits.ts';
import { assertDiagnostics } from '../kit/diagnostics.ts';
import { marked } from '../kit/marked.ts';

const key = 'E0120 PRIMARY KEY is written KEY: it marks the field that names the stream';
const foreignKey =
  'E0120 there are no foreign keys: read the other aggregate in the STATE of the decision, and let its guard say that it is there';
const check = 'E0120 CHECK ( condition ) belongs to a COMMAND: behind a field, or as an item of its own';
const unique =
  'E0120 there is no UNIQUE: the STATE of the decision reads whether the value is taken (docs/language.md#decision)';
const generated =
  'E0120 a declaration generates no values: the caller sends the id, or the decision assigns GEN_RANDOM_UUID()';
const notNull =
  'E0120 NOT NULL is not written: a field of an event has the value that the decision assigns, and is NULL without one';
const list = 'E0120 a field holds no list; give it the type JSON, or emit one event for each element';
const colon = 'E0120 there is no colon between a field and its type';
const pattern = 'E0120 there are no regular expressions: LIKE takes % for any text and _ for one character';
const member = "E0120 a member of a JSON value is read with ->, as JSON, or with ->>, as text: data->>'a'";
const containment =
  "E0120 there is no containment operator: compare a field, data->>'a' = 'x', or a tag, 'a:x' = ANY(tags)";
const bits = 'E0120 there are no operators on bits';
const named = 'E0120 a parameter is written with its name, :name';
const interval = "E0120 an interval is written as a text: INTERVAL '10 minutes'";
const division = 'E0120 a division of whole numbers is written /: the fraction is cut';
const remainder = 'E0120 the remainder of a division is written with % or MOD(a, b)';
const quotes = "E0120 a text is written in single quotes, 'like this'; double quotes are for names";
const prefix = "E0120 a text is written in single quotes without a letter before them, 'like this'";
const assigned = 'E0120 each value is given to a field: field := value';
const lock =
  'E0120 a query only reads, so there is nothing to lock: nothing changes between the STATE of a decision and its events';
const minus = 'E0120 MINUS is written EXCEPT';
const offset = 'E0120 OFFSET takes the number alone: OFFSET n';
const needless =
  'E0120 IF NOT EXISTS is not needed: to create the same block again changes nothing, and CREATE OR REPLACE changes its definition';
const guard = 'E0120 the guard of a branch follows WHERE';
const emit = 'E0120 events are emitted with EMIT AS SELECT EVENT Name (field := value)';
const comment = 'E0120 a comment begins with --';
const comma = 'E0120 there is a comma too many: nothing follows it';
const decision = 'CREATE DECISION D FOR A ON COMMAND C';
const mark =
  'E0120 an argument of a command is required unless its field says NULL or DEFAULT; fields of events and aggregates may always be NULL';
const decorator =
  'E0120 there are no decorators: the field that names the stream says KEY after its type, one that finds events says TAG';
const fields =
  'what is sent is a COMMAND and what is stored an EVENT, each with its fields: CREATE EVENT Name (field STRING)';
const answer =
  'an event is answered by a REACTION: CREATE REACTION Name ON EVENT Placed EXECUTE Ship (order_id := :stream_id)';
const react =
  'E0120 a reaction names its events and the command that follows: CREATE REACTION Name ON EVENT Placed EXECUTE Ship (order_id := :stream_id)';
const every =
  'E0120 there is no schedule: AFTER 1 DAY runs a command once for each event, and a process outside sends what comes each day';
const values = "E0120 the values of an ENUM are texts in single quotes: CREATE ENUM Name AS ('open', 'closed')";
const projection =
  'E0120 a projection is a query, whose columns have their names there: CREATE PROJECTION Name AS SELECT … AS a FROM …';
const reject =
  'E0120 a command is rejected where the guard of no branch holds; a REJECT of its own is not written, and a CHECK of the command has a MESSAGE';
const known = `CREATE AGGREGATE A; CREATE COMMAND C (id STRING); CREATE EVENT E (status STRING, at TIMESTAMP);
CREATE DECISION D FOR A ON COMMAND C`;
const rows = 'E0120 the rows of an AGGREGATE or a PROJECTION that a caller sees follow VISIBLE WHERE';
const sender = 'E0120 the condition for the sender of a COMMAND follows ALLOW WHERE';
const facts = 'events are facts: EXECUTE a command, whose decision emits a new event';

const table: readonly (readonly [string, ...string[]])[] = [
  // fields: keys and constraints
  ['CREATE COMMAND C (id STRING «PRIMARY KEY»);', key],
  ['CREATE AGGREGATE A (id STRING «PRIMARY KEY»);', key],
  ['CREATE COMMAND C (id STRING, «PRIMARY KEY (id»));', 'E0120 a key is marked at its field: write KEY after the type'],
  ['CREATE EVENT E (id STRING «PRIMARY KEY»);', 'E0120 an event has no key: it is stored in the stream of its command'],
  ['CREATE EVENT E (id STRING «KEY»);', 'E0120 an event has no KEY: it is stored in the stream of its command'],
  ['CREATE COMMAND C (id STRING «REFERENCES» Other(id));', foreignKey],
  ['CREATE COMMAND C (id STRING, «FOREIGN KEY (id») REFERENCES Other(id));', foreignKey],
  ['CREATE EVENT E (n INT «CHECK» (n > 0));', check],
  ['CREATE EVENT E (n INT, «CHECK» (n > 0));', check],
  [
    'CREATE COMMAND C (id STRING, n INT «CHECK» n > 0);',
    'E0120 the condition of a CHECK is in parentheses: CHECK (n > 0)',
  ],
  [
    "CREATE COMMAND C (id STRING, n INT CHECK (n > 0) «'too few'»);",
    "E0120 the text of a CHECK follows MESSAGE: CHECK (n > 0) MESSAGE 'text'",
  ],
  ['CREATE AGGREGATE A (id STRING KEY, n INT «=» 0);', 'E0120 a default value is written DEFAULT'],
  ['CREATE EVENT E (x String«!»);', mark],
  [
    'CREATE COMMAND C (id STRING, x string «| null»);',
    'E0120 a field that may be absent says NULL after its type, without a |',
  ],
  ['CREATE EVENT E (x string «|» null);', mark],
  ['CREATE EVENT E (x STRING «@»id);', decorator],
  ['CREATE EVENT E («@»id STRING);', decorator],
  [
    'CREATE COMMAND C (id STRING, n INT CHECK (n > 0) «MESSAGE "no"»);',
    "E0120 a text is written in single quotes, 'like this'; double quotes are for names",
  ],
  ['CREATE COMMAND C (id STRING, n INT «UNIQUE»);', unique],
  ['CREATE COMMAND C (id STRING, «UNIQUE» (n));', unique],
  [
    'CREATE COMMAND C (id STRING, n INT «NOT NULL»);',
    'E0120 NOT NULL is not written: an argument is required unless its field says NULL or DEFAULT',
  ],
  ['CREATE EVENT E (n INT «NOT NULL»);', notNull],
  ['CREATE AGGREGATE A (n INT «NOT NULL»);', notNull],
  [
    'CREATE EVENT E (n INT «NULL»);',
    'E0120 NULL is written in a command only: fields of events and aggregates may always be NULL',
  ],
  ['CREATE COMMAND C (id INT «AUTO_INCREMENT»);', generated],
  ['CREATE COMMAND C (id INT «AUTOINCREMENT»);', generated],
  ['CREATE COMMAND C (id INT «IDENTITY»);', generated],
  ['CREATE COMMAND C (id INT «GENERATED» ALWAYS AS IDENTITY);', generated],
  // fields: values and marks
  ['CREATE AGGREGATE A (a STRING «DEFAULT "x"»);', quotes],
  [
    'CREATE COMMAND C (id STRING, a STRING DEFAULT «"x"»);',
    "E0714 the DEFAULT of 'a' is a literal, CURRENT_USER or CLAIM(name); a text is written in single quotes, 'x'",
  ],
  [
    'CREATE COMMAND C (id STRING, at TIMESTAMP DEFAULT «now()»);',
    "E0714 the DEFAULT of 'at' is a literal, CURRENT_USER or CLAIM(name); the decision assigns anything else",
  ],
  [
    'CREATE AGGREGATE A (at TIMESTAMP «DEFAULT now»());',
    "E0120 a DEFAULT is a literal, such as 0, 'none' or TRUE; the decision assigns anything else",
  ],
  ['CREATE EVENT E (n INT «DEFAULT» 0);', 'E0120 a field of an event has no DEFAULT: the decision assigns its value'],
  ['CREATE COMMAND C (id STRING, n INT «=» 0);', 'E0120 a default value is written DEFAULT'],
  ['CREATE COMMAND C (id STRING, n«?» INT);', 'E0120 a field that may be absent says NULL after its type'],
  [
    'CREATE EVENT E (n INT «AS» a + b);',
    'E0120 AS computes a field of an aggregate; the decision assigns the fields of an event',
  ],
  [
    'CREATE AGGREGATE A (n INT «SENSITIVE»);',
    'E0120 SENSITIVE is said at the field of the event; everything computed from it is sensitive too',
  ],
  ['CREATE COMMAND C (n INT «TAG»);', 'E0120 TAG is said at the field of an event'],
  ['CREATE COMMAND C (n INT «VOLATILE»);', 'E0120 VOLATILE is said at the field of an event'],
  ["CREATE EVENT E (n INT «COMMENT» 'how many');", 'E0120 a comment is written after --, before or next to the field'],
  // types
  ['CREATE EVENT E (a«:» INT, b«:» INT);', colon, colon],
  ['CREATE EVENT E («a :INT»);', colon],
  ['CREATE EVENT E (a STRING«[]»);', list],
  ['CREATE EVENT E (a INT«[»3]);', list],
  ['CREATE EVENT E (a STRING «ARRAY»);', list],
  ['CREATE EVENT E (a «ARRAY<»STRING>);', list],
  [
    "CREATE EVENT E (a «ENUM»('x', 'y'));",
    'E0120 an ENUM has a name of its own: CREATE ENUM Name AS (…), and Name is the type of the field',
  ],
  ['CREATE EVENT E (a «VARCHAR(MAX»));', 'E0120 a text without a greatest length is a STRING'],
  ['CREATE EVENT E (a «DOUBLE PRECISION»);', 'E0120 DOUBLE PRECISION is written DOUBLE'],
  ['CREATE EVENT E (a «CHARACTER VARYING»(20));', 'E0120 CHARACTER VARYING is written VARCHAR'],
  [
    'CREATE EVENT E (a TIMESTAMP «WITH TIME ZONE»);',
    'E0120 a TIMESTAMP is always an instant in UTC: leave out WITH TIME ZONE',
  ],
  [
    'CREATE EVENT E (a TIMESTAMP «WITHOUT TIME ZONE»);',
    'E0120 a TIMESTAMP is always an instant in UTC: leave out WITHOUT TIME ZONE',
  ],
  [
    'CREATE EVENT E (a INT «UNSIGNED»);',
    'E0120 there are no unsigned types: let the guard of the decision say that the value is not negative',
  ],
  ['CREATE EVENT E (a INT «SIGNED»);', 'E0120 INT and BIGINT are always signed: leave out SIGNED'],
  ['CREATE EVENT E (a «MONEY»);', "E0301 there is no type 'MONEY'; write DECIMAL(12,2)"],
  ['CREATE EVENT E (a «JSONB»);', "E0301 there is no type 'JSONB'; did you mean 'JSON'?"],
  [
    'CREATE EVENT E (a «COLOUR»);',
    "E0301 there is no type 'COLOUR'; the types are STRING, UUID, INT, BIGINT, DECIMAL(p,s), DOUBLE, BOOLEAN, TIMESTAMP, DATE and JSON",
  ],
  [
    'CREATE EVENT E (INT «a», string «b»);',
    "E0301 there is no type 'a'; the name comes before the type: a INT",
    "E0301 there is no type 'b'; the name comes before the type: b STRING",
  ],
  ['CREATE EVENT E (a «TEXT(20)»);', 'E0302 TEXT(20): TEXT takes no numbers; write VARCHAR(20)'],
  ['CREATE EVENT E (a «INT(11)»);', 'E0302 INT(11): INT takes no numbers'],
  // an unknown word after the type
  [
    'CREATE COMMAND C (id STRING «FROBNICATED»);',
    "E0101 expected ',' or ')', found 'FROBNICATED'; after the type of a field may come KEY, SENSITIVE, NULL and DEFAULT",
  ],
  ['CREATE EVENT E (pin STRING «SENSITVE»);', "E0101 expected ',' or ')', found 'SENSITVE'; did you mean 'SENSITIVE'?"],
  // lists
  ['CREATE COMMAND C (id STRING, p INT«,»);', comma],
  ['SELECT 1 AS a«,» FROM t;', comma],
  ['CREATE EVENT E (a INT «b» INT);', "E0101 expected ',' or ')', found 'b'; is a ',' missing before 'b'?"],
  [
    `${decision} EMIT AS SELECT EVENT E (a := 1 «b» := 2);`,
    "E0101 expected ',' or ')', found 'b'; is a ',' missing before 'b'?",
  ],
  // statements
  ['CREATE «EVENT E»;', 'E0120 an event without fields is written with (): CREATE EVENT Name ()'],
  [
    'CREATE OR REPLACE «COMMAND C»;',
    'E0120 a command has at least the field that names its stream: CREATE COMMAND Name (id STRING)',
  ],
  ['CREATE EVENT «IF NOT EXISTS» E (a INT);', needless],
  ['CREATE AGGREGATE «IF NOT EXISTS» A;', needless],
  ['DROP EVENT «IF EXISTS» E;', 'E0120 there is no IF EXISTS: to drop a block that is not there is an error'],
  [
    'DROP EVENT E «CASCADE»;',
    'E0120 DROP removes a block that nothing refers to: drop or change the blocks that refer to it before',
  ],
  [
    `${decision} EMIT AS SELECT EVENT E (a := :a) «STATE AS» SELECT 1 AS n;`,
    'E0120 STATE is written before EMIT: ON COMMAND Name STATE AS SELECT … EMIT AS SELECT EVENT …',
  ],
  [`${decision} EMIT AS SELECT EVENT E (a := 1) «WHEN» a > 1;`, guard],
  [`${decision} EMIT AS SELECT EVENT E (a := 1) «IF» a > 1;`, guard],
  [
    `${decision} EMIT AS SELECT EVENT E (a := 1)\n«SELECT EVENT» F ();`,
    'E0120 the events of one branch are joined with a comma, and branches with UNION ALL',
  ],
  [`${decision} EMIT AS SELECT EVENT E (a := 1«,» SELECT EVENT F ();`, "E0120 a ')' is missing before this comma"],
  [`${decision} «EMIT EVENT» E (a := 1);`, emit],
  [`${decision} «EMIT AS EVENT» E (a := 1);`, emit],
  [`${decision} EMIT AS SELECT EVENT E («:a»);`, assigned],
  ["EXECUTE C(«'a'», 1);", assigned],
  ['EXECUTE C(«1»);', assigned],
  ["EXECUTE C «id» := 'a';", 'E0120 the arguments of a command are in parentheses: EXECUTE Name(field := value)'],
  ["EXECUTE C(id «=» 'a');", "E0101 expected ':=', found '='"],
  ['«USE mine»;', 'E0120 USE TEMPLATE applies a template; there are no databases to choose from'],
  ['EXPLAIN «ANALYZE» SELECT 1 AS x;', 'E0120 EXPLAIN runs nothing, so there is no ANALYZE'],
  ['«INSERT» INTO t VALUES (1) RETURNING a;', `E0102 there is no statement INSERT; ${facts}`],
  ['«update» t SET a = 1;', `E0102 there is no statement update; ${facts}`],
  [
    'CREATE TABLE t («id INT» PRIMARY KEY, b TEXT);',
    "E0120 CREATE TABLE keeps rows for a session, CREATE TABLE t (a, b) AS VALUES (1, 'x'); what is stored is declared with CREATE EVENT",
  ],
  [
    'CREATE «VIEW» v AS SELECT 1;',
    "E0103 CREATE: unknown kind 'VIEW'; a view is a PROJECTION: CREATE PROJECTION Name AS SELECT …",
  ],
  // models and other words for events, commands and processes
  [
    "«import» { x } from 'y';",
    'E0102 there is no statement import; all .schema files of a folder are read together, without imports',
  ],
  [
    '«SUBSCRIBE» TO Placed;',
    'E0102 there is no statement SUBSCRIBE; a subscription is a block: CREATE SUBSCRIPTION Name FROM START AS SELECT …',
  ],
  ['«type» Foo { a: string }', `E0102 there is no statement type; ${fields}`],
  ['«model» Foo { a String }', `E0102 there is no statement model; ${fields}`],
  ['«interface» Foo { a: string }', `E0102 there is no statement interface; ${fields}`],
  ['«ON» EVENT Placed SET total = total + 1;', `E0102 there is no statement ON; ${answer}`],
  ['CREATE «SAGA» S;', `E0103 CREATE: unknown kind 'SAGA'; a process is made of reactions; ${answer}`],
  [
    'CREATE «TRIGGER» t AFTER INSERT;',
    "E0103 CREATE: unknown kind 'TRIGGER'; a command that follows an event is a REACTION: CREATE REACTION Name ON EVENT Placed EXECUTE Ship (order_id := :stream_id)",
  ],
  ['CREATE AGGREGATE A «{» id STRING };', 'E0120 the fields of a block are in parentheses: ( … )'],
  ['CREATE EVENT E «{» n INT };', 'E0120 the fields of a block are in parentheses: ( … )'],
  ['CREATE ENUM E «(»a, b);', values],
  ["CREATE ENUM E «(»'a', 'b');", values],
  ['CREATE ENUM E AS («a», b);', values],
  ['CREATE ENUM E AS («1», 2);', values],
  ['CREATE ENUM E «{» a, b };', values],
  ['CREATE ENUM E AS «{» a, b };', values],
  // decisions
  [`${decision} EMIT AS SELECT EVENT E (a := 1) WHERE n > 1 «ELSE REJECT» 'few';`, reject],
  [`${decision} «REJECT» 'few';`, reject],
  [`${decision} «EMIT Paid» ();`, emit],
  [
    `${decision} EMIT AS SELECT EVENT «Paid» WHERE n > 1;`,
    'E0120 the fields of an event are in parentheses, also when it has none: SELECT EVENT Name () WHERE …',
  ],
  [
    `${decision} EMIT AS SELECT EVENT Paid (a := 1) «TO Order1» WHERE n > 1;`,
    'E0120 an event for another aggregate names the stream in parentheses: TO Aggregate (id) WHERE …',
  ],
  [`${decision} EMIT AS SELECT EVENT E (a«:» 1);`, assigned],
  ['EXECUTE C(«id :a»);', assigned],
  [
    `${known} STATE AS SELECT LAST(data.status) AS status FROM Reg."A$Events" WHERE stream_id = :id
EMIT AS SELECT EVENT E (status := 'x', at := «NOW») WHERE status = «placed»;`,
    "E0203 there is no column 'NOW' here; the function is written with parentheses: NOW()",
    "E0203 there is no column 'placed' here; there is status; a text is written in single quotes: 'placed'",
  ],
  [
    `${known} EMIT AS SELECT EVENT E (status := 'x');
CREATE PROJECTION P AS SELECT e.«status» AS status FROM Reg."A$Events" e;`,
    "E0203 there is no column 'status' here; did you mean 'e.data.status'?",
  ],
  // reactions and projections
  [
    `${known} EMIT AS SELECT EVENT E (status := 'x');
CREATE REACTION R ON EVENT E EXECUTE C (id := :stream_id) AT «occurred_at» + INTERVAL '1 day';`,
    "E0203 there is no column 'occurred_at' here; the field of the event is written :occurred_at",
  ],
  ['CREATE REACTION R ON EVENT E EXECUTE C (id := :stream_id) «EVERY» 1 DAY;', every],
  ['CREATE REACTION R «WHEN» Placed EXECUTE C (id := :stream_id);', react],
  ['CREATE REACTION R «AFTER» Placed EXECUTE C (id := :stream_id);', react],
  ['CREATE REACTION R «EVERY» 1 DAY EXECUTE C (id := :stream_id);', react],
  ['CREATE REACTION R ON EVENT Placed «DO» Pay (id := :stream_id);', react],
  ['CREATE PROJECTION P «(»a, b) AS SELECT 1 AS a, 2 AS b;', projection],
  ['CREATE PROJECTION P «FROM» X SELECT a;', projection],
  [
    'CREATE PROJECTION P «ON» EVENT X SET total = total + 1;',
    'E0120 a projection is a query over all events, kept up to date event by event: CREATE PROJECTION Name AS SELECT SUM(data.n) AS total FROM Reg."A$Events"',
  ],
  [
    'CREATE FUNCTION f (a INT) RETURNS INT AS «$$» a $$;',
    "E0120 a text is written in single quotes, 'like this', and an expression without quotes",
  ],
  // queries
  [
    'SELECT «DISTINCT ON» (a) a FROM t;',
    'E0120 there is no DISTINCT ON: SELECT key, LAST(x) … GROUP BY key gives one row for each key',
  ],
  ['SELECT «TOP 10» a FROM t;', 'E0120 TOP n is written LIMIT n, at the end of the query'],
  ['SELECT 1 AS a «LIMIT 5, 10»;', 'E0120 LIMIT takes one number: LIMIT 5, 10 is written LIMIT 10 OFFSET 5'],
  ['SELECT 1 AS a «FETCH» FIRST 5 ROWS ONLY;', 'E0120 FETCH FIRST n ROWS ONLY is written LIMIT n'],
  ['SELECT 1 AS a OFFSET 5 «ROWS»;', offset],
  ['SELECT 1 AS a OFFSET 1 «ROW»;', offset],
  ['SELECT 1 AS a «FOR UPDATE»;', lock],
  ['SELECT 1 AS a «FOR SHARE»;', lock],
  [
    'SELECT a «INTO» b FROM t;',
    'E0120 a query stores nothing: CREATE TABLE t AS SELECT … keeps its rows for the session',
  ],
  [
    'SELECT * FROM a «NATURAL» JOIN b;',
    'E0120 there is no NATURAL JOIN: JOIN … USING (a) names the columns that are equal',
  ],
  ['SELECT * FROM a CROSS «APPLY» b;', 'E0120 CROSS APPLY is written CROSS JOIN LATERAL (SELECT …)'],
  ['SELECT * FROM a «OUTER APPLY» b;', 'E0120 OUTER APPLY is written LEFT JOIN LATERAL (SELECT …) t ON TRUE'],
  ['SELECT a FROM t «MINUS» SELECT a FROM u;', minus],
  ['SELECT a FROM t WHERE a = 1 «MINUS» SELECT a FROM u;', minus],
  [
    'SELECT a FROM t GROUP BY «GROUPING SETS» ((a), ());',
    'E0120 there are no grouping sets: join one query for each grouping with UNION ALL',
  ],
  [
    'SELECT a FROM t GROUP BY a «WITH ROLLUP»;',
    'E0120 there is no ROLLUP: join one query for each grouping with UNION ALL',
  ],
  [
    'CREATE EVENT C (b INT) «UPCAST FROM EVENT (»a INT) AS (b := a);',
    'E0120 the name of the stored event comes before its fields: UPCAST FROM EVENT Old ( … ) AS ( … )',
  ],
  [
    'SELECT * «FROM generate_series(»1, 3);',
    'E0120 a FROM reads relations, not functions: WITH RECURSIVE counts rows, and LATERAL (SELECT …) computes them',
  ],
  ["EXECUTE C(id := 'a') «RETURNING» id;", 'E0120 there is no RETURNING: EXECUTE answers with the events that it made'],
  // expressions
  ['SELECT 1 «==» 0 AS x;', "E0120 '==' is written ="],
  ['SELECT 1 «<=>» 2 AS x;', "E0120 '<=>' is written IS NOT DISTINCT FROM"],
  ['SELECT TRUE «&&» FALSE AS x;', "E0120 '&&' is written AND"],
  ['SELECT «TRUE || FALSE» AS x;', "E0304 '||' joins texts; the logical OR is written OR"],
  ['SELECT «!»TRUE AS x;', "E0120 '!' is written NOT"],
  ['SELECT 1 != 2 AS x;'],
  ['SELECT 1 WHERE TRUE «XOR» FALSE;', 'E0120 XOR of two BOOLEAN values is written <>'],
  ['SELECT 1 WHERE 1 «ISNULL»;', 'E0120 ISNULL is written IS NULL'],
  ['SELECT 1 WHERE 1 «NOTNULL»;', 'E0120 NOTNULL is written IS NOT NULL'],
  ['SELECT 1 WHERE 1 «IS NOTNULL»;', 'E0120 IS NOTNULL is written IS NOT NULL'],
  ["SELECT 1 WHERE 'a' «SIMILAR TO» 'x';", pattern],
  ["SELECT 'a' «SIMILAR TO» 'x';", pattern],
  ["SELECT 1 WHERE 'a' «REGEXP» 'x';", pattern],
  ["SELECT 'a' «REGEXP» 'x';", pattern],
  ["SELECT 1 WHERE 'a' «RLIKE» 'x';", pattern],
  ["SELECT 'a' «RLIKE» 'x';", pattern],
  ["SELECT 1 WHERE 'a' «GLOB» 'x';", pattern],
  ["SELECT 'a' «GLOB» 'x';", pattern],
  ["SELECT 'a' «~» 'x';", pattern],
  ["SELECT 'a' «!~» 'x';", pattern],
  ["SELECT a «@>» 'x';", containment],
  ["SELECT a «<@» 'x';", containment],
  ["SELECT a «#>>» 'x';", member],
  ["SELECT a «#>» 'x';", member],
  ["SELECT a«[»'x'] AS b;", member],
  ['SELECT «ARRAY»[1, 2] AS b;', 'E0120 a list is written in parentheses after IN: x IN (1, 2)'],
  ['SELECT «[a]» FROM t;', 'E0120 a name is put in double quotes, not in brackets'],
  ['SELECT «`a»` FROM t;', 'E0120 a name is put in double quotes, not in backticks'],
  ['SELECT «?» AS x;', named],
  ['SELECT «$»1 AS x;', named],
  ['SELECT «@»x AS y;', 'E0120 a field of the command is written :name'],
  ['SELECT 1 «^» 2 AS x;', 'E0120 a power is written POWER(a, b)'],
  ['SELECT 1 «&» 2 AS x;', bits],
  ['SELECT 1 «|» 2 AS x;', bits],
  ['SELECT 1 «<<» 2 AS x;', bits],
  ['SELECT 1 «>>» 2 AS x;', bits],
  ['SELECT a «DIV 2» FROM t;', division],
  ['SELECT 1 WHERE 1 «DIV» a = 1;', division],
  ['SELECT a «MOD 2» FROM t;', remainder],
  ['SELECT 1 WHERE 1 «MOD» a = 1;', remainder],
  ["SELECT now() + INTERVAL '10 minutes' AS x;"],
  ['SELECT now() + «INTERVAL 10 MINUTE» AS x;', interval],
  [
    "SELECT 1 WHERE 'a' = 'b' «COLLATE» nocase;",
    'E0120 there are no collations: texts compare by code point, and LOWER(x) ignores the case',
  ],
  ['SELECT «‘»a’ AS x;', "E0120 a text is written in straight single quotes, 'like this'"],
  ["SELECT «E'a'» AS x;", prefix],
  ["SELECT «N'a'» AS x;", prefix],
  ['SELECT «"abc"» AS x;', "E0203 there is no column 'abc' here; a text is written in single quotes, 'abc'"],
  ['CREATE EVENTSTORE s WITH (durable.type «= "memory"»);', quotes],
  ['CREATE EVENTSTORE s WITH (durable.type = «memory»);', "E0120 a text is written in single quotes, 'like this'"],
  ["CREATE EVENTSTORE s WITH («type» = 'postgres');", "E0801 there is no setting 'type'; did you mean 'durable.type'?"],
  ['SELECT «TRUE = 1» AS x;', "E0304 '=' cannot compare BOOLEAN and INT"],
  ['SELECT «IFNULL»(1, 2) AS x;', "E0205 there is no function 'IFNULL'; write COALESCE(x, y)"],
  ["SELECT «md5»('a') AS x;", "E0205 there is no function 'md5'; write ENCODE(DIGEST(x, 'md5'), 'hex')"],
  [
    'SELECT «frobnicate»(1) AS x;',
    "E0205 there is no function 'frobnicate'; docs/language.md#functions lists the functions",
  ],
  // the caller, and who sees and sends what
  ['CREATE AGGREGATE A (a STRING) «USING» (a = CURRENT_USER);', rows],
  ['CREATE AGGREGATE A «USING» (TRUE);', rows],
  ['CREATE PROJECTION P «USING» (a = 1) AS SELECT 1 AS a;', rows],
  ['CREATE PROJECTION P VISIBLE «(»a = 1) AS SELECT 1 AS a;', rows],
  ['CREATE AGGREGATE A VISIBLE «IF» TRUE;', rows],
  ['CREATE AGGREGATE A CLEAR «(»TRUE);', 'E0120 the condition of CLEAR follows WHERE'],
  ['CREATE COMMAND C (id STRING) ALLOW «(»TRUE);', sender],
  ['CREATE COMMAND C (id STRING) ALLOW «IF» TRUE;', sender],
  ['CREATE COMMAND C (id STRING) «VISIBLE» WHERE TRUE;', `${sender}; ${rows.slice('E0120 '.length)}`],
  ['CREATE AGGREGATE A (a STRING) «ALLOW» WHERE TRUE;', `${rows}; ${sender.slice('E0120 '.length)}`],
  ['CREATE PROJECTION P «ALLOW» WHERE TRUE AS SELECT 1 AS a;', `${rows}; ${sender.slice('E0120 '.length)}`],
  [
    'CREATE «POLICY» own ON orders USING (owner = CURRENT_USER);',
    "E0103 CREATE: unknown kind 'POLICY'; VISIBLE WHERE of an AGGREGATE or a PROJECTION says who sees which rows, ALLOW WHERE of a COMMAND who sends it (docs/callers.md)",
  ],
  [
    'SELECT «CURRENT_USER»() AS x;',
    "E0205 there is no function 'CURRENT_USER'; CURRENT_USER is written without parentheses",
  ],
  ['SELECT «USER»() AS x;', "E0205 there is no function 'USER'; the caller is CURRENT_USER"],
  ['SELECT «session_user» AS x;', "E0203 there is no column 'session_user' here; the caller is CURRENT_USER"],
  ["SELECT 1 AS x WHERE «user» = 'ada';", "E0203 there is no column 'user' here; the caller is CURRENT_USER"],
  [
    'CREATE COMMAND C (id STRING) ALLOW WHERE id = «current_role»;',
    "E0202 command 'C' has no field 'current_role'; the caller is CURRENT_USER",
  ],
  // comments
  ["SELECT 1 AS x; «#» the first one's\nSELECT 2 AS y;", comment],
  ["«//» the first one's\nSELECT 2 AS y;", comment],
];

for (const [text, ...expected] of table) {
  test(text, () => {
    const source = marked(text);
    const { diagnostics } = compileFiles([source.file]);
    assertDiagnostics(
      diagnostics.filter(({ code }) => code !== 'E0912'),
      source,
      expected,
    );
  });
}

test('every form of the tables is met by a text above', () => {
  const said = new Set(table.flatMap(([, ...expected]) => expected));
  const unmet = syntaxHabits.filter(({ instead }) => !said.has(`E0120 ${instead}`));
  assert.equal(
    unmet.map(({ typed }) => typed),
    [],
  );
});

test('a word with a message of its own is unknown here', () => {
  const texts = [
    ...Array.from(foreignStatements.keys(), (word) => [word, `${word} x;`] as const),
    ...Array.from(foreignKinds.keys(), (word) => [word, `CREATE ${word} x;`] as const),
    ...Array.from(foreignTypes.keys(), (word) => [word, `CREATE EVENT E (a ${word});`] as const),
  ];
  const known = texts.filter(([, text]) => {
    const codes = compileFiles([{ name: 'a.schema', text }]).diagnostics.map(({ code }) => code);
    return !['E0102', 'E0103', 'E0301'].includes(codes[0] ?? '');
  });
  assert.equal(known, []);
  const functions = Array.from(foreignFunctions.keys()).filter(
    (word) => (findCallable(word) ?? findAggregate(word) ?? findWindowOnly(word)) !== undefined,
  );
  assert.equal(functions, []);
});

test.run();
