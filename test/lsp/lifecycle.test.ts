import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, root } from '../kit/tool.ts';
import { openClient } from './client.ts';

/** A message as it is on the stream. */
function framed(message: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The answers on stdout, in order, without notifications. */
function answers(stdout: string): readonly unknown[] {
  return stdout
    .split(/Content-Length: \d+\r\n\r\n/)
    .slice(1)
    .map((body) => JSON.parse(body) as { id?: number; error?: { code: number }; result?: unknown })
    .filter(({ id }) => id !== undefined)
    .map(({ id, error, result }) => [id, error?.code ?? (result === null ? null : 'result')]);
}

const initialize = framed({ id: 1, method: 'initialize', params: { capabilities: {} } });
const again = framed({ id: 2, method: 'initialize', params: { capabilities: {} } });
const shutdown = framed({ id: 9, method: 'shutdown' });
const exit = framed({ method: 'exit' });
const format = { method: 'textDocument/formatting', params: { textDocument: { uri: 'file:///a' }, options: {} } };

const lives: readonly (readonly [what: string, input: string, status: number, ...answers: unknown[]])[] = [
  [
    'a whole life, with requests at the wrong time',
    [
      framed({ id: 5, ...format }),
      initialize,
      again,
      framed({ id: 6, method: 'not/known' }),
      shutdown,
      framed({ id: 7, ...format }),
      exit,
    ].join(''),
    0,
    ...[
      [5, -32002],
      [1, 'result'],
      [2, -32600],
      [6, -32601],
      [9, null],
      [7, -32600],
    ],
  ],
  ['an end without a shutdown', initialize + exit, 1, [1, 'result']],
  ['a stream that ends', initialize, 1, [1, 'result']],
];
for (const [what, input, status, ...expected] of lives)
  test(`the process: ${what}`, async () => {
    const ended = await runTool(['lsp', '--stdio', `--clientProcessId=${process.pid}`], {
      input,
      milliseconds: 60_000,
    });
    assert.equal([ended.status, answers(ended.stdout), ended.stderr], [status, expected, '']);
  });

test('wrong usage', async () => {
  const { status, stderr } = await runTool(['lsp', '--clientProcessId=x']);
  assert.equal([status, stderr], [2, 'schemac: --clientProcessId takes the number of a process, not "x"\n']);
});

test('a text goes through a server that is a process', async () => {
  const client = await openClient({ process: true });
  client.open('untitled:a', 'CREATE EVENT E (a STRONG);');
  const [found] = await client.settled('untitled:a');
  assert.equal([found?.code, found?.range.start], ['E0301', { line: 0, character: 18 }]);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  assert.equal(client.initialized.serverInfo, { name: 'schemac', version });
  assert.equal([await client.stop(), client.said()], [0, '']);
});

test.run();
