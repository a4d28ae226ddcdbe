/** Answers of a server before its store is open: `/health`, and 503 for everything else. */
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openListener } from '../../server/http/listening/listener.ts';
import { defaultHttpLimits } from '../../server/http/settings.ts';
import { rawRequest } from './raw-request.ts';

const test = suite('a server that starts');

const starting = { error: 'the server is starting' };

interface Case {
  readonly request: string;
  readonly status: number;
  readonly body: unknown;
  readonly retry?: string;
}

const cases: readonly Case[] = [
  { request: 'GET /health HTTP/1.1\r\nHost: localhost', status: 200, body: { status: 'ok' } },
  { request: 'HEAD /health HTTP/1.1\r\nHost: localhost', status: 200, body: '' },
  { request: 'GET /ready HTTP/1.1\r\nHost: localhost', status: 503, body: starting, retry: '1' },
  { request: 'POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0', status: 503, body: starting, retry: '1' },
  {
    request: 'GET /health HTTP/1.1\r\nHost: evil.example',
    status: 421,
    body: { error: 'this server does not answer under the requested Host' },
  },
  { request: 'GET /health HTTP/1.1', status: 400, body: { error: 'the Host header is missing' } },
  {
    request: 'GET /api/query HTTP/1.1\r\nHost: localhost\r\nAccept: application/problem+json',
    status: 503,
    body: {
      type: 'urn:schemac:H5032',
      title: 'server not ready',
      status: 503,
      detail: starting.error,
      code: 'H5032',
      errors: [],
    },
    retry: '1',
  },
];

test('answers /health, and refuses everything else for a moment', async () => {
  const { listener, lines } = await open();
  for (const { request, status, body, retry } of cases) {
    const [head = '', text = ''] = (await rawRequest(listener.port, `${request}\r\nConnection: close\r\n\r\n`)).split(
      '\r\n\r\n',
    );
    const got = {
      status: Number(head.slice(9, 12)),
      body: text === '' ? '' : (JSON.parse(text) as unknown),
      retry: /^Retry-After: (.*)$/m.exec(head)?.[1],
    };
    assert.equal(got, { status, body, retry }, request);
    assert.match(head, /\r\nX-Request-Id: [0-9a-f]{32}\r\n/);
    assert.match(head, /\r\nCache-Control: no-store\r\n/);
  }
  assert.equal(
    lines.map(({ method, path, status }) => [method, path, status]),
    cases.map(({ request, status }) => [...request.split(' ').slice(0, 2), status]),
  );
  await listener.stop(0);
});

test('says what the start waits for', async () => {
  const start: { work?: string } = {};
  const { listener } = await open(0, () => start.work);
  const url = `http://127.0.0.1:${listener.port}`;
  const said = async (): Promise<unknown> => [
    await (await fetch(`${url}/health`)).json(),
    await (await fetch(`${url}/ready`)).json(),
  ];
  assert.equal(await said(), [{ status: 'ok' }, starting]);
  start.work = 'the log is checked: 5 of 40 MiB';
  assert.equal(await said(), [
    { status: 'ok', starting: start.work },
    { error: `the server is starting: ${start.work}` },
  ]);
  await listener.stop(0);
});

test('answers by the application once there is one, also on a connection that was open before', async () => {
  const { listener } = await open();
  const url = `http://127.0.0.1:${listener.port}/health`;
  assert.is(await (await fetch(url)).text(), '{"status":"ok"}\n');
  listener.serve((_, response) => response.end('served'));
  assert.is(await (await fetch(url)).text(), 'served');
  await listener.stop(0);
});

test('names a port that is taken', async () => {
  const { listener } = await open();
  const error = await open(listener.port).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.is((error as NodeJS.ErrnoException).code, 'EADDRINUSE');
  await listener.stop(0);
});

async function open(port = 0, work: () => string | undefined = () => undefined) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const write = (fields: object): void => void lines.push({ ...fields });
  const settings = { allowedHosts: [], allowedOrigins: [], metrics: 'here', limits: defaultHttpLimits } as const;
  const log = { debug: write, info: write, warn: write, error: write };
  return { listener: await openListener({ settings, log, randomBytes }, { host: '127.0.0.1', port }, work), lines };
}

test.run();
