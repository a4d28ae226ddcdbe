/** ALLOW over HTTP (docs/callers.md#allow): its place among all that can refuse a command, and the answer, the count and the log of a refusal. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const test = suite('ALLOW');
const schema = `
CREATE CLAIM clinic STRING;
CREATE AGGREGATE Booking (booking_id STRING KEY, owner STRING AS LAST(data.owner));
CREATE EVENT Booked (owner STRING);
CREATE COMMAND Book (booking_id STRING, owner STRING DEFAULT CURRENT_USER CHECK (LENGTH(owner) < 10), clinic STRING DEFAULT CLAIM(clinic))
  ALLOW WHERE HAS_ROLE('clerk') OR owner = CURRENT_USER MESSAGE 'only your own bookings';
CREATE COMMAND Close (booking_id STRING) ALLOW WHERE FALSE;
CREATE COMMAND Look (booking_id STRING);
CREATE DECISION BookIt FOR Booking ON COMMAND Book EMIT AS SELECT EVENT Booked (owner := :owner);
CREATE DECISION CloseIt FOR Booking ON COMMAND Close EMIT AS SELECT EVENT Booked (owner := 'closed');
CREATE DECISION LookIt FOR Booking ON COMMAND Look EMIT AS SELECT EVENT Booked (owner := 'looked');
`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const auth = {
  tokens: [
    { sha256: sha256('admin'), subject: 'admin', roles: ['admin'] },
    { sha256: sha256('ada'), subject: 'ada', roles: ['sender'], claims: { clinic: 'north' } },
    { sha256: sha256('bob'), subject: 'bob', roles: ['sender', 'clerk'], claims: { clinic: 'south' } },
    { sha256: sha256('odd'), subject: 'odd', roles: ['sender'], claims: { clinic: 7 } },
    { sha256: sha256('reader'), subject: 'reader', roles: ['reader'] },
  ],
  roles: { admin: ['*'], sender: ['execute:*', 'inspect:*', 'query'], reader: ['read:*'], clerk: [] },
};
const path = '/api/aggregates/Booking/execute/Book';

let server: Awaited<ReturnType<typeof startSample>>;
test.before(async () => {
  server = await startSample({ services: true, settings: { auth } });
  const created = await server.post('/api/lang/create', { lang: schema }, { Authorization: 'Bearer admin' });
  assert.is(created.status, 201, await created.clone().text());
});
test.after(() => server.stop());

interface Asked {
  readonly token?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function ask({ token = 'ada', path: to = path, body = { booking_id: 'B1' }, headers = {} }: Asked) {
  const sender = token === '' ? {} : { Authorization: `Bearer ${token}` };
  const problem = { Accept: 'application/json, application/problem+json' };
  const answer = await server.post(to, body, { ...problem, ...sender, ...headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, said: JSON.parse(text) as unknown };
}
const key = { 'Idempotency-Key': 'k' };
const stale = { 'If-Match': '"7"' };
const refused = 'Book: only your own bookings';

/** Each request has all faults of the rows behind it, so that the first one that counts is reported. */
const order: readonly (readonly [what: string, asked: Asked, status: number, code: string, detail?: string])[] = [
  ['no token', { token: '', path: '/api/aggregates/Booking/execute/Nope' }, 401, 'H4011'],
  ['no such command', { token: 'reader', path: '/api/aggregates/Booking/execute/Nope' }, 404, 'R0106'],
  ['no right', { token: 'reader', body: '{' }, 403, 'H4031'],
  ['no JSON', { token: 'odd', body: '{' }, 400, 'H4005'],
  [
    'a claim of another type',
    { token: 'odd', body: { owner: 7 } },
    401,
    'R0117',
    "the claim 'clinic' of this token is no STRING",
  ],
  ['arguments', { body: { booking_id: 'B1', owner: 7 }, headers: { ...key, ...stale } }, 400, 'R0103'],
  ['a missing argument', { token: 'admin', body: { booking_id: 'B1', owner: 'admin' } }, 400, 'R0101'],
  [
    'ALLOW',
    { body: { booking_id: 'B1', owner: 'too long for it' }, headers: { ...key, ...stale } },
    403,
    'R0116',
    refused,
  ],
  [
    'a repeated command',
    { token: 'bob', body: { booking_id: 'B1', owner: 'too long for it' }, headers: { ...key, ...stale } },
    422,
    'R0104',
  ],
  [
    'the expected position',
    { token: 'bob', body: { booking_id: 'B1', owner: 'too long for it' }, headers: stale },
    412,
    'R0105',
  ],
  ['a CHECK', { token: 'bob', body: { booking_id: 'B1', owner: 'too long for it' } }, 400, 'R0115'],
  ['without MESSAGE', { path: path.replace(/Book$/, 'Close') }, 403, 'R0116', 'Close: not allowed to this caller'],
  [
    'a right sets no ALLOW aside',
    { token: 'admin', path: path.replace(/Book$/, 'Close') },
    403,
    'R0116',
    'Close: not allowed to this caller',
  ],
];

test('the order of refusals', async () => {
  const first = await ask({ headers: key });
  assert.is(first.status, 200, JSON.stringify(first.said));
  for (const [what, asked, status, code, detail] of order) {
    const { status: got, said } = await ask(asked);
    const told = said as { readonly code: string; readonly detail: string };
    assert.equal([got, told.code], [status, code], `${what}: ${JSON.stringify(said)}`);
    if (detail !== undefined) assert.is(told.detail, detail, what);
  }
  const { headers } = await ask({ token: 'odd' });
  assert.is(headers.get('www-authenticate'), 'Bearer error="invalid_token"');
  assert.is((await ask({ token: 'odd', path: path.replace(/Book$/, 'Look') })).status, 200);
});

test('a refused command writes nothing and uses no key', async () => {
  const before = server.engine.store.turns.position().entry;
  const given = { booking_id: 'B2', owner: 'eve' };
  assert.is((await ask({ body: given, headers: { 'Idempotency-Key': 'own' } })).status, 403);
  assert.is(server.engine.store.turns.position().entry, before);
  assert.is((await ask({ token: 'bob', body: given, headers: { 'Idempotency-Key': 'own' } })).status, 200);
});

test('rows of many commands, and the end of an inspection', async () => {
  const lines = [{ booking_id: 'B3' }, { booking_id: 'B3', owner: 'eve' }, { booking_id: 'B3' }];
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const rowsOf = async (token: string): Promise<readonly unknown[]> => {
    const { said } = await ask({
      token,
      body,
      headers: { 'Content-Type': 'application/x-ndjson', Accept: 'application/json' },
    });
    return (said as readonly { readonly status: string; readonly fields: string }[]).map(({ status, fields }) => [
      status,
      JSON.parse(fields),
    ]);
  };
  const [made, error] = [{ owner: 'ada' }, { error: refused, code: 'R0116' }];
  assert.equal(await rowsOf('ada'), [
    ['success', made],
    ['error', error],
    ['success', made],
  ]);
  const claim = { error: "the claim 'clinic' of this token is no STRING", code: 'R0117' };
  assert.equal(await rowsOf('odd'), [
    ['error', claim],
    ['error', claim],
    ['error', claim],
  ]);
  const inspected = await ask({ path: '/api/inspect', body: { decision: 'BookIt', commands: lines } });
  assert.equal([inspected.status, (inspected.said as { detail: string }).detail], [403, `commands[1]: ${refused}`]);
});

test('refusals are counted, and found in the audit log', async () => {
  const { lines } = server;
  lines.length = 0;
  const before = await counts();
  await ask({ body: { booking_id: 'B4', owner: 'eve' } });
  await ask({
    body: '{"booking_id":"B4","owner":"eve"}\n',
    headers: { 'Content-Type': 'application/x-ndjson', Accept: 'application/json' },
  });
  await ask({ path: '/api/inspect', body: { decision: 'BookIt', commands: [{ booking_id: 'B4', owner: 'eve' }] } });
  assert.is((await counts()) - before, 2);
  const told = lines
    .filter(({ message }) => message === 'audit')
    .map(({ subject, status, denied }) => [subject, status, denied]);
  assert.equal(told, [
    ['ada', 403, 'ALLOW of Book'],
    ['ada', 200, 'ALLOW of Book'],
    ['ada', 403, undefined],
  ]);
});

async function counts(): Promise<number> {
  const text = await (await server.get('/metrics', { Authorization: 'Bearer admin' })).text();
  return Number(/^schemac_commands_not_allowed_total\{command="Book"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

test('a query of the console has the values of its caller', async () => {
  const body = { sql: "SELECT CURRENT_USER AS who, HAS_ROLE('clerk') AS clerk, CLAIM(clinic) AS clinic" };
  const table = [
    ['ada', 200, [{ who: 'ada', clerk: false, clinic: 'north' }]],
    ['bob', 200, [{ who: 'bob', clerk: true, clinic: 'south' }]],
    ['admin', 200, [{ who: 'admin', clerk: false, clinic: null }]],
  ] as const;
  for (const [token, status, rows] of table) {
    const answer = await ask({ token, path: '/api/query', body });
    assert.equal([answer.status, answer.said], [status, rows]);
  }
  const { status, said } = await ask({ token: 'odd', path: '/api/query', body });
  assert.equal([status, (said as { readonly code: string }).code], [401, 'R0117']);
  const unread = await ask({ token: 'odd', path: '/api/query', body: { sql: 'SELECT CURRENT_USER AS who' } });
  assert.equal([unread.status, unread.said], [200, [{ who: 'odd' }]]);
});

test('the document says which arguments may be left out, and what a refused caller reads', async () => {
  const document = (await (await server.get('/openapi.json', { Authorization: 'Bearer admin' })).json()) as {
    readonly paths: Readonly<
      Record<
        string,
        { readonly post: { readonly responses: Readonly<Record<string, { readonly description?: string }>> } }
      >
    >;
    readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> };
  };
  assert.equal(document.components.schemas['BookCommand']?.required, ['booking_id']);
  const descriptions = ['Book', 'Close', 'Look'].map(
    (command) => document.paths[path.replace(/Book$/, command)]?.post.responses['403']?.description,
  );
  const may = 'The caller lacks a right, or the server is in read-only mode, or: ';
  assert.equal(descriptions, [`${may}${refused}`, `${may}Close: not allowed to this caller`, undefined]);
});

test.run();
