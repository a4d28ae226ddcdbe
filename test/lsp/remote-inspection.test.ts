import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inspectRemotely } from '../../cli/lsp/runs/remote-inspection.ts';

/** What a server answers, and what the user then reads; `URL` is where it is. */
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
    'URL: it answered with status 401; the token comes from SCHEMAC_TOKEN',
  ],
  ['a page', (response) => response.end('<html>'), 'URL: the answer is not JSON'],
  ['an object', (response) => response.end('{}'), 'URL: the answer is no list of rows'],
  [
    'another address, which gets no token',
    (response) => response.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end(),
    'URL cannot be reached: unexpected redirect',
  ],
  [
    'an end in the middle',
    (response) => response.writeHead(200, { 'Content-Length': 9 }).write('[', () => response.destroy()),
    'URL cannot be reached: other side closed',
  ],
];
for (const [what, answer, said] of answers)
  test(`what-if at a server that answers ${what}`, async () => {
    const server = createServer((request, response) => {
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
  assert.is(message, 'http://127.0.0.1:1 cannot be reached: bad port');
});

test.run();
