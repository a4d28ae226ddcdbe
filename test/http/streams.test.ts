import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fail } from '../../language/failure/failure.ts';
import { openArrowReader } from '../arrow/arrow-reader.ts';
import { rawRequest } from './raw-request.ts';
import { startSample, type SampleOptions } from './sample-server.ts';

const test = suite('streams');
const reader = openArrowReader();
test.after(() => reader.close());

/** A server with a number of events, each with a payload of a given size. */
async function startWithEvents(count: number, size = 10, options: SampleOptions = {}) {
  const server = await startSample(options);
  await server.append(count, size);
  return server;
}
async function until(condition: () => boolean): Promise<void> {
  // Far beyond what it takes, since other work may share the machine.
  const end = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const positions = (count: number, from = 1): number[] => Array.from({ length: count }, (_, at) => from + at);

test('many events come as one stream in order, in every representation', async () => {
  const server = await startWithEvents(20_000);
  const arrow = await reader.read(Buffer.from(await (await server.get('/api/aggregates/Bike/events')).arrayBuffer()));
  assert.equal(
    arrow.rows.map((row) => Number(row[7])),
    positions(20_000),
  );
  assert.ok(arrow.batches.every((rows) => rows <= 8192));
  const json = (await (
    await server.get('/api/aggregates/Bike/events', { Accept: 'application/json' })
  ).json()) as readonly { global_position: number }[];
  assert.equal(
    json.map((row) => row.global_position),
    positions(20_000),
  );
  const csv = await (await server.get('/api/aggregates/Bike/events', { Accept: 'text/csv' })).text();
  assert.equal(
    csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',').at(-1))),
    positions(20_000),
  );
  await server.stop();
});

test('limit, offset and after apply across pages', async () => {
  const server = await startWithEvents(5_000);
  const cases: readonly (readonly [query: string, expected: readonly number[]])[] = [
    ['limit=1500', positions(1500)],
    ['limit=1024', positions(1024)],
    ['offset=1000&limit=2000', positions(2000, 1001)],
    ['after=4000', positions(1000, 4001)],
    ['after=100&offset=100&limit=1025', positions(1025, 201)],
    ['offset=5000', []],
    ['stream_id=S-3', positions(5_000).filter((position) => position % 10 === 4)],
  ];
  for (const [query, expected] of cases) {
    const rows = (await (
      await server.get(`/api/aggregates/Bike/events?${query}`, { Accept: 'application/json' })
    ).json()) as readonly { global_position: number }[];
    assert.equal([query, rows.map((row) => row.global_position)], [query, expected]);
  }
  await server.stop();
});

test('an answer ends at the position of its start', async () => {
  const server = await startWithEvents(9_000, 2_000);
  const answer = await server.get('/api/aggregates/Bike/events');
  await server.append(1_000, 10);
  const read = await reader.read(Buffer.from(await answer.arrayBuffer()));
  assert.is(read.rows.length, 9_000);
  await server.stop();
});

test('a stream that fails after its start is cut, in every representation', async () => {
  for (const accept of ['*/*', 'application/json', 'text/csv']) {
    const server = await startWithEvents(9_000);
    server.switches.failAfter = 3;
    const raw = await rawRequest(
      server.port,
      `GET /api/aggregates/Bike/events HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\n\r\n`,
    );
    assert.match(raw, /^HTTP\/1\.1 200 /);
    assert.not.ok(raw.endsWith('\r\n0\r\n\r\n'), 'the last chunk says that the answer is whole');
    assert.not.match(raw, 'secret');
    const failed = await server.get('/api/aggregates/Bike/state', { Accept: accept });
    assert.equal([failed.status, await failed.json()], [500, { error: 'internal error' }]);
    await server.stop();
    assert.is(
      server.lines.some((line) => line['message'] === 'answer cut'),
      true,
    );
  }
});

test('a failure before the first byte is answered with its status', async () => {
  const server = await startWithEvents(3_000);
  server.switches.failNext = fail('R0201', { where: 'price' });
  const answer = await server.get('/api/aggregates/Bike/events');
  assert.equal([answer.status, await answer.json()], [409, { error: 'division by zero in price' }]);
  await server.stop();
});

test('a page over its memory limit is read again, smaller', async () => {
  const server = await startWithEvents(3_000);
  server.switches.failNext = fail('R0301', { what: 'bytes', limit: '32 MiB' });
  const read = await reader.read(Buffer.from(await (await server.get('/api/aggregates/Bike/events')).arrayBuffer()));
  assert.equal(
    read.rows.map((row) => Number(row[7])),
    positions(3_000),
  );
  await server.stop();
});

test('a caller that does not read pauses the source, and one that hangs up ends it', async () => {
  const server = await startWithEvents(15_000, 4_000);
  const before = process.memoryUsage().rss;
  const sockets: Socket[] = [];
  for (let reader = 0; reader < 10; reader++) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /api/aggregates/Bike/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    sockets.push(socket);
  }
  await new Promise((resolve) => setTimeout(resolve, 700));
  // The whole answer of each would be 60 MB.
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 300 * 1024 * 1024, `${Math.round(grown / 1e6)} MB`);
  for (const socket of sockets) socket.destroy();
  await until(() => server.lines.filter((line) => line['cut'] === true).length === 10);
  await server.stop();
});

test('a caller that hangs up before any answer is logged as such', async () => {
  const server = await startWithEvents(3_000, 1_000);
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /api/aggregates/Bike/events HTTP/1.1\r\nHost: localhost\r\n\r\n', () => socket.destroy());
  await until(() => server.lines.some((line) => line['path'] === '/api/aggregates/Bike/events'));
  const { status, cut } = server.lines.find((line) => line['path'] === '/api/aggregates/Bike/events') ?? {};
  assert.equal({ status, cut }, { status: 499, cut: true });
  await server.stop();
});

test('a caller that reads nothing for too long is disconnected', async () => {
  const server = await startWithEvents(8_000, 4_000, { limits: { stallMilliseconds: 400 } });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /api/aggregates/Bike/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.pause();
  const begun = performance.now();
  await until(() => server.lines.some((line) => line['cut'] === true));
  assert.ok(performance.now() - begun >= 390);
  socket.destroy();
  await server.stop();
});

test('HEAD of a stream gives its headers without a body', async () => {
  const server = await startWithEvents(3_000);
  const answer = await fetch(`${server.url}/api/aggregates/Bike/events`, { method: 'HEAD' });
  assert.equal(
    [answer.status, answer.headers.get('content-type'), await answer.text()],
    [200, 'application/vnd.apache.arrow.stream', ''],
  );
  assert.is((await server.get('/health')).status, 200);
  await server.stop();
});

test('compression of whole bodies over 1 KiB', async () => {
  const server = await startWithEvents(500);
  const ask = async (encoding: string, path = '/api/aggregates/Bike/events') => {
    const raw = await rawRequest(
      server.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/csv\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
    );
    const [head = '', ...body] = raw.split('\r\n\r\n');
    return {
      encoding: /^Content-Encoding: (.*)$/im.exec(head)?.[1]?.trim(),
      body: Buffer.from(body.join('\r\n\r\n'), 'latin1'),
    };
  };
  const plain = await ask('identity');
  assert.is(plain.encoding, undefined);
  const gzip = await ask('gzip');
  assert.equal([gzip.encoding, gunzipSync(gzip.body).equals(plain.body)], ['gzip', true]);
  const br = await ask('gzip;q=0.5, br');
  assert.equal([br.encoding, brotliDecompressSync(br.body).equals(plain.body)], ['br', true]);
  assert.is((await ask('br;q=0, gzip;q=0')).encoding, undefined);
  assert.is((await ask('zstd')).encoding, undefined);
  assert.is((await ask('gzip;q=0.5, identity;q=1')).encoding, undefined);
  assert.is((await ask('gzip, identity;q=0.5')).encoding, 'gzip');
  assert.is((await ask('gzip;q=0.0000')).encoding, undefined);
  assert.is((await ask('br', '/api/projections/Fleet/query')).encoding, undefined);
  await server.stop();
});

test('weak entity tags change with the store and with the form', async () => {
  const server = await startSample();
  const tag = async (accept: string): Promise<string> =>
    (await server.get('/api/aggregates/Bike/state', { Accept: accept })).headers.get('etag') ?? '';
  const json = await tag('application/json');
  assert.match(json, /^W\/"/);
  assert.is.not(json, await tag('text/csv'));
  const again = await server.get('/api/aggregates/Bike/state', {
    Accept: 'application/json',
    'If-None-Match': `"other", ${json}`,
  });
  assert.equal([again.status, await again.text(), again.headers.get('cache-control')], [304, '', 'private, no-cache']);
  await server.post('/api/aggregates/Bike/execute/RegisterBike', { bike_id: 'B-1', model: 'R', price: 1 });
  const changed = await server.get('/api/aggregates/Bike/state', { Accept: 'application/json', 'If-None-Match': json });
  assert.is(changed.status, 200);
  for (const path of ['/info', '/api/lang/export', '/openapi.json', '/api/reg/commands']) {
    const first = await server.get(path);
    assert.is((await server.get(path, { 'If-None-Match': first.headers.get('etag') ?? '' })).status, 304);
  }
  for (const path of ['/health', '/ready', '/metrics']) {
    const answer = await server.get(path);
    assert.equal([answer.headers.get('etag'), answer.headers.get('cache-control')], [null, 'no-store']);
  }
  await server.stop();
});

test('a tag from before a restart matches only when the server is configured the same', async () => {
  const before = await startSample({ services: true });
  const paths = ['/info', '/openapi.json'];
  const tags = await Promise.all(paths.map(async (path) => (await before.get(path)).headers.get('etag') ?? ''));
  await before.server.stop();
  const starts: readonly (readonly [name: string, options: SampleOptions, status: number])[] = [
    ['as before', { services: true }, 304],
    ['read-only', { services: true, readOnly: true }, 200],
    ['without console and creation', {}, 200],
    ['another version', { services: true, version: '0.1.1' }, 200],
    ['other limits', { services: true, limits: { streamIdCharacters: 100 } }, 200],
  ];
  for (const [name, options, status] of starts) {
    const server = await startSample({ ...options, again: before });
    for (const [at, path] of paths.entries()) {
      const answer = await server.get(path, { 'If-None-Match': tags[at] ?? '' });
      assert.equal([name, path, answer.status], [name, path, status]);
    }
    await server.server.stop();
  }
  await before.close();
});

test('stopping: readiness fails, idle connections close, running requests finish', async () => {
  const server = await startWithEvents(9_000, 1_000);
  const idle = connect(server.port, '127.0.0.1');
  const closed = new Promise((resolve) => idle.once('close', resolve));
  idle.resume();
  await new Promise((resolve) => idle.once('connect', resolve));
  const stream = await server.get('/api/aggregates/Bike/events');
  const stopped = server.stop();
  const read = await reader.read(Buffer.from(await stream.arrayBuffer()));
  assert.is(read.rows.length, 9_000);
  await Promise.all([stopped, closed]);
  assert.is(await rawRequest(server.port, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'), '');
});

test('stopping: a request already sent on an idle connection is answered as the last one', async () => {
  const server = await startSample({ limits: { drainMilliseconds: 20_000 } });
  const ask = 'GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const socket = connect(server.port, '127.0.0.1');
  let said = '';
  const first = new Promise<void>((resolve) =>
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      resolve();
    }),
  );
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(ask);
  await first;
  const stopped = server.stop();
  socket.write(ask);
  await Promise.all([stopped, closed]);
  assert.equal(said.match(/HTTP\/1.1 \d+|Connection: [a-z-]+|Keep-Alive.*/g), [
    'HTTP/1.1 200',
    'Connection: keep-alive',
    'Keep-Alive: timeout=5',
    'HTTP/1.1 503',
    'Connection: close',
  ]);
});

test('stopping cuts requests that do not finish in time', async () => {
  const server = await startWithEvents(8_000, 4_000, { limits: { drainMilliseconds: 300 } });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /api/aggregates/Bike/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.pause();
  await once(socket, 'readable');
  const begun = performance.now();
  await server.stop();
  const took = performance.now() - begun;
  assert.ok(took >= 260, `${Math.round(took)} ms`);
  socket.destroy();
});

test('metrics', async () => {
  const server = await startSample();
  await server.get('/health');
  await server.get('/no/such/path');
  await server.post('/api/aggregates/Bike/execute/RegisterBike', { bike_id: 'B-1', model: 'R', price: 1 });
  await until(() => server.lines.length === 3);
  const answer = await server.get('/metrics');
  assert.is(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  for (const line of [
    'schemac_http_requests_total{route="health",method="GET",status="200"} 1',
    'schemac_http_requests_total{route="none",method="GET",status="404"} 1',
    'schemac_commands_total{outcome="emitted"} 1',
    'schemac_events 1',
    'schemac_http_request_seconds_count{route="health"} 1',
    'schemac_http_request_seconds_bucket{route="health",le="+Inf"} 1',
    'schemac_http_requests_under_way 1',
  ]) {
    assert.ok(text.split('\n').includes(line), `${line}\n${text}`);
  }
  await server.stop();
});

test('a large result is written in slices, so that other requests are answered meanwhile', async () => {
  const server = await startSample();
  await server.append(20_000, 10, 20_000);
  const answer = await server.get('/api/aggregates/Bike/state');
  const read = await reader.read(Buffer.from(await answer.arrayBuffer()));
  assert.equal(
    [read.batches.length > 2 && read.batches.every((rows) => rows <= 8192), new Set(read.rows.map(([id]) => id)).size],
    [true, 20_000],
  );
  const json = await server.get('/api/aggregates/Bike/state', { Accept: 'application/json' });
  assert.equal([json.headers.get('content-length'), ((await json.json()) as unknown[]).length], [null, 20_000]);
  await server.stop();
});

test('metrics on a port of their own', async () => {
  const server = await startSample({ settings: { metrics: { port: 0 } } });
  assert.is((await server.get('/metrics')).status, 404);
  const other = `http://127.0.0.1:${server.server.metricsPort}`;
  const answer = await fetch(`${other}/metrics`, { headers: { 'X-Request-Id': 'scrape-1' } });
  assert.is(answer.headers.get('x-request-id'), 'scrape-1');
  assert.equal([answer.status, answer.headers.get('content-type')], [200, 'text/plain; version=0.0.4; charset=utf-8']);
  assert.match(await answer.text(), 'schemac_log_entries ');
  const elsewhere = await fetch(`${other}/info`);
  assert.match(elsewhere.headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/);
  assert.equal([elsewhere.status, await elsewhere.json()], [404, { error: 'there is no resource at this path' }]);
  const posted = await fetch(`${other}/metrics`, { method: 'POST' });
  assert.equal(
    [posted.status, posted.headers.get('allow'), await posted.json()],
    [405, 'GET, HEAD', { error: 'POST is not allowed here; allowed: GET, HEAD' }],
  );
  await server.stop();
});

test('a port in use is an error', async () => {
  const server = await startSample();
  let code: unknown;
  await startSample({ settings: { metrics: { port: server.port } } }).catch((error: unknown) => {
    code = (error as { code?: unknown }).code;
  });
  assert.is(code, 'EADDRINUSE');
  await server.stop();
});

test.run();
