import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fail } from '../../language/failure/failure.ts';
import type { AuthPolicy } from '../../server/http/auth/policy.ts';
import { openArrowReader } from '../arrow/arrow-reader.ts';
import { rawRequest, readRaw } from './raw-request.ts';
import { startSample } from './sample-server.ts';

const test = suite('execute');
const server = await startSample();
const reader = openArrowReader();
test.after(async () => {
  reader.close();
  await server.stop();
});

const register = '/api/aggregates/Bike/execute/RegisterBike';
const rent = '/api/aggregates/Bike/execute/RentBike';
let made = 0;
const newBike = (more: object = {}): object => ({ bike_id: `B-${++made}`, model: 'Roadster', price: 12.3, ...more });

test('an emitted outcome', async () => {
  const answer = await server.post(register, { bike_id: 'E-1', model: 'Roadster', price: 12.3, code: 'secret' });
  assert.equal(
    [answer.status, answer.headers.get('etag'), answer.headers.get('idempotent-replayed'), await answer.json()],
    [
      200,
      '"1"',
      null,
      [
        {
          event_type: 'BikeRegistered',
          stream_id: 'E-1',
          seq: 1,
          status: 'success',
          fields: '{"model":"Roadster","price":12.30,"limit":null,"code":"****","receipt":"R-E-1"}',
        },
      ],
    ],
  );
});

test('a rejected outcome is 200', async () => {
  const answer = await server.post(register, { bike_id: 'E-1', model: 'Roadster', price: 12.3, code: 'other' });
  const rows = (await answer.json()) as readonly { fields: string }[];
  assert.equal(
    [
      answer.status,
      answer.headers.get('etag'),
      rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as unknown })),
    ],
    [
      200,
      '"1"',
      [
        {
          event_type: null,
          stream_id: 'E-1',
          seq: null,
          status: 'rejected',
          fields: {
            decision: 'Register',
            guards: [{ branch: null, guard: 'current_model IS NULL' }],
            state: { current_model: 'Roadster', current_code: '****' },
            command: { bike_id: 'E-1', model: 'Roadster', price: 12.3, limit: null, code: '****' },
          },
        },
      ],
    ],
  );
});

test('an outcome in Arrow', async () => {
  const answer = await server.post(register, newBike({ bike_id: 'A-1' }), { Accept: '*/*' });
  assert.equal(await reader.read(Buffer.from(await answer.arrayBuffer())), {
    columns: [
      'event_type: Utf8',
      'stream_id: Utf8 not null',
      'seq: Int64',
      'status: Utf8 not null',
      'fields: Utf8 not null',
    ],
    batches: [1],
    rows: [
      [
        'BikeRegistered',
        'A-1',
        '1',
        'success',
        '{"model":"Roadster","price":12.30,"limit":null,"code":null,"receipt":"R-A-1"}',
      ],
    ],
  });
});

test('envelope', async () => {
  assert.is((await server.post(register, { params: newBike() })).status, 200);
  const notObject = await server.post(register, { params: 7 });
  assert.equal(
    [notObject.status, await notObject.json()],
    [400, { error: "RegisterBike: 'params' takes a JSON object of arguments" }],
  );
  const beside = await server.post(register, { params: newBike(), model: 'x' });
  assert.equal(
    [beside.status, await beside.json()],
    [
      400,
      {
        error:
          "RegisterBike: 3 arguments are wrong: there is no argument 'params' (it takes bike_id, model, price, limit, code); argument 'bike_id' (STRING) is missing; argument 'price' (DECIMAL(8,2)) is missing",
      },
    ],
  );
  // A command with a field of that name takes it as an argument, not as an envelope.
  const own = await server.post('/api/aggregates/Dock/execute/OpenDock', { params: 'D-1' });
  assert.is(own.status, 200);
});

test('idempotency', async () => {
  const body = newBike();
  const first = await server.post(register, body, { 'Idempotency-Key': 'k-1' });
  const again = await server.post(register, body, { 'Idempotency-Key': 'k-1' });
  assert.equal([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  const [before, after] = [await first.text(), await again.text()];
  assert.match(before, /\\"receipt\\":\\"R-B-\d+\\"/);
  // VOLATILE values were not stored.
  assert.is(after, before.replace(/\\"R-B-\d+\\"/, 'null'));
  const spelt = await server.post(register, { ...body, price: '12.30', limit: null }, { 'Idempotency-Key': 'k-1' });
  assert.equal([spelt.status, await spelt.text()], [200, after]);
  const other = await server.post(register, { ...body, model: 'Other' }, { 'Idempotency-Key': 'k-1' });
  assert.is(other.status, 422);
});

test('the expected seq', async () => {
  const body = newBike({ bike_id: 'M-1' });
  const path = '/api/aggregates/Bike/events/M-1';
  const none = (await server.get(path)).headers.get('etag') ?? '';
  const other = none.replace(/\.(.)/, (_, digit: string) => (digit === '0' ? '.1' : '.0'));
  const steps: readonly (readonly [string, number])[] = [
    ['"1"', 412],
    [none.replace('"0.', '"1.'), 412],
    [other, 412],
    ['0', 400],
    ['"00"', 400],
    ['"1.0"', 400],
    ['"0.abc"', 400],
    ['"0."', 400],
    ['*', 400],
    ['W/"1"', 400],
    [`W/${none}`, 400],
    [none.replace(/"$/, '-gzip"'), 400],
    ['"1", "2"', 400],
    ['"1000000000000000"', 400],
    [none, 200],
    ['"1"', 200],
  ];
  for (const [ifMatch, status] of steps) {
    const answer = await server.post(register, body, { 'If-Match': ifMatch });
    assert.equal([ifMatch, answer.status], [ifMatch, status]);
    const { error } = (await answer.json()) as { error?: string };
    if (status === 400) assert.match(error ?? '', /^If-Match takes the expected seq .* behind a proxy send the seq$/);
    if (ifMatch === other)
      assert.is(error, "stream 'M-1' is at seq 0 in this store; the expected position is from another store");
  }
});

test('the tag of a stream contains its seq, as If-Match takes it, and a seq alone is no tag', async () => {
  await server.post(register, newBike({ bike_id: 'T-1' }));
  for (const path of ['/api/aggregates/Bike/T-1', '/api/aggregates/Bike/events/T-1']) {
    const tag = (await server.get(path)).headers.get('etag') ?? '';
    assert.match(tag, /^"1\.[0-9a-f]{8}-[0-9a-f]{16}"$/);
    const old = await server.get(path, { 'If-None-Match': `"other", W/${tag}` });
    assert.equal([old.status, old.headers.get('etag')], [304, tag]);
    for (const other of ['"1"', '"0"', 'W/"1"', tag.replace('"1.', '"2.')])
      assert.equal([other, (await server.get(path, { 'If-None-Match': other })).status], [other, 200]);
  }
  const body = { bike_id: 'T-1', rider: 'ada' };
  const tag = (await server.get('/api/aggregates/Bike/T-1', { Accept: 'text/csv' })).headers.get('etag') ?? '';
  // Only the position is compared, not the rest of the tag: the same position may be read in other forms, and by other
  // callers.
  const read = tag.replace(/-\w+"$/, '-0123456789abcdef"');
  assert.is((await server.post(rent, body, { 'If-Match': read })).headers.get('etag'), '"2"');
});

test('the tag of a stream differs with form, content coding, definition, rights and store', async () => {
  const grants = { all: ['*'], reader: ['read:*', 'execute:*'] };
  const tokens = Object.keys(grants).map((role) => ({
    sha256: createHash('sha256').update(role).digest('hex'),
    subject: role,
    roles: [role],
  }));
  const auth: AuthPolicy = { tokens, roles: grants };
  const one = await startSample({ settings: { auth }, services: true });
  const two = await startSample({ settings: { auth }, services: true });
  const as = { Authorization: 'Bearer all' };
  for (const each of [one, two]) await each.post(register, newBike({ bike_id: 'T-1' }), as);
  const tag = async (from: typeof one, headers: Record<string, string> = {}, path = ''): Promise<string> => {
    const read = { ...as, 'Accept-Encoding': 'identity', ...headers };
    return (await from.get(`/api/aggregates/Bike${path}/T-1`, read)).headers.get('etag') ?? '';
  };
  const seen = [
    await tag(one),
    await tag(one, { Accept: 'application/json' }),
    await tag(one, { Accept: 'text/csv' }),
    await tag(one, { 'Accept-Encoding': 'gzip' }),
    await tag(one, { 'Accept-Encoding': 'br' }),
    await tag(one, { Authorization: 'Bearer reader' }),
    await tag(two),
  ];
  assert.is(await tag(one), seen[0]);
  const events = await tag(one, {}, '/events');
  assert.is((await one.post('/api/lang/create', { lang: 'CREATE EVENT Sold (price INT);' }, as)).status, 201);
  seen.push(await tag(one));
  assert.is.not(await tag(one, {}, '/events'), events);
  assert.is(new Set(seen).size, seen.length, seen.join('\n'));
  const stores = new Set(seen.map((each) => each.slice(0, each.indexOf('-'))));
  assert.equal([stores.size, seen.every((each) => each.startsWith('"1.'))], [2, true]);
  for (const each of [one, two]) await each.stop();
});

test('correlation', async () => {
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const cases: readonly (readonly [headers: Record<string, string>, kept: string | null])[] = [
    [{}, null],
    [{ 'X-Correlation-Id': 'c-1', traceparent: trace }, 'c-1'],
    [{ traceparent: trace }, trace],
    [{ traceparent: 'nonsense' }, null],
  ];
  for (const [headers, kept] of cases) {
    await server.post(register, newBike(), headers);
    const last = (await server.entries()).at(-1);
    assert.is(last?.kind === 'command' ? (last.correlationId ?? null) : undefined, kept);
  }
  for (const name of ['Idempotency-Key', 'X-Correlation-Id', 'X-Causation-Id']) {
    assert.is((await server.post(register, newBike(), { [name]: 'x'.repeat(257) })).status, 400);
    assert.is((await server.post(register, newBike(), { [name]: 'é' })).status, 400);
  }
});

test('a header with one value is refused when repeated or empty, and an id may contain a comma', async () => {
  const send = (...headers: readonly string[]): Promise<string> => {
    const body = JSON.stringify(newBike());
    const head = [
      `POST ${register} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Accept: application/json',
      'Connection: close',
      ...headers,
    ];
    return rawRequest(server.port, `${head.join('\r\n')}\r\n\r\n${body}`);
  };
  for (const name of ['Idempotency-Key', 'X-Correlation-Id', 'X-Causation-Id', 'traceparent', 'If-Match']) {
    const twice = readRaw(await send(`${name}: "0"`, `${name.toLowerCase()}: "1"`));
    assert.equal([name, twice.status, twice.body], [name, 400, { error: `${name} is given twice` }]);
  }
  for (const name of ['Idempotency-Key', 'If-Match']) {
    const blank = readRaw(await send(`${name}: `));
    assert.equal([name, blank.status, blank.body], [name, 400, { error: `${name} is given without a value` }]);
  }
  const comma = await send('Idempotency-Key: one, two');
  assert.is(Number(comma.split(' ', 2)[1]), 200);
});

test('unknown names in the path are refused', async () => {
  const cases: readonly (readonly [path: string, status: number, error: string])[] = [
    ['/api/aggregates/Boat/execute/RentBike', 404, "there is no aggregate 'Boat'"],
    ['/api/aggregates/Bike/execute/Fly', 404, "there is no command 'Fly'"],
    ['/api/aggregates/Bike/execute/rentbike', 404, "there is no command 'rentbike'"],
    ['/api/aggregates/Bike/execute/Orphan', 404, "command 'Orphan' has no decision"],
    ['/api/aggregates/Dock/execute/RentBike', 403, "command 'RentBike' is decided for aggregate 'Bike', not 'Dock'"],
    [
      '/api/aggregates/Bike/execute/Rent%20Bike',
      400,
      "{command} in the path takes an identifier of 1 to 63 letters, digits and _, not 'Rent Bike'",
    ],
  ];
  for (const [path, status, error] of cases) {
    const answer = await server.post(path, {});
    assert.equal([path, answer.status, await answer.json()], [path, status, { error }]);
  }
});

const json = 'application/json';
const bodies: readonly (readonly [
  name: string,
  type: string | undefined,
  body: string | Uint8Array,
  status: number,
  error: string,
])[] = [
  ['no JSON', json, '{', 400, 'the body is not JSON at character 2: a key in double quotes must follow'],
  ['nothing', json, '', 400, 'the body is not JSON at character 1: the text ends too early'],
  ['an array', json, '[]', 400, 'the body must be a JSON object'],
  ['a text', json, '"x"', 400, 'the body must be a JSON object'],
  [
    'duplicate keys',
    json,
    '{"bike_id":"a","bike_id":"b"}',
    400,
    'the body is not JSON at character 16: a repeated key in one object',
  ],
  ['NUL', json, '{"bike_id":"\\u0000"}', 400, 'the body is not JSON at character 15: a NUL character in a string'],
  [
    'a lone surrogate',
    json,
    '{"bike_id":"\\ud800"}',
    400,
    'the body is not JSON at character 12: a lone surrogate in a string',
  ],
  ['invalid UTF-8', json, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'the body is not valid UTF-8'],
  ['a byte order mark', json, '\ufeff{}', 400, 'the body is not JSON at character 1: this is no JSON value'],
  [
    'depth',
    json,
    `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
    400,
    'the body exceeds a limit at character 37: nested deeper than 32 levels',
  ],
  [
    'keys',
    json,
    `{${Array.from({ length: 257 }, (_, at) => `"k${at}":1`).join(',')}}`,
    400,
    'the body exceeds a limit at character 2196: more than 256 keys in one object',
  ],
  [
    'missing argument',
    json,
    '{"bike_id":"x","price":1}',
    400,
    "RegisterBike: argument 'model' is missing; it takes STRING",
  ],
  [
    'unknown argument',
    json,
    '{"__proto__":1,"bike_id":"x","model":"m","price":1}',
    400,
    "RegisterBike has no argument '__proto__'; it takes bike_id, model, price, limit, code",
  ],
  ['no media type', undefined, '{}', 415, 'the body must be declared as Content-Type: application/json, in UTF-8'],
  [
    'another media type',
    'text/plain',
    '{}',
    415,
    'the body must be declared as Content-Type: application/json, in UTF-8',
  ],
  [
    'another charset',
    'application/json; charset=latin1',
    '{}',
    415,
    'the body must be declared as Content-Type: application/json, in UTF-8',
  ],
  ['too large', json, `{"bike_id":"${'x'.repeat(70_000)}"}`, 413, 'the body is larger than 65536 bytes'],
];
for (const [name, type, body, status, error] of bodies) {
  test(`body: ${name}`, async () => {
    // With a Uint8Array body fetch sends no Content-Type.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
    const answer = await fetch(server.url + register, {
      method: 'POST',
      headers: type === undefined ? {} : { 'Content-Type': type },
      body: bytes,
    });
    assert.equal([answer.status, await answer.json()], [status, { error }]);
  });
}

test('compressed bodies are refused, charset=utf-8 is accepted', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const answer = await fetch(server.url + register, { method: 'POST', headers, body: new Uint8Array(gzipSync('{}')) });
  assert.equal([answer.status, await answer.json()], [415, { error: 'compressed bodies are not accepted' }]);
  assert.is(
    (await server.post(register, newBike(), { 'Content-Type': 'Application/JSON;charset="UTF-8"' })).status,
    200,
  );
});

test('a body without a length is limited too', async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(' '.repeat(16_384))),
  });
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, duplex: 'half' };
  const answer = await fetch(server.url + register, request as RequestInit);
  assert.is(answer.status, 413);
});

test('failures of the domain', async () => {
  const cases = [
    [fail('R0201', { where: 'price' }), 409, 'division by zero in price'],
    [fail('R0301', { what: 'bytes', limit: '256 MiB' }), 409, 'the query exceeded its bytes budget of 256 MiB'],
    [fail('R0401', { waiting: 1024 }), 503, 'too many commands are waiting (1024); try again in a moment'],
    [
      fail('R0403', { reason: 'EIO: i/o error, fsync' }),
      503,
      'outcome unknown: the store failed while writing (EIO: i/o error, fsync)',
    ],
    [
      fail('R0403', { reason: "EACCES: permission denied, open '/data/a b'" }),
      503,
      'outcome unknown: the store failed while writing (EACCES: permission denied, open …)',
    ],
    [new Error('SQLITE_CORRUPT at /var/lib/x'), 500, 'internal error'],
  ] as const;
  for (const [failure, status, error] of cases) {
    server.switches.failNext = failure;
    const answer = await server.post(register, newBike());
    assert.equal([answer.status, answer.headers.get('etag'), await answer.json()], [status, null, { error }]);
    assert.is(answer.headers.get('retry-after'), error.startsWith('too many') ? '1' : null);
  }
  const logged = server.lines.find(
    (line) => line['message'] === 'request failed' && String(line['err']).includes('SQLITE_CORRUPT'),
  );
  assert.type(logged?.['request_id'], 'string');
});

test('an answer 406 means that nothing was done', async () => {
  const before = server.engine.store.turns.position().event;
  assert.is((await server.post(register, newBike(), { Accept: 'text/xml' })).status, 406);
  assert.is(server.engine.store.turns.position().event, before);
});

test('read-only mode', async () => {
  const readOnly = await startSample({ readOnly: true, create: () => Promise.reject(new Error('not reached')) });
  const error = 'the server is in read-only mode';
  for (const path of [register, '/api/lang/create']) {
    const answer = await readOnly.post(path, {});
    assert.equal([answer.status, await answer.json()], [403, { error }]);
  }
  assert.is((await readOnly.get('/ready')).status, 200);
  readOnly.switches.refusesWrites = { reason: 'the disk is full', heals: false };
  assert.is((await readOnly.get('/ready')).status, 200);
  assert.equal(await (await readOnly.get('/health')).json(), { status: 'ok' });
  await readOnly.stop();
});

test('readiness', async () => {
  for (const [heals, next, retry] of [
    [false, 'restart it', null],
    [true, 'it is asked for again', '1'],
  ] as const) {
    const reason = `writing the log failed (ENOSPC: no space left on device, open '/var/lib/shop/0001.log'); ${next}`;
    server.switches.refusesWrites = { reason, heals };
    const answer = await server.get('/ready');
    const error = `writing the log failed (ENOSPC: no space left on device, open …); ${next}`;
    assert.equal([answer.status, answer.headers.get('retry-after'), await answer.json()], [503, retry, { error }]);
    const health = await server.get('/health');
    assert.equal([health.status, await health.json()], [200, { status: 'ok', log: error }]);
  }
  server.switches.refusesWrites = undefined;
});

test.run();
