import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';
import { openClient, type Client } from './client.ts';

let client: Client;
test.before(async () => {
  client = await openClient();
});
test.after(async () => assert.is(await client.stop(), 0));

const uri = 'untitled:a';
const options = { tabSize: 8, insertSpaces: false };

async function formatted(text: string, ask: () => Promise<TextEdit[] | null>): Promise<readonly [string, number]> {
  client.open(uri, text);
  const edits = (await ask()) ?? [];
  client.close(uri);
  return [TextDocument.applyEdits(TextDocument.create(uri, 'schemac', 1, text), edits), edits.length];
}

const whole: readonly (readonly [what: string, text: string, expected: string, edits: number])[] = [
  ['canonical text', 'CREATE AGGREGATE A;\n', 'CREATE AGGREGATE A;\n', 0],
  [
    'one statement of three',
    'CREATE AGGREGATE A;\ncreate aggregate B;\nCREATE AGGREGATE C;\n',
    'CREATE AGGREGATE A;\nCREATE AGGREGATE B;\nCREATE AGGREGATE C;\n',
    1,
  ],
  [
    'lines that end with CR LF',
    'create aggregate A;\r\nCREATE AGGREGATE B;\r\n',
    'CREATE AGGREGATE A;\r\nCREATE AGGREGATE B;\r\n',
    1,
  ],
  [
    'a block comment of several lines that end with CR LF',
    'create aggregate A; /* a\r\n b */\r\n',
    'CREATE AGGREGATE A; /* a\r\n b */\r\n',
    1,
  ],
  [
    'lines that end in both ways',
    'create aggregate A;\r\nCREATE AGGREGATE B;\n',
    'CREATE AGGREGATE A;\nCREATE AGGREGATE B;\n',
    1,
  ],
  ['a text that does not parse', 'create aggregate A;\nCREATE AGGREGATE', 'create aggregate A;\nCREATE AGGREGATE', 0],
];
for (const [what, text, ...expected] of whole)
  test(`formats ${what}`, async () => {
    const ask = () => client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument: { uri }, options });
    assert.equal(await formatted(text, ask), expected);
  });

const three =
  'create aggregate A;\nCREATE AGGREGATE M;\ncreate aggregate B;\nCREATE AGGREGATE N;\ncreate aggregate C;\n';

test('formats a range', async () => {
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } };
  const ask = () =>
    client.connection.sendRequest(DocumentRangeFormattingRequest.type, { textDocument: { uri }, range, options });
  assert.equal(await formatted(three, ask), [three.replace('create aggregate B', 'CREATE AGGREGATE B'), 1]);
});

test('formats the statement that a semicolon ends', async () => {
  const position = { line: 2, character: 19 };
  const ask = () =>
    client.connection.sendRequest(DocumentOnTypeFormattingRequest.type, {
      textDocument: { uri },
      position,
      ch: ';',
      options,
    });
  assert.equal(await formatted(three, ask), [three.replace('create aggregate B', 'CREATE AGGREGATE B'), 1]);
});

test.run();
