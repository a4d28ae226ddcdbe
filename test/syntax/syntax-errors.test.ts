import { test } from 'uvu';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { assertDiagnostics } from '../kit/diagnostics.ts';
import { marked } from '../kit/marked.ts';

/** Sources with the faults marked in order, and what is said of each. */
const table: readonly (readonly [string, ...string[]])[] = [
  // the beginning of a statement
  [
    '«DELETE» FROM x;',
    'E0102 there is no statement DELETE; events are facts: EXECUTE a command, whose decision emits a new event',
  ],
  ['«SELCT» 1;', "E0102 there is no statement SELCT; did you mean 'SELECT'?"],
  ['«exekute» F();', "E0102 there is no statement exekute; did you mean 'EXECUTE'?"],
  ['CREATE «AGREGATE» X;', "E0103 CREATE: unknown kind 'AGREGATE'; did you mean 'AGGREGATE'?"],
  ['CREATE OR REPLACE «EVNT» X;', "E0103 CREATE OR REPLACE: unknown kind 'EVNT'; did you mean 'EVENT'?"],
  [
    'CREATE «GIZMO» X;',
    "E0103 CREATE: unknown kind 'GIZMO'; the kinds are AGGREGATE, COMMAND, EVENT, DECISION, PROJECTION, EVENTSTORE, TEMPLATE, ENUM, FUNCTION, CLAIM, SUBSCRIPTION, REACTION or TABLE",
  ],
  ['DESCRIBE «EVNT» x;', "E0103 DESCRIBE: unknown kind 'EVNT'; did you mean 'EVENT'?"],
  ['«7»;', "E0101 expected a statement, found '7'"],
  [
    'CREATE«;»',
    "E0101 expected AGGREGATE, COMMAND, EVENT, DECISION, PROJECTION, EVENTSTORE, TEMPLATE, ENUM, CLAIM, FUNCTION, SUBSCRIPTION, REACTION or TABLE, found ';'",
  ],
  [
    'CREATE OR REPLACE «TABLE» t AS SELECT 1;',
    "E0103 CREATE OR REPLACE: unknown kind 'TABLE'; the kinds are AGGREGATE, COMMAND, EVENT, DECISION, PROJECTION, EVENTSTORE, TEMPLATE, ENUM, FUNCTION, CLAIM, SUBSCRIPTION or REACTION",
  ],
  // blocks
  ['CREATE COMMAND Fill (tank_id STRING, litres INT«;»\nSELECT 1;', "E0101 expected ',' or ')', found ';'"],
  ['CREATE COMMAND Fill («)»;', "E0101 expected a field name, found ')'"],
  ['CREATE COMMAND Fill (a STRING«,» );', 'E0120 there is a comma too many: nothing follows it'],
  ['CREATE COMMAND Fill (a «,» b INT);', "E0101 expected a type, found ','"],
  ["CREATE COMMAND «'x'» (a INT);", "E0101 expected the name of a command, found the string 'x'"],
  [
    'CREATE EVENT «order» ();',
    "E0101 expected the name of an event, found 'order'; ORDER is reserved, put it in double quotes to use it as a name",
  ],
  ['CREATE COMMAND C (a INT KEY SENSITIVE «KEY»);', 'E0114 KEY is given twice'],
  // of several faults that the grammar accepts, the first in the text
  ['CREATE COMMAND C (a INT NULL «NULL» KEY KEY);', 'E0114 NULL is given twice'],
  [
    'CREATE AGGREGATE A (a INT AS b = c «=» d KEY KEY);',
    'E0115 comparisons do not chain; join two of them with AND, or use parentheses',
  ],
  ['SELECT 1 OFFSET 1 «OFFSET» 2 LIMIT 3 LIMIT 4;', 'E0114 OFFSET is given twice'],
  [
    'SELECT a FROM (SELECT b FROM c «AS OF POSITION 99999999999999999999») x;',
    'E0121 AS OF is for a whole query: it belongs at its end, and never into a part of it',
  ],
  ['CREATE COMMAND C (a INT DEFAULT «(»1));', "E0101 expected a literal, CURRENT_USER or CLAIM(name), found '('"],
  [
    'CREATE DECISION D FOR A ON «COMAND» C AS SELECT EVENT E ();',
    "E0101 expected COMMAND, found 'COMAND'; did you mean 'COMMAND'?",
  ],
  ['CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT «E» ();', "E0101 expected EVENT, found 'E'"],
  ['CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (a «=» 1);', "E0101 expected ':=', found '='"],
  ['CREATE PROJECTION P AS «x»;', "E0101 expected a query (SELECT …), found 'x'"],
  ['CREATE EVENTSTORE s WITH (durable.type = «*»);', "E0101 expected a value, found '*'"],
  // queries
  ['SELECT «FROM»;', "E0101 expected an expression or *, found 'FROM'"],
  ['SELECT 1 +«;»', "E0101 expected an expression, found ';'"],
  ['SELECT 1 +«»', 'E0101 expected an expression, found the end of the text'],
  [
    'SELECT a AS «from» FROM t;',
    "E0101 expected an alias, found 'from'; FROM is reserved, put it in double quotes to use it as a name",
  ],
  ['SELECT 1 «2»;', "E0101 expected the end of the statement, found '2'"],
  ['SELECT (1«;»', "E0101 expected ')', found ';'"],
  ['SELECT * FROM «WHERE» a;', "E0101 expected a relation, found 'WHERE'"],
  ['SELECT a FROM t JOIN u «WHERE» x;', "E0101 expected ON or USING, found 'WHERE'"],
  [
    'SELECT 1 AS «symmetric»;',
    "E0101 expected an alias, found 'symmetric'; SYMMETRIC is reserved, put it in double quotes to use it as a name",
  ],
  ['SELECT a NOT «b»;', "E0101 expected IN, BETWEEN, LIKE or ILIKE, found 'b'"],
  ['SELECT a < b «<» c;', 'E0115 comparisons do not chain; join two of them with AND, or use parentheses'],
  ['SELECT a = b «=» ANY(c);', 'E0115 comparisons do not chain; join two of them with AND, or use parentheses'],
  ['SELECT 1 LIMIT 1 OFFSET 2 «LIMIT» 3;', 'E0114 LIMIT is given twice'],
  ['SELECT CASE «END»;', "E0101 expected WHEN, found 'END'"],
  ['SELECT COALESCE(«SELECT» 1);', "E0101 expected an expression or ')', found 'SELECT'"],
  ['SELECT a FROM t GROUP BY«;»', "E0101 expected an expression, found ';'"],
  ['EXECUTE F(«*»);', "E0101 expected a field name or ')', found '*'"],
  // characters
  ['SELECT 1 «@» 2;', "E0104 unexpected character '@'"],
  ['SELECT «é»;', "E0104 unexpected character 'é' (U+00E9)"],
  ['SELECT «\u200d»1;', 'E0104 unexpected character U+200D'],
  ['SELECT 1«\u00a0»;', 'E0104 unexpected character U+00A0'],
  ["SELECT «'open»;\nSELECT 1;", "E0105 this string is not closed by a '"],
  ['SELECT «"open;»\n', 'E0106 this quoted name is not closed by a " on its line'],
  ['SELECT 1; «/*» open', 'E0107 this comment is not closed by */'],
  ['SELECT /* a /* b */ */ 1 «/*» /* */', 'E0107 this comment is not closed by */'],
  ['SELECT «1_000__0»;', "E0108 '1_000__0' is not a number; write 7, 7.50, .5, 1_000_000 or 1e-3"],
  ['SELECT «1.»;', "E0108 '1.' is not a number; write 7, 7.50, .5, 1_000_000 or 1e-3"],
  ['SELECT «7abc»;', "E0108 '7abc' is not a number; write 7, 7.50, .5, 1_000_000 or 1e-3"],
  ['SELECT «0x1F», 1;', "E0108 '0x1F' is not a number; write 7, 7.50, .5, 1_000_000 or 1e-3"],
  ['SELECT 1 AS «""»;', 'E0109 a quoted name needs at least one character'],
  ["SELECT 'a«\0»b';", 'E0110 U+0000 is not allowed in a text, not even in a string or comment'],
  ['SELECT 1 -- «\ud800»\n;', 'E0110 U+D800 is not allowed in a text, not even in a string or comment'],
  ['SELECT «:» a;', "E0116 ':' must be followed directly by the name of a field"],
  ['SELECT «{{x}}»;', "E0501 {{x}} is outside a template's body"],
  // each statement's first fault, and nothing of the next ones
  [
    'SELECT «@» +;\nSELECT 1;\nSELECT «;»',
    "E0104 unexpected character '@'",
    "E0101 expected an expression or *, found ';'",
  ],
];

for (const [text, ...expected] of table) {
  test(text, () => {
    const source = marked(text);
    assertDiagnostics(parseScript(source.file).diagnostics, source, expected);
  });
}

test.run();
