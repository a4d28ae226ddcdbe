import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles, parseScript } from '../../compiler/index.ts';
import { inspectRemotely } from '../../cli/remote/inspection.ts';
import type { CommandRow } from '../../cli/execute/rows.ts';
import { httpTarget } from '../../cli/remote/upload.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';
import { runToolHere, startToolHere } from '../kit/tool-here.ts';
import { watchOutput } from '../kit/watch-output.ts';

/** Answers of a server, each with the text that the user then reads; `URL` is the address of the server. */
const answers: readonly (readonly [what: string, answer: (response: ServerResponse) => void, said: string])[] = [
  [
    'rows',
    (response) => response.end('[{"a":1,"b":null},{"b":"x","a":2}]'),
    '{"columns":["a","b"],"rows":[[1,null],[2,"x"]]}',
  ],
  ['no rows', (response) => response.end('[]'), '{"columns":[],"rows":[]}'],
  ['a refusal', (response) => response.writeHead(400).end('{"error":"no such argument"}'), 'URL: no such argument'],
  [
    'a server without inspections',
    (response) => response.writeHead(404).end('{"error":"there is no resource at this path"}'),
    'URL: there is no resource at this path; a server inspects with --enable-inspect, or as schemac dev',
  ],
  [
    'no right',
    (response) => response.writeHead(401).end('<html>'),
    'URL: the server answered with status 401; the token comes from SCHEMAC_TOKEN',
  ],
  ['a page', (response) => response.end('<html>'), 'the answer of URL is not JSON'],
  ['an object', (response) => response.end('{}'), 'URL: the answer is no list of rows'],
  [
    'another address, which gets no token',
    (response) => response.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end(),
    'URL does not answer: unexpected redirect',
  ],
  [
    'an end in the middle',
    (response) => response.writeHead(200, { 'Content-Length': 9 }).write('[', () => response.destroy()),
    'URL does not answer: other side closed',
  ],
];
for (const [what, answer, said] of answers)
  test(`what-if at a server that answers ${what}`, async () => {
    const server = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      request.resume().on('end', () => answer(response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const found = await inspectRemotely({ url, token: 'secret' }, 'D', [{}], AbortSignal.timeout(30_000)).then(
        (table) => JSON.stringify(table),
        (error: unknown) => (error as Error).message,
      );
      assert.is(found.replaceAll(url, 'URL'), said);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

test('the token and the commands are sent, and nothing of them is said', async () => {
  const sent: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      sent.push(request.method, request.url, request.headers.authorization, JSON.parse(body));
      response.end('[]');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/page?x`;
  await inspectRemotely({ url, token: 'secret' }, 'D', [{ id: '1' }], AbortSignal.timeout(30_000));
  server.close();
  assert.equal(sent, ['POST', '/api/inspect', 'Bearer secret', { decision: 'D', commands: [{ id: '1' }] }]);
  const gone = inspectRemotely({ url: 'http://127.0.0.1:1', token: 'secret' }, 'D', [], AbortSignal.timeout(30_000));
  const message = await gone.catch((error: unknown) => (error as Error).message);
  assert.is(message, 'http://127.0.0.1:1 does not answer: bad port');
});

const overHttp: readonly string[] = ['Execute', 'QueryStatement', 'Describe', 'DescribeAll', 'Export'];

/** The statements of an example's tests that have a request of their own, then every definition and relation. */
function promptScript(example: string): string {
  const folder = join(root, 'examples', example);
  const texts = (part: string): { readonly name: string; readonly text: string }[] =>
    readdirSync(join(folder, part))
      .filter((name) => name.endsWith('.schema'))
      .map((name) => ({ name, text: readFileSync(join(folder, part, name), 'utf8') }));
  const written = texts('tests').flatMap((file) =>
    parseScript(file).statements.flatMap(({ statement, textSpan }) =>
      statement !== undefined && overHttp.includes(statement.kind)
        ? [file.text.slice(textSpan.start, textSpan.end)]
        : [],
    ),
  );
  const { blocks } = compileFiles(texts('schema')).catalog;
  const columns = 'stream_type, stream_id, seq, event_type, data, global_position';
  return [
    ...written,
    ...blocks.aggregate.flatMap(({ name }) => [
      `SELECT ${columns} FROM Reg."${name}$Events";`,
      `SELECT ${columns} FROM Reg."${name}$Events" WHERE FALSE;`,
    ]),
    ...blocks.decision.map(({ name }) => `DESCRIBE DECISION ${name};`),
    'SELECT * FROM Reg.meta_events;',
    'DESCRIBE Nothing;',
    'SELECT nope;',
  ].join('\n');
}

// Reactions answer at once at a local prompt, and when they are due in a server; only a local prompt takes a payload field that no event has yet.
const others = ['order-saga', 'parcel-evolution', 'seat-hold', 'transfer-process'];
/** All with SCHEMAC_EVERY_EXAMPLE. */
const examples =
  process.env['SCHEMAC_EVERY_EXAMPLE'] === undefined
    ? ['bank-transfers']
    : readdirSync(join(root, 'examples'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !others.includes(entry.name))
        .map(({ name }) => name);
for (const example of examples)
  test(`${example}: a prompt with --url says what a local one says`, () =>
    withTempFolder(async (cwd) => {
      const schema = join(root, 'examples', example, 'schema');
      const input = promptScript(example);
      const output = watchOutput(startToolHere(['dev', schema, '--port', '0', '--data', 'data'], { cwd }));
      try {
        const [url = ''] = /http:\S+(?=,)/.exec(await output.until(', data ')) ?? [];
        const [here, there] = [
          await runToolHere(['repl', schema], { cwd, input }),
          await runToolHere(['repl', '--url', url], { cwd, input }),
        ];
        // A refusal of the server has the status of its answer, where a session has a code.
        const refused = (text: string): string => text.replace(/error\[[HR]\d+\]/g, 'error[refused]');
        assert.is(there.stdout, here.stdout);
        assert.equal([there.status, refused(there.stderr)], [here.status, refused(here.stderr)]);
      } finally {
        await output.stop();
      }
    }));

test('a server that sends bytes and answers no row is given up', async () => {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"error":"no right"}');
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    const trickle = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(trickle));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const target = await httpTarget({ url, token: undefined, command: 'C', aggregate: 'A', longestWait: 100 });
    async function* rows(): AsyncGenerator<readonly CommandRow[]> {
      yield await Promise.resolve([{ line: 1, arguments: new Map() }]);
    }
    const { answers } = target.execute(rows());
    const said = await (async () => {
      for await (const answer of answers) assert.equal(answer, []);
    })().catch((error: unknown) => (error as Error).message);
    assert.is(said, 'the server answered no row within 0.1 s');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.run();
