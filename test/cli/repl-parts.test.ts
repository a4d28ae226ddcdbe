import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { backslashed, backslashHelp, readBackslash } from '../../cli/repl/backslash.ts';
import { complete } from '../../cli/repl/complete.ts';
import { createDiscretion } from '../../cli/repl/history.ts';
import { isComplete, onOneLine } from '../../cli/repl/is-complete.ts';
import type { Known } from '../../server/session/known.ts';
import { untypedTable } from '../../cli/remote/values.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { renderTable } from '../../cli/output/table.ts';

const texts: [text: string, complete: boolean][] = [
  ['SELECT 1;', true],
  ['SELECT 1', false],
  ['SELECT 1; -- said', true],
  ['SELECT 1 -- ;', false],
  ['SELECT 1 /* ; */', false],
  ['SELECT 1 /* open ;', false],
  ["SELECT ';", false],
  ["SELECT ';'", false],
  ["SELECT ';';", true],
  ["SELECT 'it''s';", true],
  ["SELECT 'it''s;", false],
  ["SELECT 'a\nb';", true],
  ['SELECT 1 AS "a;b', false],
  ['SELECT 1 AS "a""b;";', true],
  ["SELECT 'it--s';", true],
  ['SELECT (1;', true],
  ['CREATE TEMPLATE T (P) AS (CREATE AGGREGATE A;', false],
  ['CREATE TEMPLATE T (P) AS (CREATE AGGREGATE A;\n);', true],
  ['create or replace template T (P) as (CREATE EVENT E ();', false],
  ['CREATE TEMPLATE T WITH (P STRING) AS CREATE AGGREGATE A;', false],
  ['CREATE TEMPLATE T WITH (P STRING) AS CREATE AGGREGATE A;\nEND TEMPLATE;', true],
  ['CREATE TEMPLATE T WITH (P STRING) AS CREATE AGGREGATE A;\n\n', true],
  ["CREATE TEMPLATE T (P) AS (SELECT ')';", false],
];
for (const [text, expected] of texts) {
  test(`${expected ? 'complete' : 'goes on'}: ${JSON.stringify(text)}`, () => assert.is(isComplete(text), expected));
}

const known: Known = {
  blocks: [
    { kind: 'aggregate', name: 'Bike' },
    { kind: 'decision', name: 'Rent' },
    { kind: 'projection', name: 'Fleet' },
  ],
  commands: [
    {
      name: 'RentBike',
      fields: [
        { name: 'bike_id', sensitive: false },
        { name: 'rider', sensitive: false },
      ],
    },
    { name: 'SetPin', fields: [{ name: 'pin', sensitive: true }] },
  ],
  relations: ['"Bike$Events"', '"Bike$Agg"', '"Fleet"', 'meta_commands'],
  payload: ['km', 'rider'],
  columns: ['total_km'],
};
const lines: [line: string, candidates: string[], part: string][] = [
  ['SEL', ['SELECT'], 'SEL'],
  ['sel', ['SELECT'], 'sel'],
  ['EXECUTE R', ['RentBike('], 'R'],
  ['EXECUTE RentBike(', ['bike_id := ', 'rider := '], ''],
  ['EXECUTE rentbike(bike_id := 1, r', ['rider := '], 'r'],
  ['SELECT * FROM Reg.B', ['"Bike$Agg"', '"Bike$Events"'], 'B'],
  ['SELECT * FROM reg."bike$e', ['"Bike$Events"'], '"bike$e'],
  ['SELECT data.', ['km', 'rider'], ''],
  ['SELECT tot', ['total_km'], 'tot'],
  ['DESCRIBE DEC', ['DECISION'], 'DEC'],
  ['DESCRIBE DECISION ', ['Rent'], ''],
  ['INSPECT PROJECTION F', ['Fleet'], 'F'],
  ['SELECT 1 FROM F', [], 'F'],
  ['xyzzy', [], 'xyzzy'],
];
for (const [line, candidates, part] of lines) {
  test(`completion of ${JSON.stringify(line)}`, () => assert.equal(complete(line, known), [candidates, part]));
}

const backslashes: [line: string, asked: ReturnType<typeof readBackslash>][] = [
  ['\\q', { do: 'quit' }],
  ['\\x', { do: 'toggle-expanded' }],
  ['\\timing', { do: 'toggle-timing' }],
  ['\\?', { do: 'say', text: backslashHelp }],
  ['\\d', { do: 'say', text: '  aggregate   Bike\n  decision    Rent\n  projection  Fleet\n' }],
  ['\\d bike', { do: 'run', text: 'DESCRIBE AGGREGATE Bike;' }],
  ['\\d Rent;', { do: 'run', text: 'DESCRIBE DECISION Rent;' }],
  ['\\d Nope\u001b', { do: 'say', text: "there is no block 'Nope␛'\n" }],
  ['\\i a b.schema', { do: 'include', file: 'a b.schema' }],
  ["\\i 'a.schema'", { do: 'include', file: 'a.schema' }],
  ['\\i', { do: 'say', text: '\\i takes the name of a file\n' }],
  ['\\store', { do: 'store', name: undefined }],
  ['\\store prod', { do: 'store', name: 'prod' }],
  ['\\r', { do: 'drop' }],
  ['\\l', { do: 'store', name: undefined }],
  ['\\dt', { do: 'say', text: '  Reg."Bike$Events"\n  Reg."Bike$Agg"\n  Reg."Fleet"\n  Reg.meta_commands\n' }],
  ['\\h drop', { do: 'say', text: '  DROP kind Name;\n' }],
  ['\\h pour', { do: 'say', text: 'there is no statement with pour; \\h shows all of them\n' }],
  ['\\z', { do: 'say', text: 'there is no \\z; \\? lists the commands\n' }],
];
for (const [line, asked] of backslashes) test(line, () => assert.equal(readBackslash(line, known), asked));

const asked: [line: string, atBeginning: string | undefined, within: string | undefined][] = [
  [' \\d Bike', ' \\d Bike', ' \\d Bike'],
  ['exit', '\\q', undefined],
  [' QUIT; ', '\\q', undefined],
  ['help', '\\?', undefined],
  ['helpful', undefined, undefined],
  ['SELECT 1;', undefined, undefined],
];
for (const [line, atBeginning, within] of asked)
  test(`a command of the prompt, or none, at the beginning of a statement and within: ${JSON.stringify(line)}`, () =>
    assert.equal([backslashed(line, true), backslashed(line, false)], [atBeginning, within]));

const joined: [text: string, line: string | undefined][] = [
  ['SELECT 1,\n   2\nAS n;\n', 'SELECT 1, 2 AS n;'],
  ["SELECT 'a  b' ||\n 'c';", "SELECT 'a  b' || 'c';"],
  ["SELECT 'a\nb';", undefined],
  ['SELECT 1 -- one\n;', undefined],
  ["SELECT '--'\n;", "SELECT '--' ;"],
  ['SELECT /* a\n */ 1;', undefined],
];
for (const [text, line] of joined) test(`on one line: ${JSON.stringify(text)}`, () => assert.is(onOneLine(text), line));

test('statements that may hold sensitive values stay out of histories', () => {
  const open: Known = { ...known, commands: known.commands.slice(0, 1) };
  const unseen: Known = { ...known, commands: [] };
  const table: readonly (readonly [text: string, of: Known, discreet: boolean])[] = [
    ["EXECUTE SetPin(pin := '1234');", known, true],
    ['execute\n"SetPin"(pin := \'1\');', known, true],
    ["EXECUTE SetPin(pin := '12", known, true],
    ["EXECUTE SetPin(pin := '1234')", known, true],
    ["EXECUTE /* at night */ SetPin(pin := '1234');", known, true],
    ["EXECUTE RentBike(bike_id := 'B'); EXECUTE SetPin(pin := '1234');", known, true],
    ["EXECUTE SetPni(pni := '1234');", known, true],
    ["EXECUT SetPin(pin := '1234');", known, true],
    ["CREATE TABLE t AS VALUES ('1234');", known, true],
    ["CREATE TABLE t AS SELECT '1234' AS a;", known, true],
    ["SELECT 'b' AS bike_id, '1234' AS pin", known, true],
    ["pin := '1234');", known, true],
    ["'1234');", known, true],
    ["\\x EXECUTE SetPin(pin := '1234')", known, true],
    ["CREATE COMMAND Tell (s STRING SENSITIVE); EXECUTE Tell(s := 'x');", open, true],
    ["EXECUTE RentBike(bike_id := 'B');", known, false],
    ["EXECUTE RentBike(bike_id := 'B')", known, false],
    ['DESCRIBE COMMAND SetPin;', known, false],
    ['SELECT 1;', known, false],
    ["SELECT 'half", known, false],
    ['\\i 1.schema', known, false],
    ["CREATE TABLE t AS VALUES ('1234');", open, false],
    ["EXECUTE RentBke(bike_id := 'B');", open, false],
    // A caller over HTTP who may not read the registry.
    ["EXECUTE SetPin(pin := '1234');", unseen, true],
    ['SELECT 1;', unseen, false],
  ];
  for (const [text, of, discreet] of table) assert.equal([text, createDiscretion(of)(text)], [text, discreet]);
});

test('numbers in an answer over HTTP are shown as they were written', () => {
  const json = '[{"id":"a","price":12.30,"n":9007199254740993,"mixed":1},{"id":null,"price":7.00,"n":1,"mixed":"x"}]';
  assert.fixture(
    `\n${renderTable(untypedTable(readExactJson(json)), { width: undefined, expanded: false })}`,
    `
 id   | price | n                | mixed
------+-------+------------------+-------
 a    | 12.30 | 9007199254740993 | 1
 NULL |  7.00 |                1 | x
(2 rows)
`,
  );
});

test.run();
