import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  DefinitionRequest,
  DidChangeWatchedFilesNotification,
  DocumentSymbolRequest,
  FileChangeType,
  HoverRequest,
  RenameRequest,
  type FileEvent,
  type Location,
  type MarkupContent,
} from 'vscode-languageserver-protocol/node';
import { uriOfPath } from '../../cli/lsp/file-uri.ts';
import { realPathOf } from '../../cli/lsp/project-files.ts';
import { longestMessage } from '../../cli/lsp/message-reader.ts';
import { serveLanguage } from '../../cli/lsp/serve-language.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { openClient, type Client } from './client.ts';

const before = 'CREATE AGGREGATE A;\nCREATE COMMAND C (id STRING);\nCREATE EVENT E ();\n';
const decision = 'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E ();\n';
const config = '{ "schema": ["s"] }';

function framed(message: unknown): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function request(id: number, method: string, params?: unknown): string {
  return framed({ jsonrpc: '2.0', id, method, params });
}

/** The ids of the answers with their codes, and the lines on stderr by their first words. */
async function answersTo(...pieces: readonly string[]): Promise<readonly [answers: string, said: string]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let [written, said] = ['', ''];
  output.on('data', (bytes: Buffer) => (written += bytes.toString()));
  const ended = serveLanguage({
    input,
    output,
    say: (line) => (said += `${line.split(/[:\n]/, 2).join(':')}\n`),
    version: 'test',
    tool: () => Promise.reject(new Error('nothing is run here')),
    token: () => undefined,
  });
  const initialize = request(1, 'initialize', { capabilities: {} });
  const end = request(99, 'shutdown') + framed({ jsonrpc: '2.0', method: 'exit' });
  for (const piece of [initialize, ...pieces, end]) input.write(piece);
  await ended;
  const answers = written
    .split(/Content-Length: \d+\r\n\r\n/)
    .slice(1)
    .map((body) => JSON.parse(body) as { readonly id?: number; readonly error?: { readonly code: number } })
    .flatMap(({ id, error }) => (id === undefined ? [] : [`${id} ${error?.code ?? 'ok'}`]));
  return [answers.join(', '), said];
}

const hover = request(5, 'textDocument/hover', {
  textDocument: { uri: 'untitled:a' },
  position: { line: 0, character: 0 },
});
const mebibyte = ' '.repeat(1024 * 1024);
const messages: readonly (readonly [what: string, pieces: readonly string[], answers: string, said: string])[] = [
  ['a header that is none', ['rubbish\r\n\r\n', hover], '1 ok, 5 ok, 99 ok', 'schemac lsp: a message cannot be read\n'],
  [
    'a body that is no JSON',
    ['Content-Length: 3\r\n\r\n{a}', hover],
    '1 ok, 5 ok, 99 ok',
    'schemac lsp: a message cannot be read\n',
  ],
  [
    'a length that is none',
    ['Content-Length: -1\r\n\r\n', 'Content-Length: 1e9\r\n\r\n', 'content-length: 0\r\n\r\n', hover],
    '1 ok, 5 ok, 99 ok',
    'schemac lsp: a message cannot be read\n'.repeat(3),
  ],
  [
    'a message that is too long',
    [`Content-Length: ${longestMessage + 1}\r\n\r\n`, ...Array<string>(64).fill(mebibyte), '{', hover],
    '1 ok, 5 ok, 99 ok',
    'schemac lsp: a message of 67108865 bytes is skipped, because it has more than 67108864; open the text again that it was about\n',
  ],
  [
    'a header without an end',
    [mebibyte, '\r\n\r\n', hover],
    '1 ok, 5 ok, 99 ok',
    'schemac lsp: a message cannot be read\n'.repeat(2),
  ],
  ['a header in parts', [...hover], '1 ok, 5 ok, 99 ok', ''],
  ['nothing', [framed(null), hover], '1 ok, 5 ok, 99 ok', 'Received empty message.\n'],
  [
    'parameters of another form',
    [
      request(2, 'textDocument/hover', 7),
      request(3, 'textDocument/hover'),
      request(4, 'textDocument/hover', { textDocument: { uri: 'untitled:a' }, position: { line: -1, character: 0 } }),
      request(6, 'textDocument/foldingRange', { textDocument: null }),
      request(7, 'workspace/symbol', {}),
      request(8, 'completionItem/resolve', null),
      hover,
    ],
    '1 ok, 2 -32602, 3 -32602, 4 -32602, 6 -32602, 7 -32602, 8 -32602, 5 ok, 99 ok',
    '',
  ],
  [
    'notifications of another form',
    [
      framed({ jsonrpc: '2.0', method: 'textDocument/didSave', params: { textDocument: { uri: 'file:///nowhere' } } }),
      framed({
        jsonrpc: '2.0',
        method: 'textDocument/didOpen',
        params: { textDocument: { uri: 'untitled:a', text: 7 } },
      }),
      framed({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 77 } }),
      framed({ jsonrpc: '2.0', method: '$/unknown' }),
      hover,
    ],
    '1 ok, 5 ok, 99 ok',
    'schemac lsp: TypeError\n',
  ],
];
for (const [what, pieces, answers, said] of messages)
  test(`the server goes on after ${what}`, async () => assert.equal(await answersTo(...pieces), [answers, said]));

async function inFolder(
  files: Readonly<Record<string, string>>,
  work: (client: Client, folder: string, uri: (name: string) => string) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (temporary) => {
    const folder = realPathOf(temporary);
    writeFiles(folder, files);
    const client = await openClient();
    await work(client, folder, (name) => uriOfPath(join(folder, name)));
    assert.equal([await client.stop(), client.said()], [0, '']);
  });
}

async function codesOf(client: Client, uri: string): Promise<readonly unknown[]> {
  return (await client.settled(uri)).map(({ code }) => code);
}

function changedOnDisk(client: Client, ...uris: readonly string[]): Promise<void> {
  const changes = uris.map((uri): FileEvent => ({ uri, type: FileChangeType.Deleted }));
  return client.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
}

for (const [what, told] of [
  ['with a word of each file', ['p/schemac.config.json', 'p/s/a.schema']],
  ['with a word of one file', ['p/s/a.schema']],
] as const)
  test(`the folder of an open text is deleted, ${what}`, () =>
    inFolder(
      { 'p/schemac.config.json': config, 'p/s/a.schema': before, 'p/s/b.schema': decision },
      async (client, folder, uri) => {
        client.open(uri('p/s/b.schema'), decision);
        assert.equal(await codesOf(client, uri('p/s/b.schema')), []);
        rmSync(join(folder, 'p'), { recursive: true });
        await changedOnDisk(client, ...told.map(uri));
        assert.equal(await codesOf(client, uri('p/s/b.schema')), ['E0201', 'E0201', 'E0201']);
      },
    ));

test('a file is renamed on disk while its text is edited', () =>
  inFolder(
    { 'schemac.config.json': config, 's/a.schema': before, 's/b.schema': decision },
    async (client, folder, uri) => {
      client.open(uri('s/b.schema'), decision);
      renameSync(join(folder, 's/b.schema'), join(folder, 's/z.schema'));
      await changedOnDisk(client, uri('s/b.schema'), uri('s/z.schema'));
      client.edit(uri('s/b.schema'), 0, 0, '-- typing\n');
      assert.equal(await codesOf(client, uri('s/b.schema')), []);
      client.close(uri('s/b.schema'));
      client.open(uri('s/z.schema'), decision);
      assert.equal(await codesOf(client, uri('s/z.schema')), []);
    },
  ));

test('a file has one name, however links lead to it', () =>
  inFolder(
    { 'real/schemac.config.json': config, 'real/s/a.schema': before, 'real/s/b.schema': decision },
    async (client, folder, uri) => {
      symlinkSync(join(folder, 'real'), join(folder, 'link'));
      symlinkSync(join(folder, 'real/s/a.schema'), join(folder, 'real/s/c.schema'));
      symlinkSync(join(folder, 'real'), join(folder, 'real/s/loop'));
      const file = uri('link/s/b.schema');
      client.open(file, decision);
      assert.equal(await codesOf(client, file), []);
      const position = client.positionOf(file, decision.indexOf('E ()'));
      const found = await client.connection.sendRequest(DefinitionRequest.type, {
        textDocument: { uri: file },
        position,
      });
      assert.equal(
        (found as Location[]).map((each) => each.uri),
        [uri('real/s/a.schema')],
      );
    },
  ));

test('two folders with the same names are two projects', () =>
  inFolder(
    {
      'x/app/schemac.config.json': config,
      'x/app/s/a.schema': before + decision,
      'y/app/schemac.config.json': config,
      'y/app/s/a.schema': before,
    },
    async (client, _folder, uri) => {
      const [one, other] = [uri('x/app/s/a.schema'), uri('y/app/s/a.schema')];
      client.open(one, before + decision);
      client.open(other, before);
      assert.equal(await codesOf(client, one), []);
      assert.equal(await codesOf(client, other), ['E1003', 'E1001', 'E1002']);
      const position = client.positionOf(one, before.indexOf('E ()'));
      const renamed = { textDocument: { uri: one }, position, newName: 'F' };
      const edit = await client.connection.sendRequest(RenameRequest.type, renamed);
      assert.equal(
        edit?.documentChanges?.map((each) => 'textDocument' in each && each.textDocument.uri),
        [one],
      );
    },
  ));

test('an editor without any capability', async () => {
  const client = await openClient({ capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } } });
  client.open('untitled:a', before);
  const textDocument = { uri: 'untitled:a' };
  const symbols = await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
  assert.equal(
    symbols?.map((each) => [each.name, 'containerName' in each ? each.containerName : undefined]),
    [
      ['A', undefined],
      ['C', undefined],
      ['id', 'C'],
      ['E', undefined],
    ],
  );
  const about = { textDocument, position: { line: 1, character: 18 } };
  const shown = await client.connection.sendRequest(HoverRequest.type, about);
  const { kind, value } = shown?.contents as MarkupContent;
  assert.equal([kind, value], ['plaintext', 'id STRING\nfield of command C']);
  const edit = await client.connection.sendRequest(RenameRequest.type, { ...about, newName: 'key' });
  assert.equal(Object.keys(edit ?? {}), ['changes']);
  assert.equal([await client.stop(), client.said()], [0, '']);
});

test('a text of six thousand statements', async () => {
  const client = await openClient();
  client.open('untitled:long', `${'CREATE EVENT E (a INT);\n'.repeat(6000)}CREATE EVENT F (a STRONG);`);
  assert.equal(await codesOf(client, 'untitled:long'), ['E0301']);
  assert.equal([await client.stop(), client.said()], [0, '']);
});

test.run();
