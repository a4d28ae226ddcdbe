import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routeDocumentation } from '../../scripts/http-reference.ts';
import { routeTable } from '../../server/http/routes/route-table.ts';
import { rawRequest, readRaw } from './raw-request.ts';
import { startSample } from './sample-server.ts';

const test = suite('protocol');
const server = await startSample();
test.after(() => server.stop());

const close = 'Connection: close\r\n\r\n';
const cases: readonly (readonly [name: string, request: string, status: number, error: string])[] = [
  ['no HTTP', 'HELLO\r\n\r\n', 400, 'this is not a well-formed HTTP request'],
  [
    'an unknown method',
    `FROB / HTTP/1.1\r\nHost: localhost\r\n${close}`,
    400,
    'this is not a well-formed HTTP request',
  ],
  [
    'a bare line end in a header',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: a\nY\r\n${close}`,
    400,
    'this is not a well-formed HTTP request',
  ],
  [
    'two lengths',
    'POST /api/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    400,
    'this is not a well-formed HTTP request',
  ],
  [
    'length and chunks',
    'POST /api/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'this is not a well-formed HTTP request',
  ],
  [
    'a NUL in a header',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n${close}`,
    400,
    'this is not a well-formed HTTP request',
  ],
  [
    'another host',
    `GET /health HTTP/1.1\r\nHost: evil.example\r\n${close}`,
    421,
    'this server does not answer under the requested Host',
  ],
  [
    'no host in HTTP/1.0',
    'GET /health HTTP/1.0\r\n\r\n',
    421,
    'the request names no Host, and this server answers only under its own names',
  ],
  ['no host', `GET /health HTTP/1.1\r\n${close}`, 400, 'the Host header is missing'],
  [
    'two hosts',
    `GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n${close}`,
    400,
    'Host is given twice',
  ],
  [
    'a whole URL of another host',
    `GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\n${close}`,
    421,
    'this server does not answer under the requested Host',
  ],
  [
    'a whole URL of another host, with a name before it',
    `GET http://localhost@evil.example/health HTTP/1.1\r\nHost: localhost\r\n${close}`,
    421,
    'this server does not answer under the requested Host',
  ],
  // Node's parser of URLs gives no path for the first one, and throws for the second, also after the answer.
  [
    'a whole URL of no host',
    `GET http:// HTTP/1.1\r\nHost: localhost\r\n${close}`,
    421,
    'the request names no Host, and this server answers only under its own names',
  ],
  [
    'a whole URL that is none',
    `GET http://[ HTTP/1.1\r\nHost: localhost\r\n${close}`,
    421,
    'this server does not answer under the requested Host',
  ],
  [
    'a fragment',
    `GET /api/aggregates/Bike/a#b HTTP/1.1\r\nHost: localhost\r\n${close}`,
    400,
    'the URL contains a #, which must be sent as %23',
  ],
  [
    'two tokens',
    `GET /info HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n${close}`,
    400,
    'authorization is given twice',
  ],
  [
    'two media types',
    `POST /api/aggregates/Bike/execute/RentBike HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n${close}{}`,
    400,
    'Content-Type is given twice',
  ],
  [
    'a compressed transfer',
    `POST /api/aggregates/Bike/execute/RentBike HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n${close}0\r\n\r\n`,
    415,
    'compressed bodies are not accepted',
  ],
  [
    'a header after very many others',
    `POST /api/aggregates/Bike/execute/RentBike HTTP/1.1\r\nHost: localhost\r\n${'a: 1\r\n'.repeat(2_100)}If-Match: nonsense\r\nContent-Type: application/json\r\nContent-Length: 2\r\n${close}{}`,
    400,
    'If-Match takes the expected seq of the stream, such as "3", or an unchanged ETag of the stream; proxies alter tags, so behind a proxy send the seq',
  ],
  [
    'a long URL',
    `GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: localhost\r\n${close}`,
    414,
    'the URL is longer than 8192 bytes',
  ],
  [
    'a very long URL',
    `GET /${'x'.repeat(90_000)} HTTP/1.1\r\nHost: localhost\r\n${close}`,
    414,
    'the URL is longer than 8192 bytes',
  ],
  [
    'large headers',
    `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(17_000)}\r\n${close}`,
    431,
    'the headers are larger than 16384 bytes',
  ],
  [
    'very large headers',
    `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(90_000)}\r\n${close}`,
    431,
    'the headers are larger than 16384 bytes',
  ],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'CONNECT is not allowed'],
  [
    'TRACE',
    `TRACE /health HTTP/1.1\r\nHost: localhost\r\n${close}`,
    405,
    'TRACE is not allowed here; allowed: GET, HEAD, OPTIONS',
  ],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\nHost: localhost\r\n${close}`, 404, 'there is no resource at this path'],
];
for (const [name, request, status, error] of cases) {
  test(`malformed or refused: ${name}`, async () => {
    const answer = readRaw(await rawRequest(server.port, Buffer.from(request, 'latin1')));
    assert.equal([answer.status, answer.body], [status, { error }]);
    assert.match(answer.headers, /X-Request-Id: [0-9a-f]{32}/i);
    assert.match(answer.headers, /X-Content-Type-Options: nosniff/i);
    assert.match(answer.headers, /Content-Type: application\/json; charset=utf-8/i);
  });
}

const served: readonly (readonly [name: string, request: string, answer: RegExp])[] = [
  [
    'a whole URL',
    `GET http://localhost:1/health?x HTTP/1.1\r\nHost: evil.example\r\n${close}`,
    /^HTTP\/1\.1 400 .*'x'/s,
  ],
  [
    'a whole URL without a path',
    `GET http://localhost?x HTTP/1.1\r\nHost: h\r\n${close}`,
    /^HTTP\/1\.1 404 .*no resource/s,
  ],
  [
    'a whole URL, in capitals',
    `GET HTTP://LOCALHOST/health HTTP/1.1\r\nHost: h\r\n${close}`,
    /^HTTP\/1\.1 200 .*"ok"/s,
  ],
  ['an older version', 'GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n', /^HTTP\/1\.1 200 .*Connection: close.*"ok"/s],
  [
    'three in one go',
    `GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nope HTTP/1.1\r\nHost: localhost\r\n${close}`,
    /^HTTP\/1\.1 200 .*"ok"}HTTP\/1\.1 200 .*\r\n\r\nHTTP\/1\.1 404 .*"error"/s,
  ],
  [
    'the rest of a body that nobody wanted',
    `POST /nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhelloGET /health HTTP/1.1\r\nHost: localhost\r\n${close}`,
    /^HTTP\/1\.1 404 .*HTTP\/1\.1 200 .*"ok"/s,
  ],
  [
    'a body that waits for leave, and is too large',
    'POST /api/aggregates/Bike/execute/RentBike HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n',
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 413 /,
  ],
  [
    'a part of it',
    `GET /health HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-3\r\n${close}`,
    /^HTTP\/1\.1 200 .*{"status":"ok"}$/s,
  ],
];
for (const [name, request, answer] of served) {
  test(`answered: ${name}`, async () => {
    assert.match(await rawRequest(server.port, Buffer.from(request, 'latin1')), answer);
  });
}

test('CONNECT is refused with the allowed methods', async () => {
  const answer = await rawRequest(server.port, 'CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(answer, /\r\nAllow: GET, HEAD, POST, OPTIONS\r\n/);
});

test('an upgrade or an unknown expectation is ignored', async () => {
  const upgrade = await rawRequest(
    server.port,
    `GET /health HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`,
  );
  assert.match(upgrade, /^HTTP\/1\.1 200 /);
  const expecting = await rawRequest(
    server.port,
    `GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n${close}`,
  );
  assert.match(expecting, /^HTTP\/1\.1 200 /);
});

test('a slow request head or body is answered with 408', async () => {
  const slow = await startSample({ limits: { headerMilliseconds: 300, requestMilliseconds: 600 } });
  const begun = performance.now();
  const answer = readRaw(await rawRequest(slow.port, 'GET /health HTTP/1.1\r\nHost: local'));
  assert.equal([answer.status, answer.body], [408, { error: 'the request did not arrive in time' }]);
  // By the server's own clock, not after the half minute that Node takes by default.
  assert.ok(performance.now() - begun < 20_000);
  const body = await rawRequest(
    slow.port,
    'POST /api/aggregates/Bike/execute/RentBike HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
  );
  assert.is(readRaw(body).status, 408);
  await slow.stop();
});

test('Host headers', async () => {
  const named = await startSample({ settings: { allowedHosts: ['API.example.org', 'other.example:8443'] } });
  const hosts: readonly (readonly [string, number])[] = [
    ['localhost', 200],
    ['LOCALHOST:80', 200],
    ['127.0.0.1:1234', 200],
    ['[::1]:99', 200],
    ['api.example.org', 200],
    ['api.example.org:9', 200],
    ['other.example:8443', 200],
    ['other.example', 421],
    ['api.example.org.evil.example', 421],
    ['localhost.evil.example', 421],
    ['', 421],
  ];
  for (const [host, status] of hosts) {
    const answer = await rawRequest(named.port, `GET /health HTTP/1.1\r\nHost: ${host}\r\n${close}`);
    assert.equal([host, Number(answer.split(' ', 2)[1])], [host, status]);
  }
  await named.stop();
});

const refusedOrigin =
  'this Origin is not allowed; http.allowedOrigins in the configuration names the origins whose pages may call';

test('Origin headers', async () => {
  const open = await startSample({ settings: { allowedOrigins: ['https://app.example.org'] } });
  const from = (origin: string) => open.get('/health', { Origin: origin });
  const allowed = await from('https://app.example.org');
  assert.equal(
    [
      allowed.status,
      allowed.headers.get('access-control-allow-origin'),
      allowed.headers.get('vary')?.includes('Origin'),
    ],
    [200, 'https://app.example.org', true],
  );
  for (const origin of [
    'https://evil.example',
    'null',
    'http://app.example.org',
    'https://app.example.org.evil.example',
  ]) {
    const answer = await from(origin);
    assert.equal([origin, answer.status, await answer.json()], [origin, 403, { error: refusedOrigin }]);
    assert.is(answer.headers.get('access-control-allow-origin'), null);
  }
  const own = await from(open.url);
  assert.equal([own.status, own.headers.get('access-control-allow-origin')], [200, null]);
  const preflight = await fetch(`${open.url}/api/aggregates/Bike/execute/RentBike`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'POST' },
  });
  assert.equal([preflight.status, preflight.headers.get('access-control-allow-methods')], [204, 'GET, HEAD, POST']);
  assert.is((await server.get('/health', { Origin: 'https://app.example.org' })).status, 403);
  await open.stop();
});

test('with loopback origins, pages of any port of this machine may call, and no others', async () => {
  const open = await startSample({ settings: { loopbackOrigins: true } });
  const cases: readonly (readonly [origin: string, status: number])[] = [
    ['http://localhost', 200],
    ['http://localhost:3000', 200],
    ['https://localhost:5173', 200],
    ['http://127.0.0.1:3000', 200],
    ['http://[::1]:3000', 200],
    ['null', 403],
    ['http://app.localhost:3000', 403],
    ['http://localhost.evil.example', 403],
    ['http://evil.example/localhost', 403],
    ['http://user@localhost:3000', 403],
    ['http://0.0.0.0:3000', 403],
    ['http://127.0.0.2:3000', 403],
    ['http://LOCALHOST:3000', 403],
    ['http://localhost:', 403],
    ['http://localhost:3000/', 403],
    ['file://localhost', 403],
    ['https://app.example.org', 403],
  ];
  for (const [origin, status] of cases) {
    const answer = await open.get('/health', { Origin: origin });
    const told = answer.headers.get('access-control-allow-origin');
    assert.equal([origin, answer.status, told], [origin, status, status === 200 ? origin : null]);
    assert.is(answer.headers.get('access-control-allow-credentials'), null);
    assert.match(answer.headers.get('vary') ?? '', /Origin/);
  }
  const preflight = await fetch(`${open.url}/api/query`, {
    method: 'OPTIONS',
    headers: { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'POST' },
  });
  const list = (name: string): readonly string[] => (preflight.headers.get(name) ?? '').toLowerCase().split(', ');
  for (const name of ['prefer', 'if-match', 'idempotency-key', 'authorization', 'content-type'])
    assert.ok(list('access-control-allow-headers').includes(name), name);
  for (const name of ['etag', 'schemac-total', 'idempotent-replayed', 'preference-applied', 'x-request-id'])
    assert.ok(list('access-control-expose-headers').includes(name), name);
  await open.stop();
});

test('a preflight needs no credentials, another OPTIONS does', async () => {
  const auth = {
    tokens: [{ sha256: createHash('sha256').update('t').digest('hex'), subject: 's', roles: [] }],
    roles: {},
  };
  const closed = await startSample({ settings: { allowedOrigins: ['https://app.example.org'], auth } });
  const ask = (headers: Record<string, string>) => fetch(`${closed.url}/info`, { method: 'OPTIONS', headers });
  assert.is((await ask({ Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'GET' })).status, 204);
  assert.is((await ask({ Origin: 'https://app.example.org' })).status, 401);
  assert.is((await ask({})).status, 401);
  await closed.stop();
});

test('request ids', async () => {
  const sent = await server.get('/health', { 'X-Request-Id': 'abc-1' });
  assert.is(sent.headers.get('x-request-id'), 'abc-1');
  for (const bad of ['x'.repeat(129), 'a b', '<script>']) {
    assert.match(
      (await server.get('/health', { 'X-Request-Id': bad })).headers.get('x-request-id') ?? '',
      /^[0-9a-f]{32}$/,
    );
  }
  assert.is(
    server.lines.some((line) => line['request_id'] === 'abc-1'),
    true,
  );
});

test('connections past the limit are not accepted', async () => {
  const small = await startSample({ limits: { connections: 2 } });
  const held = await Promise.all([hold(small.port), hold(small.port)]);
  assert.is(await rawRequest(small.port, `GET /health HTTP/1.1\r\nHost: localhost\r\n${close}`), '');
  for (const socket of held) socket.destroy();
  await small.stop();
});

function hold(port: number): Promise<ReturnType<typeof connect>> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => undefined);
  });
}

/** Written by hand from the contract: a change must be deliberate. */
const expectedRoutes = `
GET / | none | | 200 401
GET /health | none | | 200
GET /ready | none | | 200 503
GET /info | read:meta_* | | 200
GET /api/access | none | limit, offset | 200 503
GET /api/reg/aggregates | read:meta_aggregates | limit, offset, as_of | 200
GET /api/reg/aggregates/{name} | read:meta_aggregates | limit, offset, as_of | 200
GET /api/reg/commands | read:meta_commands | limit, offset, as_of | 200
GET /api/reg/commands/{name} | read:meta_commands | limit, offset, as_of | 200
GET /api/reg/events | read:meta_events | limit, offset, as_of | 200
GET /api/reg/events/{name} | read:meta_events | limit, offset, as_of | 200
GET /api/reg/decisions | read:meta_decisions | limit, offset, as_of | 200
GET /api/reg/decisions/{name} | read:meta_decisions | limit, offset, as_of | 200
GET /api/reg/projections | read:meta_projections | limit, offset, as_of | 200
GET /api/reg/projections/{name} | read:meta_projections | limit, offset, as_of | 200
GET /api/reg/eventstores | read:meta_eventstores | limit, offset, as_of | 200
GET /api/reg/eventstores/{name} | read:meta_eventstores | limit, offset, as_of | 200
GET /api/reg/templates | read:meta_templates | limit, offset, as_of | 200
GET /api/reg/templates/{name} | read:meta_templates | limit, offset, as_of | 200
GET /api/reg/enums | read:meta_enums | limit, offset, as_of | 200
GET /api/reg/enums/{name} | read:meta_enums | limit, offset, as_of | 200
GET /api/reg/functions | read:meta_functions | limit, offset, as_of | 200
GET /api/reg/functions/{name} | read:meta_functions | limit, offset, as_of | 200
GET /api/reg/claims | read:meta_claims | limit, offset, as_of | 200
GET /api/reg/claims/{name} | read:meta_claims | limit, offset, as_of | 200
GET /api/reg/subscriptions | read:meta_subscriptions | limit, offset, as_of | 200
GET /api/reg/subscriptions/{name} | read:meta_subscriptions | limit, offset, as_of | 200
GET /api/reg/reactions | read:meta_reactions | limit, offset, as_of | 200
GET /api/reg/reactions/{name} | read:meta_reactions | limit, offset, as_of | 200
GET /api/reg/aggregates/{name}/fields | read:meta_aggregate_fields | limit, offset, as_of | 200
GET /api/reg/commands/{name}/fields | read:meta_command_fields | limit, offset, as_of | 200
GET /api/reg/events/{name}/fields | read:meta_event_fields | limit, offset, as_of | 200
GET /api/reg/decisions/{name}/emits | read:meta_decision_emits | limit, offset, as_of | 200
GET /api/reg/reactions/{name}/branches | read:meta_reaction_branches | limit, offset, as_of | 200
GET /api/reg/templates/{name}/params | read:meta_template_params | limit, offset, as_of | 200
GET /api/reg/templates/{name}/instances | read:meta_template_instances | limit, offset, as_of | 200
GET /api/reg/inspections | read:meta_inspections | limit, offset | 200 409 503
GET /api/reg/inspections/{name} | read:meta_inspections | limit, offset | 200 409 503
GET /api/reg/inspection/{name} | read:meta_inspections | limit, offset | 200 409 503
GET /api/events | none | limit, after, until, select, follow, heartbeat, names, tag, column[operator]=value | 200 409 503
GET /api/aggregates/{agg}/events | read:{agg}$Events | limit, offset, after, until, order, select, as_of, follow, heartbeat, names, tag, column[operator]=value | 200 409 503
GET /api/aggregates/{agg}/events/{stream_id} | read:{agg}$Events | limit, offset, after, until, order, select, as_of, follow, heartbeat, names, tag, column[operator]=value | 200 409 503
GET /api/archive | none | after, since | 200 503
GET /api/aggregates/{agg}/commands | read:{agg}$Commands | limit, offset, select, as_of, column[operator]=value | 200 409 503
POST /api/inspect | inspect:{block} | | 200 409 413 415 429 503
GET /api/aggregates/{agg}/inspect/{table} | read:{agg}$Events, read:meta_inspections | limit, offset | 200 409 503
GET /api/aggregates/{agg}/inspect/input/{table} | read:{agg}$Events, read:meta_inspections | limit, offset | 200 409 503
GET /api/aggregates/{agg}/inspect/output/{table} | read:{agg}$Events, read:meta_inspections | limit, offset | 200 409 503
POST /api/aggregates/{agg}/execute/{command} | execute:{agg}.{command} | explain | 200 408 409 412 413 415 422 503 505
GET /api/aggregates/{agg} | read:{agg}$Agg | limit, offset, order, select, as_of, column[operator]=value | 200 409 503
GET /api/aggregates/{agg}/state | read:{agg}$Agg | limit, offset, order, select, as_of, column[operator]=value | 200 409 503
GET /api/aggregates/{agg}/{id} | read:{agg}$Agg | limit, offset, select, as_of, column[operator]=value | 200 404 409 503
GET /api/projections/{name}/query | read:{name} | limit, offset, order, select, as_of, column[operator]=value | 200 409 503
GET /api/subscriptions | none | limit, offset | 200 409 503
GET /api/subscriptions/{name} | none | limit, offset | 200 409 503
POST /api/subscriptions/{name}/next | subscribe:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/ack | subscribe:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/nack | subscribe:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/extend | subscribe:{name} | | 200 409 413 415 503
GET /api/subscriptions/{name}/parked | manage:{name} | limit | 200 409 503
POST /api/subscriptions/{name}/parked/{position}/retry | manage:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/parked/{position}/discard | manage:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/parked/retry | manage:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/reset | manage:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/pause | manage:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/start | manage:{name} | | 200 409 413 415 503
POST /api/subscriptions/{name}/test | manage:{name} | | 200 409 413 415 503
GET /api/subscriptions/{name}/attempts | manage:{name} | | 200 409 503
GET /api/reactions | none | limit, offset | 200 409 503
GET /api/reactions/{name} | manage:{name} | limit, offset | 200 409 503
GET /api/reactions/{name}/waiting | manage:{name} | limit | 200 409 503
GET /api/reactions/{name}/parked | manage:{name} | limit | 200 409 503
POST /api/reactions/{name}/parked/{position}/{branch}/retry | manage:{name} | | 200 409 413 415 503
POST /api/reactions/{name}/parked/{position}/{branch}/discard | manage:{name} | | 200 409 413 415 503
POST /api/reactions/{name}/waiting/{position}/{branch}/run | manage:{name} | | 200 409 413 415 503
POST /api/reactions/{name}/waiting/{position}/{branch}/discard | manage:{name} | | 200 409 413 415 503
POST /api/reactions/{name}/pause | manage:{name} | | 200 409 413 415 503
POST /api/reactions/{name}/start | manage:{name} | | 200 409 413 415 503
GET /api/lang/export | read:meta_* | as_of | 200 503
POST /api/lang/create | create | | 201 409 413 415 503
POST /api/query | query | as_of | 200 413 415 503
GET /metrics | metrics | | 200
GET /openapi.json | read:meta_* | | 200 503
`;

test('the route table', () => {
  const [, , ...rows] = routeDocumentation(routeTable).replaceAll('`', '').trim().split('\n');
  const cells = rows.map((row) => row.slice(2, -2).split(' | ').slice(0, 4).join(' | ').replace('|  |', '| |'));
  assert.equal(cells, expectedRoutes.trim().split('\n'));
});

test.run();
