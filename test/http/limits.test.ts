/** Limits of a configuration: values just within are accepted, values just past are refused with the limit's number. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rawRequest } from './raw-request.ts';
import { startSample } from './sample-server.ts';

const test = suite('limits');
const server = await startSample({
  services: true,
  limits: {
    commandBytes: 400,
    schemaBytes: 60,
    consoleBytes: 400,
    jsonDepth: 2,
    jsonKeys: 5,
    jsonNodes: 8,
    stringBytes: 50,
    streamIdCharacters: 4,
    identifierCharacters: 12,
    eventBytes: 120,
    urlBytes: 300,
    headerBytes: 2_000,
    consoleRows: 3,
    consoleResultBytes: 2_000,
    consoleColumns: 2,
    queryDepth: 6,
    queryJoins: 1,
    queryCommonTables: 1,
    querySetOperations: 2,
    queryListItems: 2,
  },
});
test.after(() => server.stop());

const register = '/api/aggregates/Bike/execute/RegisterBike';
const bike = (more: object = {}): object => ({ bike_id: 'B-1', model: 'm', price: 1, ...more });

/** `error` is its text. */
type Case = readonly [what: string, path: string, body: unknown, status: number, error?: string];
const notTaken = 'the body exceeds a limit at character';
const posted: readonly Case[] = [
  ['a body', register, `${JSON.stringify(bike())}${' '.repeat(330)}`, 200],
  ['a body', register, ' '.repeat(401), 413, 'the body is larger than 400 bytes'],
  ['a schema text', '/api/lang/create', { lang: 'CREATE AGGREGATE A;' }, 201],
  ['a schema text', '/api/lang/create', ' '.repeat(61), 413, 'the body is larger than 60 bytes'],
  ['a console text', '/api/query', ' '.repeat(401), 413, 'the body is larger than 400 bytes'],
  [
    'depth',
    register,
    '{"a":[1]}',
    400,
    "RegisterBike: 4 arguments are wrong: there is no argument 'a' (it takes bike_id, model, price, limit, code); argument 'bike_id' (STRING) is missing",
  ],
  ['depth', register, '{"a":[[1]]}', 400, `${notTaken} 7: nested deeper than 2 levels`],
  ['keys', register, '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}', 400, `${notTaken} 32: more than 5 keys in one object`],
  ['nodes', register, '{"a":[1,2,3,4,5,6,7]}', 400, `${notTaken} 19: more than 8 values`],
  ['a string', register, bike({ model: 'x'.repeat(50) }), 200],
  ['a string', register, bike({ model: 'x'.repeat(51) }), 400, `${notTaken} 26: a string longer than 50 bytes`],
  ['a stream id', register, bike({ bike_id: '😀😀😀😀' }), 200],
  [
    'a stream id',
    register,
    bike({ bike_id: '12345' }),
    400,
    "RegisterBike: argument 'bike_id' takes the id of a stream, of 1 to 4 characters, not one of 5",
  ],
  [
    'an event',
    register,
    bike({ bike_id: 'E', model: 'x'.repeat(50), code: 'y'.repeat(50) }),
    409,
    "decision 'Register': BikeRegistered is larger than 120 bytes; nothing was written",
  ],
  [
    'a name',
    '/api/aggregates/Bike/execute/Abcdefghijklm',
    {},
    400,
    "{command} in the path takes an identifier of 1 to 12 letters, digits and _, not 'Abcdefghijklm'",
  ],
  ['a name', '/api/aggregates/Bike/execute/Abcdefghijkl', {}, 404, "there is no command 'Abcdefghijkl'"],
  ['rows', '/api/query', { sql: 'SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 3' }, 200],
  [
    'rows',
    '/api/query',
    { sql: 'SELECT 1 AS a FROM Reg.meta_commands AS x CROSS JOIN Reg.meta_commands' },
    400,
    'the query exceeded its rows budget of 3',
  ],
  ['bytes', '/api/query', { sql: "SELECT REPEAT('x', 1500) AS a" }, 200],
  ['bytes', '/api/query', { sql: "SELECT REPEAT('x', 2500) AS a" }, 400, 'the query exceeded its bytes budget of 2000'],
  ['columns', '/api/query', { sql: 'SELECT 1 AS a, 2 AS b' }, 200],
  ['columns', '/api/query', { sql: 'SELECT 1 AS a, 2 AS b, 3 AS c' }, 400, '1:1 the query has more than 2 columns'],
  ['depth of a query', '/api/query', { sql: 'SELECT ABS(ABS(1)) AS a' }, 200],
  [
    'depth of a query',
    '/api/query',
    { sql: 'SELECT ABS(ABS(ABS(ABS(ABS(ABS(1)))))) AS a' },
    400,
    'nested more than 6 levels deep',
  ],
  [
    'joins',
    '/api/query',
    { sql: 'SELECT a.name FROM Reg.meta_events a JOIN Reg.meta_events b ON a.name = b.name' },
    200,
  ],
  [
    'joins',
    '/api/query',
    { sql: 'SELECT 1 AS n FROM Reg.meta_events a JOIN Reg.meta_events b ON TRUE JOIN Reg.meta_events c ON TRUE' },
    400,
    'joins',
  ],
  [
    'joins by comma',
    '/api/query',
    { sql: 'SELECT 1 AS n FROM Reg.meta_events a, Reg.meta_events b, Reg.meta_events c' },
    400,
    'joins',
  ],
  ['WITH tables', '/api/query', { sql: 'WITH a AS (SELECT 1 AS n) SELECT n FROM a' }, 200],
  [
    'WITH tables',
    '/api/query',
    { sql: 'WITH a AS (SELECT 1 AS n), b AS (SELECT 1 AS n) SELECT n FROM a' },
    400,
    'WITH tables',
  ],
  [
    'set operations',
    '/api/query',
    { sql: 'SELECT 1 AS a UNION SELECT 1 UNION SELECT 1 UNION SELECT 1' },
    400,
    'set operations',
  ],
  ['a list', '/api/query', { sql: 'SELECT 1 IN (1, 2) AS a' }, 200],
  ['a list', '/api/query', { sql: 'SELECT 1 IN (1, 2, 3) AS a' }, 400, 'items in one list'],
  ['recursion', '/api/query', { sql: 'WITH RECURSIVE a AS (SELECT 1 AS n) SELECT n FROM a' }, 400, 'RECURSIVE'],
];
for (const [what, path, body, status, error] of posted) {
  test(`${what}: ${status}`, async () => {
    const answer = await server.post(path, body);
    const told = (await answer.json()) as { readonly error?: string };
    assert.is(answer.status, status, told.error);
    if (error !== undefined) assert.match(told.error ?? '', error);
  });
}
test('URL and headers', async () => {
  const read = '/api/aggregates/Bike/state?aggregate_id=';
  const long = await server.get(read + 'x'.repeat(300 - read.length));
  assert.is(long.status, 200);
  const longer = await server.get(read + 'x'.repeat(301 - read.length));
  assert.equal([longer.status, await longer.json()], [414, { error: 'the URL is longer than 300 bytes' }]);
  const large = await server.get(read, { 'X-Large': 'x'.repeat(2_000) });
  assert.equal([large.status, await large.json()], [431, { error: 'the headers are larger than 2000 bytes' }]);
});

test('ids and names in a path', async () => {
  const cases: readonly (readonly [path: string, status: number])[] = [
    ['/api/aggregates/Bike/B-1', 200],
    ['/api/aggregates/Bike/B-123', 400],
    ['/api/aggregates/Bike/events/B-123', 400],
    ['/api/reg/events/BikeRented', 200],
    ['/api/reg/events/BikeRegistered', 400],
  ];
  for (const [path, status] of cases) assert.equal([path, (await server.get(path)).status], [path, status]);
  const { components } = (await (await server.get('/openapi.json')).json()) as Document;
  const longest = (name: string): number | undefined => components.parameters[name]?.schema.maxLength;
  assert.equal(['path.name', 'path.id', 'path.stream_id'].map(longest), [12, 4, 4]);
});

test('an idle connection is closed', async () => {
  const short = await startSample({ limits: { idleMilliseconds: 100 } });
  const answer = await rawRequest(short.port, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(answer, /^HTTP\/1\.1 200 .*Connection: keep-alive/s);
  await short.stop();
});

test('commands beyond the limit of waiting ones are refused, and the others decided', async () => {
  const small = await startSample({ limits: { waitingCommands: 2 } });
  let release = (): void => undefined;
  const held = small.engine.store.turns.exclusively(() => new Promise<void>((resolve) => (release = resolve)));
  let refused = 0;
  const answers = Array.from({ length: 10 }, async (_, at) => {
    const answer = await small.post(register, bike({ bike_id: `W-${at}` }));
    if (answer.status === 503 && ++refused === 6) release();
    return {
      id: `W-${at}`,
      status: answer.status,
      after: answer.headers.get('Retry-After'),
      body: await answer.json(),
    };
  });
  const all = await Promise.all(answers);
  await held;
  const taken = all.filter(({ status }) => status === 200).map(({ id }) => id);
  // Commands that arrived together with the first are decided with it; two more may wait.
  assert.ok(taken.length >= 2 && taken.length <= 4, String(taken.length));
  for (const { after, body } of all.filter(({ status }) => status !== 200))
    assert.equal([after, body], ['1', { error: 'too many commands are waiting (2); try again in a moment' }]);
  const written = (await small.entries()).flatMap((entry) => (entry.kind === 'command' ? [entry.streamId] : []));
  assert.equal(written.sort(), taken.sort());
  await small.stop();
});

test('a read that takes too long is stopped, and delays others only briefly', async () => {
  const slow = await startSample({ readModel: 'worker', services: true, limits: { resultMilliseconds: 200 } });
  await slow.append(3_000, 10);
  const events = 'Reg."Bike$Events"';
  const lang = `CREATE PROJECTION Slow AS SELECT COUNT(*) AS n FROM ${events} a, ${events} b, ${events} c;`;
  assert.is((await slow.post('/api/lang/create', { lang })).status, 201);
  const json = { Accept: 'application/json' };
  const answers = await Promise.all([
    slow.get('/api/projections/Slow/query', json),
    slow.get('/api/aggregates/Bike/state?limit=1', json),
  ]);
  assert.equal(
    answers.map(({ status }) => status),
    [409, 200],
  );
  assert.equal(await answers[0].json(), { error: 'the query exceeded its time budget of 200 ms' });
  await slow.stop();
});

interface Document {
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly schema: { readonly maxLength?: number } }>>;
  };
}

test.run();
