import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TextRefused } from '../../server/operation/text-refused.ts';
import { rawRequest } from './raw-request.ts';
import { startSample } from './sample-server.ts';

/** Requests of each kind; SCHEMAC_FUZZ_RUNS raises it for a long run. */
const numRuns = Number(process.env['SCHEMAC_FUZZ_RUNS'] ?? 200);
const seed = Number(process.env['SCHEMAC_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
console.log(`fuzz seed ${seed}, ${numRuns} runs`);

const test = suite('fuzz');
const server = await startSample({
  // On a loaded machine requests may be seconds apart, and one on a connection that has just closed fails.
  limits: { idleMilliseconds: 60_000 },
  create: () => Promise.reject(new TextRefused('lang', 'invalid', ['1:1 refused'])),
  query: () => Promise.reject(new TextRefused('sql', 'invalid', ['1:1 refused'])),
});
test.after(() => server.stop());
await server.post('/api/aggregates/Bike/execute/RegisterBike', { bike_id: 'B-1', model: 'R', price: 1 });

const words = [
  'api',
  'reg',
  'aggregates',
  'Bike',
  'Dock',
  'events',
  'state',
  'inspect',
  'input',
  'execute',
  'RentBike',
  'RegisterBike',
  'projections',
  'Fleet',
  'query',
  'lang',
  'export',
  'create',
  'health',
  'info',
  'metrics',
  'openapi.json',
  'fields',
  'emits',
  'commands',
  'decisions',
  'inspection',
  'preview',
  '',
  '.',
  '..',
  '%2e%2e',
  '__proto__',
  'constructor',
  'B-1',
];
const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map(percentEncoded) },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.constantFrom(...'% 0 a F $ ; : @ & = + , ~ ! * ( ) [ ]'.split(' '), "'"),
      maxLength: 8,
    }),
  },
);
const name = fc.oneof(
  fc.constantFrom(
    'limit',
    'offset',
    'after',
    'model',
    'price',
    '.limit',
    'code',
    'data',
    'global_position',
    'aggregate_id',
    '__proto__',
    'x',
  ),
  segment,
);
const value = fc.oneof(
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom('', 'true', 'NULL', '1e400', '99999999999999999999', '2026-02-30', '%00'),
  segment,
);
const path = fc
  .tuple(fc.array(segment, { maxLength: 7 }), fc.array(fc.tuple(name, value), { maxLength: 4 }))
  .map(
    ([segments, query]) =>
      `/${segments.join('/')}${query.length === 0 ? '' : `?${query.map(([key, text]) => `${key}=${text}`).join('&')}`}`,
  );
const headers = fc.record(
  {
    Accept: fc.constantFrom(
      '*/*',
      'application/json',
      'text/csv',
      'text/html',
      'a/b;q=x',
      ';;,',
      'application/json;q=0',
    ),
    'If-None-Match': fc.constantFrom('*', '"1"', 'W/"', ',,'),
    'If-Match': fc.constantFrom('"1"', '"0"', '*', '"99999999999999999999"'),
    'Idempotency-Key': fc.constantFrom('k', 'k2', 'a b', ' '),
    'Content-Type': fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', ''),
    'Accept-Encoding': fc.constantFrom('gzip', 'br;q=0.1', '*', 'identity;q=0'),
    Authorization: fc.constantFrom('Bearer x', 'Basic', ''),
    traceparent: fc.constantFrom('00-x', ''),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .record(
      {
        bike_id: fc.string(),
        model: fc.string({ unit: 'binary' }),
        price: fc.oneof(fc.double(), fc.string(), fc.constant(12.3)),
        rider: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((each) => JSON.stringify(each)),
  fc.record({ params: fc.jsonValue() }).map((each) => JSON.stringify(each)),
  fc.record({ sql: fc.string(), lang: fc.string() }, { requiredKeys: [] }).map((each) => JSON.stringify(each)),
);

/** Lone surrogates cannot be encoded; they are sent as a broken escape. */
function percentEncoded(text: string): string {
  return /[\ud800-\udfff]/u.test(text) ? '%ED%A0%80' : encodeURIComponent(text);
}

/** For every request: no 5xx, errors exactly in their form, without internal details. */
async function holds(method: string, asked: string, given: Record<string, string>, sent?: string): Promise<void> {
  const hasBody = method === 'POST' || method === 'PUT';
  const answer = await fetch(server.url + asked, {
    method,
    headers: given,
    redirect: 'manual',
    ...(hasBody && sent !== undefined ? { body: sent } : {}),
  });
  const text = await answer.text();
  assert.ok(answer.status < 500, `${answer.status} ${text}`);
  if (answer.status < 400 || method === 'HEAD') return;
  const parsed = JSON.parse(text) as Record<string, unknown>;
  assert.equal([Object.keys(parsed), typeof parsed['error']], [['error'], 'string']);
  assert.not.match(text, /node:|\/work|\.ts|at .+:\d+:\d+\)|sqlite/i);
}

test('requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'),
      path,
      headers,
      body,
      holds,
    ),
    { numRuns, seed },
  );
});

test('bodies', async () => {
  const targets = [
    '/api/aggregates/Bike/execute/RegisterBike',
    '/api/aggregates/Bike/execute/RentBike',
    '/api/lang/create',
    '/api/query',
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), headers, body, (target, given, sent) =>
      holds('POST', target, { 'Content-Type': 'application/json', ...given }, sent),
    ),
    { numRuns, seed },
  );
});

test('bytes', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'GET ',
      'POST ',
      '/health',
      '/api/aggregates/Bike/events',
      ' HTTP/1.1',
      ' HTTP/1.0',
      ' HTTP/9.9',
      '\r\n',
      '\n',
      '\r',
      'Host: localhost',
      'Content-Length: 5',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: x',
      '5\r\nhello\r\n',
      '0\r\n\r\n',
      ': ',
      '\0',
      '\t',
      'Connection: close',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
      // The tail makes the server answer at once instead of waiting for more.
      const answer = await rawRequest(server.port, Buffer.from(`${pieces.join('')}\r\n\r\n\0\r\n\r\n`, 'latin1'));
      for (const status of answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)) assert.ok(Number(status[1]) < 500, answer);
    }),
    { numRuns: Math.ceil(numRuns / 2), seed },
  );
});

test('the server works as before', async () => {
  assert.equal(await (await server.get('/health')).json(), { status: 'ok' });
  assert.equal(
    server.lines.filter((line) => line['message'] === 'request failed'),
    [],
  );
  assert.is(({} as Record<string, unknown>)['polluted'], undefined);
});

test.run();
