/** Refusals as problem+json: the code of each, and the parts of the request that are wrong (docs/http.md#errors). */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failures } from '../../language/failure/catalogue.ts';
import { fail } from '../../language/failure/failure.ts';
import { refusals, type RefusalCode } from '../../server/http/wire/refusals.ts';
import { until } from '../kit/until.ts';
import { rawRequest, readRaw } from './raw-request.ts';
import { startSample } from './sample-server.ts';

const test = suite('problems');
const server = await startSample({
  services: true,
  settings: { allowedOrigins: ['https://page.example'] },
  push: { environment: { SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}` } },
});
const sha256 = createHash('sha256').update('reader').digest('hex');
const guarded = await startSample({
  readOnly: true,
  settings: {
    auth: {
      tokens: [{ sha256, subject: 'reader', roles: ['reader'] }],
      roles: { reader: ['read:Fleet', 'execute:*'] },
    },
  },
});
test.after(async () => {
  await server.stop();
  await guarded.stop();
});

interface Told {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly field?: string; readonly message: string; readonly pointer?: string }[];
}
const problem = { Accept: 'application/problem+json' };

async function told(answer: Promise<Response>): Promise<Told> {
  const response = await answer;
  const body = (await response.json()) as Told;
  assert.equal(
    [response.headers.get('content-type'), response.status, Object.keys(body)],
    ['application/problem+json', body.status, ['type', 'title', 'status', 'detail', 'code', 'errors']],
  );
  return body;
}

const register = '/api/aggregates/Bike/execute/RegisterBike';
const bike = { bike_id: 'P-1', model: 'Roadster', price: 1 };
await server.post(register, bike, { 'Idempotency-Key': 'p-1' });
const rent = '/api/aggregates/Bike/execute/RentBike';
const token = { Authorization: 'Bearer reader' };

const both = { Accept: 'application/json, application/problem+json' };
const get = (path: string, headers: object = {}) => server.get(path, { ...both, ...headers });
const post = (path: string, body: unknown, headers: object = {}) => server.post(path, body, { ...both, ...headers });
/** With headers that `fetch` does not send. */
async function raw(head: string): Promise<Response> {
  const text = await rawRequest(server.port, `${head}\r\nAccept: ${problem.Accept}\r\nConnection: close\r\n\r\n`);
  const { status, body } = readRaw(text);
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': problem.Accept } });
}
function failing(error: Error): Promise<Response> {
  server.switches.failNext = error;
  return get('/api/projections/Fleet/query');
}
function unready(): Promise<Response> {
  server.switches.refusesWrites = { reason: 'the disk is full', heals: false };
  return get('/ready').finally(() => (server.switches.refusesWrites = undefined));
}

/** The code and the status of a refusal, and the request. */
const cases: readonly (readonly [code: string, status: number, ask: () => Promise<Response>])[] = [
  ['H4001', 400, () => raw('GET /health HTTP/1.1')],
  ['H4002', 400, () => get('/api/aggregates/Bi%20ke')],
  ['H4003', 400, () => get('/api/aggregates/Bike?limit=x')],
  ['H4004', 400, () => post(register, bike, { 'If-Match': '*' })],
  ['H4005', 400, () => post(register, '[]')],
  ['H4005', 400, () => post('/api/query', { lang: 'x' })],
  ['H4006', 400, () => post('/api/lang/create', { lang: 'CREATE AGGREGATE' })],
  ['H4007', 400, () => post('/api/query', { sql: 'SELECT nope' })],
  ['H4008', 400, () => post('/api/query', { sql: 'SELECT 1 AS a, 2 AS a' })],
  ['H4011', 401, () => guarded.get('/api/projections/Fleet/query', problem)],
  ['H4031', 403, () => guarded.get('/api/aggregates/Bike', { ...problem, ...token })],
  ['H4032', 403, () => get('/health', { Origin: 'https://evil.example' })],
  ['H4033', 403, () => post('/api/lang/create', { lang: 'DROP AGGREGATE Bike;' })],
  ['H4033', 403, () => post('/api/query', { sql: 'DELETE FROM x' })],
  ['H4041', 404, () => get('/nope')],
  ['H4042', 404, () => get('/api/aggregates/Bike/nope')],
  ['H4043', 404, () => get('/api/aggregates/Bike/inspect/nope')],
  ['H4051', 405, () => fetch(`${server.url}/health`, { method: 'DELETE', headers: problem })],
  ['H4061', 406, () => get('/api/projections/Fleet/query', problem)],
  [
    'H4091',
    409,
    () => get('/api/events?follow=true&after=999999', { Accept: 'text/event-stream, application/problem+json' }),
  ],
  [
    'H4044',
    404,
    async () => {
      await post('/api/lang/create', { lang: 'CREATE SUBSCRIPTION Rides AS SELECT seq FROM Reg."Bike$Events";' });
      return post('/api/subscriptions/Rides/parked/1/retry', {});
    },
  ],
  [
    'H4046',
    404,
    async () => {
      const lang = `CREATE REACTION Again ON EVENT BikeRented EXECUTE RentBike (bike_id := :stream_id, rider := 'x') AFTER 1 DAY;`;
      await post('/api/lang/create', { lang });
      return post('/api/reactions/Again/waiting/1/1/run', {});
    },
  ],
  ['H4092', 409, () => post('/api/subscriptions/Rides/ack', { lease: 'x' })],
  [
    'H4045',
    404,
    async () => {
      const webhook = `DELIVER TO WEBHOOK 'https://hooks.example/' SECRET ENV('SECRET')`;
      await post('/api/lang/create', {
        lang: `CREATE SUBSCRIPTION Sent AS SELECT seq FROM Reg."Bike$Events" WHERE seq < 0 ${webhook};`,
      });
      await until(async () => (await post('/api/subscriptions/Sent/test', {})).status === 404);
      return post('/api/subscriptions/Sent/test', {});
    },
  ],
  ['H4094', 409, () => post('/api/subscriptions/Sent/next', {})],
  ['H4131', 413, () => post(register, { ...bike, model: 'x'.repeat(70_000) })],
  ['H4151', 415, () => post(register, bike, { 'Content-Type': 'text/plain' })],
  ['H4211', 421, () => raw('GET /health HTTP/1.1\r\nHost: evil.example')],
  ['H5001', 500, () => failing(new Error('the disk of /var/secret failed'))],
  ['H5034', 503, () => failing(Object.assign(new Error('no'), { code: 'EMFILE' }))],
  ['H5032', 503, unready],
  ['R0101', 400, () => post(register, { bike_id: 'P-2', model: 'm' })],
  ['R0113', 400, () => post(register, {})],
  ['R0104', 422, () => post(register, { ...bike, price: 2 }, { 'Idempotency-Key': 'p-1' })],
  ['R0105', 412, () => post(rent, { bike_id: 'P-1', rider: 'r' }, { 'If-Match': '"7"' })],
  ['R0106', 404, () => get('/api/projections/Nope/query')],
  ['R0107', 404, () => post('/api/aggregates/Bike/execute/Orphan', {})],
  ['R0108', 403, () => post('/api/aggregates/Dock/execute/RentBike', {})],
  ['R0109', 403, () => guarded.post(rent, {}, { ...problem, ...token })],
  ['R0201', 409, () => failing(fail('R0201', { where: '' }))],
  ['R0401', 503, () => failing(fail('R0401', { waiting: 9 }))],
];

for (const [code, status, ask] of cases) {
  test(`${code} ${String(ask).slice(0, 100)}`, async () => {
    const { code: found, status: answered, detail } = await told(ask());
    assert.equal([found, answered], [code, status]);
    assert.not.match(detail, /secret/);
  });
}

/** Codes that take a stall, a log that is shared, a key set that is gone, a crowd, another server, HTTP/1.0, or heads that are never problems. */
const elsewhere: readonly RefusalCode[] = [
  'H4081',
  'H4093',
  'H4095',
  'H4141',
  'H4291',
  'H4292',
  'H4311',
  'H5031',
  'H5033',
  'H5035',
  'H5036',
  'H5051',
];

test('every code of HTTP is raised, says its status, and has a title', () => {
  const raised = new Set([...cases.map(([code]) => code), ...elsewhere]);
  assert.equal(
    Object.keys(refusals).filter((code) => !raised.has(code)),
    [],
  );
  const titles = Object.values({ ...refusals, ...failures }).map(({ title }) => title);
  assert.is(titles.filter((title) => title.trim() === '').length, 0);
  for (const [code, { status }] of Object.entries(refusals)) assert.is(code.slice(1, 4), String(status));
});

/** The parts of the request that are wrong. */
const errors: readonly (readonly [name: string, ask: () => Promise<Response>, errors: Told['errors']])[] = [
  [
    'arguments',
    () => post(register, { bike_id: 7, price: 'x', ridr: 1 }),
    [
      {
        field: 'ridr',
        message: "there is no argument 'ridr'; it takes bike_id, model, price, limit, code",
        pointer: '/ridr',
      },
      { field: 'bike_id', message: "argument 'bike_id' takes STRING, not 7", pointer: '/bike_id' },
      { field: 'model', message: "argument 'model' (STRING) is missing", pointer: '/model' },
      {
        field: 'price',
        message: 'argument \'price\' takes DECIMAL(8,2) (6 digits before the point and 2 after), not "x"',
        pointer: '/price',
      },
    ],
  ],
  [
    'one argument in an envelope',
    () => post(register, { params: { ...bike, 'a/b~c': 1 } }),
    [
      {
        field: 'a/b~c',
        message: "RegisterBike has no argument 'a/b~c'; it takes bike_id, model, price, limit, code",
        pointer: '/params/a~1b~0c',
      },
    ],
  ],
  [
    'a sensitive value is not quoted',
    () => post(register, { ...bike, code: 12345, limit: 'x' }),
    [
      {
        field: 'limit',
        message: 'argument \'limit\' takes INT (a whole number from -2147483648 to 2147483647), not "x"',
        pointer: '/limit',
      },
      { field: 'code', message: "argument 'code' takes STRING, not the given value", pointer: '/code' },
    ],
  ],
  ['a body that is no object', () => post(register, '[]', both), [{ message: 'the body must be a JSON object' }]],
  [
    'parameters',
    () => get('/api/projections/Fleet/query?limit=x&nope=1'),
    [
      { field: 'limit', message: "parameter 'limit' takes a whole number from 0, not 'x'" },
      {
        field: 'nope',
        message: "there is no parameter 'nope'; allowed: limit, offset, order, select, as_of, model, bikes",
      },
    ],
  ],
  [
    'a text',
    () => post('/api/lang/create', { lang: 'CREATE PROJECTION A AS SELECT x;\nCREATE PROJECTION B AS SELECT y;' }),
    [
      { field: 'lang', message: "1:31 there is no column 'x' here (E0203)", pointer: '/lang' },
      { field: 'lang', message: "2:31 there is no column 'y' here (E0203)", pointer: '/lang' },
    ],
  ],
  ['no part of the request', () => get('/nope'), []],
];
for (const [name, ask, expected] of errors) {
  test(`errors: ${name}`, async () => {
    assert.equal((await told(ask())).errors, expected);
  });
}

test('many faults: the first 20 in the sentence, 100 in the list', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`x${at}`, at]));
  const { detail, errors: list } = await told(post(register, many));
  assert.match(detail, /^RegisterBike: 253 arguments are wrong: there is no argument 'x0' \(.*'x19'; and 233 more$/);
  assert.is(list.length, 100);
  const query = Array.from({ length: 250 }, (_, at) => `x${at}=1`).join('&');
  const parameters = await told(get(`/api/projections/Fleet/query?${query}`));
  assert.match(parameters.detail, /^250 parameters are wrong: .*'x19'; and 230 more$/);
  assert.is(parameters.errors.length, 100);
});

test('problem+json is chosen only when it is named, and an answer that succeeds is not one', async () => {
  for (const [accept, isProblem] of [
    ['application/problem+json', true],
    ['application/problem+json; q=0.1, text/csv', true],
    ['APPLICATION/PROBLEM+JSON', true],
    ['application/problem+json;q=0', false],
    ['application/*', false],
    ['*/*', false],
    ['', false],
  ] as const) {
    const { headers } = await server.get('/nope', { Accept: accept });
    assert.equal([accept, headers.get('content-type')?.includes('problem') === true], [accept, isProblem]);
  }
  const table = await server.get('/api/projections/Fleet/query', both);
  assert.equal([table.status, table.headers.get('content-type')], [200, 'application/json; charset=utf-8']);
});

test('a head that is too large, and bytes that are no request, get the plain form', async () => {
  const close = `Host: localhost\r\nAccept: ${problem.Accept}\r\nConnection: close\r\n`;
  for (const [status, head] of [
    [400, 'GET /health HTTP/1.1 x\r\n'],
    [414, `GET /${'x'.repeat(9000)} HTTP/1.1\r\n${close}`],
    [431, `GET /health HTTP/1.1\r\n${close}X: ${'x'.repeat(17_000)}\r\n`],
  ] as const) {
    const { status: answered, body } = readRaw(await rawRequest(server.port, `${head}\r\n`));
    assert.equal([answered, Object.keys(body as object)], [status, ['error']]);
  }
});

/** Expressions over a SENSITIVE text, number and time that fail, or are refused as a value of their field. */
const unfit: readonly (readonly [type: string, value: string])[] = [
  ['STRING', 'DIGEST(:secret, :secret)'],
  ['STRING', 'ENCODE(:secret, :secret)'],
  ['TIMESTAMP', 'DATE_TRUNC(:secret, :at)'],
  ['TIMESTAMP', "DATE_TRUNC('day', :at, :secret)"],
  ['DATE', 'CAST(:at AT TIME ZONE :secret AS DATE)'],
  ['BOOLEAN', 'CAST(:secret AS BOOLEAN)'],
  ...['INT', 'BIGINT', 'DECIMAL(9,2)', 'DOUBLE', 'TIMESTAMP', 'DATE', 'JSON'].map((type): readonly [string, string] => [
    type,
    `CAST(:secret AS ${type})`,
  ]),
  ['STRING', 'CAST(CAST(:secret AS INTERVAL) AS STRING)'],
  ['Colour', 'CAST(:secret AS Colour)'],
  ['VARCHAR(3)', ':secret'],
  ['BOOLEAN', "'a' LIKE :secret ESCAPE :secret"],
  ['BOOLEAN', "'a' LIKE CONCAT('a', :secret) ESCAPE '9'"],
  ['STRING', 'REPEAT(:secret, :n)'],
  ['STRING', 'LPAD(:secret, :n)'],
  ['STRING', 'REPLACE(REPEAT(:secret, 9), SUBSTRING(:secret, 1, 1), REPEAT(:secret, 40000))'],
  ['STRING', 'SUBSTRING(:secret, 1, -:n)'],
  ['STRING', "SPLIT_PART(:secret, ',', :n - :n)"],
  ['INT', ':n * :n'],
  ['INT', ':n / (:n - :n)'],
  ['INT', ':n % (:n - :n)'],
  ['DECIMAL(4,2)', ':n'],
  ['DATE', 'CAST(:at AS DATE) + :n'],
  ['TIMESTAMP', ":at + INTERVAL '1 day' * :n"],
  ['DOUBLE', 'SQRT(-:n)'],
  ['DOUBLE', 'LN(-:n)'],
  ['DOUBLE', 'POWER(-:n, 0.5)'],
  ['DOUBLE', 'EXP(:n)'],
];

test('no answer, log line or recorded command shows a SENSITIVE argument', async () => {
  const before = server.lines.length;
  const secrets = { secret: 'Zx9planted9', n: 987654321, at: '2099-12-31T23:59:59.123456Z' };
  const shown = /Zx9planted|98765432|2099-12-31|23:59:59/i;
  const lang = [
    "CREATE ENUM Colour AS ('red', 'blue');",
    'CREATE AGGREGATE Vault;',
    ...unfit.flatMap(([type, value], at) => [
      `CREATE COMMAND Keep${at} (vault STRING, secret STRING SENSITIVE, n INT SENSITIVE, at TIMESTAMP SENSITIVE);`,
      `CREATE EVENT Kept${at} (value${at} ${type} SENSITIVE);`,
      `CREATE DECISION KeepIt${at} FOR Vault ON COMMAND Keep${at} EMIT AS SELECT EVENT Kept${at} (value${at} := ${value});`,
    ]),
    'CREATE EVENT Filled (x INT);',
    'CREATE COMMAND Checked (vault STRING, secret INT SENSITIVE CHECK (secret < 9));',
    'CREATE DECISION CheckIt FOR Vault ON COMMAND Checked EMIT AS SELECT EVENT Filled (x := 1);',
  ];
  const created = await server.post('/api/lang/create', { lang: lang.join('\n') });
  assert.is(created.status, 201, await created.text());
  const commands: readonly (readonly [string, object])[] = [
    ...unfit.map((_, at) => [`Keep${at}`, { vault: 'v', ...secrets }] as const),
    ['Checked', { vault: 'v', secret: secrets.n }],
    ...Object.entries({ secret: secrets.n, n: secrets.secret, at: secrets.secret }).map(
      ([name, value]) => ['Keep0', { vault: 'v', ...secrets, [name]: value }] as const,
    ),
  ];
  const answers: string[] = [];
  const outcomes = new Set<number>();
  for (const [index, [command, body]] of commands.entries()) {
    const path = `/api/aggregates/Vault/execute/${command}`;
    for (const headers of [{}, both, { 'Idempotency-Key': `s-${index}` }]) {
      const answer = await server.post(path, body, headers);
      outcomes.add(answer.status);
      answers.push(`${command} ${await answer.text()}`);
    }
    const lines = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', Accept: 'application/x-ndjson' },
      body: JSON.stringify(body),
    });
    answers.push(`${command} ${await lines.text()}`);
  }
  answers.push(await (await server.get('/api/aggregates/Vault/commands', { Accept: 'application/json' })).text());
  answers.push(JSON.stringify(server.lines.slice(before)));
  assert.equal(
    answers.filter((answer) => shown.test(answer)),
    [],
  );
  assert.equal([...outcomes].sort(), [200, 400, 409]);
});

test.run();
