import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CodeLensRequest,
  InlayHintRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  type SemanticTokens,
} from 'vscode-languageserver-protocol/node';
import { wordKinds, wordsOf } from '../../compiler/editor/words.ts';
import { bank } from './bank.ts';
import { openClient, type Client } from './client.ts';

/** Each word with the first letters of its kind. */
const words: readonly (readonly [text: string, expected: string])[] = [
  [
    'CREATE EVENT Opened (owner STRING SENSITIVE);',
    'key:CREATE key:EVENT eve:Opened pro:owner typ:STRING key:SENSITIVE',
  ],
  ['CREATE EVENT event (key INT);', 'key:CREATE key:EVENT eve:event pro:key typ:INT'],
  [
    'SELECT UPPER(data.state) AS key, \'a\', 1 FROM Reg."A$Agg"; -- b',
    'key:SELECT fun:UPPER pro:data pro:state key:AS var:key str:\'a\' num:1 key:FROM var:Reg cla:"A$Agg" com:-- b',
  ],
  [
    'CREATE DECISION D FOR A ON COMMAND C AS SELECT EVENT E (x := :y)',
    'key:CREATE key:DECISION cla:D key:FOR cla:A key:ON key:COMMAND met:C key:AS key:SELECT key:EVENT eve:E pro:x par::y',
  ],
  ['CREATE EVENT (broken', 'key:CREATE key:EVENT var:broken'],
  ['EXECUTE C(a := NULL)', 'key:EXECUTE met:C pro:a key:NULL'],
  ['', ''],
];
for (const [text, expected] of words)
  test(`the words of ${text}`, () => {
    const found = wordsOf({ name: 'a', text }).map(
      ({ start, end, kind }) => `${kind.slice(0, 3)}:${text.slice(start, end)}`,
    );
    assert.is(found.join(' '), expected);
  });

let client: Client;
const uri = 'untitled:bank';
test.before(async () => {
  client = await openClient();
  client.open(uri, bank);
});
test.after(async () => {
  assert.is(await client.stop(), 0);
});

function decoded({ data }: SemanticTokens): readonly string[] {
  const lines = client.textOf(uri).split(/\r?\n/);
  const found: string[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, kind = 0] = data.slice(at, at + 4);
    character = down === 0 ? character + right : right;
    line += down;
    found.push(`${wordKinds[kind] ?? ''}:${(lines[line] ?? '').slice(character, character + length)}`);
  }
  return found;
}

test('colours are sent for a text and for a range', async () => {
  const whole = (await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri } })) ?? {
    data: [],
  };
  const expected = wordsOf({ name: uri, text: bank }).map(
    ({ start, end, kind }) => `${kind}:${bank.slice(start, end)}`,
  );
  assert.equal(decoded(whole), expected);
  const range = { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } };
  const part = (await client.connection.sendRequest(SemanticTokensRangeRequest.type, {
    textDocument: { uri },
    range,
  })) ?? { data: [] };
  assert.equal(decoded(part), [
    'keyword:CREATE',
    'keyword:EVENT',
    'event:Paid',
    'property:amount',
    'type:DECIMAL',
    'number:12',
    'number:2',
  ]);
});

test('types are behind the columns of STATE and of projections', async () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = (await client.connection.sendRequest(InlayHintRequest.type, { textDocument: { uri }, range })) ?? [];
  assert.equal(
    hints.map(
      ({ position, label }) =>
        `${position.line + 1}:${position.character + 1}${typeof label === 'string' ? label : ''}`,
    ),
    ['8:35: DECIMAL(12,2)', '10:54: STRING', '10:61: STRING', '11:45: STRING', '11:72: DECIMAL(18,2)'],
  );
});

test('above an event its emitters, answers and readers: of its fields, or of its name compared with event_type', async () => {
  const own = 'untitled:readers';
  const readers = Array.from(
    { length: 7 },
    (_, index) =>
      `CREATE PROJECTION P${index} AS SELECT COUNT(*) AS n FROM Reg."A$Events" WHERE event_type <> 'Noted';\n`,
  );
  client.open(
    own,
    `CREATE EVENT Made (n INT); CREATE EVENT Noted (); CREATE EVENT Kept (m INT);
CREATE AGGREGATE A; CREATE COMMAND C (id STRING, n INT); CREATE COMMAND Note (id STRING);
CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT Made (n := :n) WHERE :n > 0 UNION ALL SELECT EVENT Kept (m := :n) WHERE :n < 0;
CREATE DECISION DoNote FOR A ON COMMAND Note STATE AS SELECT SUM(data.n) AS total FROM Reg."A$Events" WHERE stream_id = :id
EMIT AS SELECT EVENT Noted () WHERE total > 10;
CREATE REACTION Noting ON EVENT Made EXECUTE Note (id := :stream_id) WHERE :n > 5;
${readers.join('')}`,
  );
  const lenses = await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri: own } });
  client.close(own);
  assert.equal(
    (lenses ?? []).flatMap(({ range, command }) => (range.start.line === 0 ? [command?.title] : [])),
    [
      'emitted by D · answered by Noting · read by DoNote',
      'emitted by DoNote · read by P0, P1, P2, P3, P4 and 2 more',
      'emitted by D',
    ],
  );
});

test('above events who emits them, above projections how they are answered, above decisions what-if', async () => {
  const lenses = (await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
  assert.equal(
    lenses.map(({ range, command }) => `${range.start.line + 1} ${command?.title ?? ''}`),
    [
      '4 emitted by DoOpen',
      '5 emitted by DoPay · read by Account, Totals',
      '10 fold',
      '11 fold',
      '6 what if',
      '7 what if',
    ],
  );
});

test('in an EXECUTE the defaults of the fields that are not given', async () => {
  const text = `CREATE COMMAND C (id STRING, n INT DEFAULT 3, note STRING DEFAULT 'a', m INT);
EXECUTE C(id := '1', m := (1)) WITH (seq = 1);
EXECUTE C(id := '1', N := 2, note := 'b', m := 1);
EXECUTE C();
EXECUTE Unknown(a := 1);`;
  client.open('untitled:defaults', text);
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const found = await client.connection.sendRequest(InlayHintRequest.type, {
    textDocument: { uri: 'untitled:defaults' },
    range,
  });
  client.close('untitled:defaults');
  assert.equal(
    found?.map(({ position, label }) => [position.line, position.character, label]),
    [
      [1, 29, ", n := 3, note := 'a'"],
      [3, 10, "n := 3, note := 'a'"],
    ],
  );
});

test.run();
