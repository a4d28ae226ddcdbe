import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const test = suite('live');
// Nothing here is about the time of queries, which run while other suites work.
const server = await startSample({ services: true, limits: { consoleMilliseconds: 60_000 } });
test.after(() => server.stop());

test('created blocks are served at once', async () => {
  const before = (await (await server.get('/info')).json()) as { registry_version: number };
  const lang = `
    CREATE AGGREGATE Boat;
    CREATE COMMAND Launch (boat_id STRING, weight DECIMAL(6,1));
    CREATE EVENT Launched (weight DECIMAL(6,1));
    CREATE DECISION LaunchBoat FOR Boat ON COMMAND Launch EMIT AS SELECT EVENT Launched (weight := :weight);
    CREATE PROJECTION Weights AS SELECT SUM(weight) AS total FROM Reg."Boat$Agg";`;
  const created = await server.post('/api/lang/create', { lang });
  assert.equal(
    [created.status, await created.json()],
    [
      201,
      {
        status: 'created',
        registry_version: before.registry_version + 1,
        created: [
          'aggregate Boat',
          'command Launch',
          'event Launched',
          'decision LaunchBoat',
          'projection Weights',
        ].map((block) => {
          const [kind, name] = block.split(' ');
          return { kind, name, change: 'created' };
        }),
      },
    ],
  );
  for (const weight of ['1.5', 2]) {
    assert.is(
      (await server.post('/api/aggregates/Boat/execute/Launch', { boat_id: `B${weight}`, weight })).status,
      200,
    );
  }
  const total = await server.get('/api/projections/Weights/query', { Accept: 'application/json' });
  assert.is(await total.text(), '[{"total":3.5}]\n');
  assert.match(await (await server.get('/openapi.json')).text(), '"/api/aggregates/Boat/execute/Launch"');
  const again = (await (await server.post('/api/lang/create', { lang })).json()) as { created: { change: string }[] };
  assert.equal(
    again.created.map(({ change }) => change),
    Array<string>(5).fill('unchanged'),
  );
});

test('a sort key that a projection does not select is not shown', async () => {
  const lang = 'CREATE PROJECTION Heaviest AS SELECT aggregate_id AS boat FROM Reg."Boat$Agg" ORDER BY weight DESC;';
  assert.is((await server.post('/api/lang/create', { lang })).status, 201);
  const path = '/api/projections/Heaviest/query';
  assert.is(
    await (await server.get(path, { Accept: 'application/json' })).text(),
    '[{"boat":"B2"},\n{"boat":"B1.5"}]\n',
  );
  assert.is(await (await server.get(path, { Accept: 'text/csv' })).text(), 'boat\r\nB2\r\nB1.5\r\n');
});

test('an error while reading data names the block that was read', async () => {
  const lang = `
    CREATE PROJECTION Shares AS SELECT weight / (weight - weight) AS share FROM Reg."Boat$Agg";
    CREATE AGGREGATE Raft (share BIGINT AS MAX(1 / (seq - seq)));
    CREATE COMMAND Float (raft_id STRING);
    CREATE DECISION FloatRaft FOR Raft ON COMMAND Float EMIT AS SELECT EVENT Launched (weight := 1.0);`;
  assert.is((await server.post('/api/lang/create', { lang })).status, 201);
  assert.is((await server.post('/api/aggregates/Raft/execute/Float', { raft_id: 'R' })).status, 200);
  for (const [path, error] of [
    ['/api/projections/Shares/query', "projection 'Shares': division by zero, column 'share'"],
    ['/api/aggregates/Raft', "aggregate 'Raft': division by zero"],
    ['/api/aggregates/Raft/R', "aggregate 'Raft': division by zero"],
  ] as const) {
    const answer = await server.get(path);
    assert.equal([path, answer.status, await answer.json()], [path, 409, { error }]);
  }
});

test('a refused creation leaves nothing behind', async () => {
  const version = server.engine.registryVersion();
  const cases: readonly (readonly [lang: string, status: number])[] = [
    ['CREATE AGGREGATE Kite; SELECT 1;', 403],
    ["CREATE AGGREGATE Kite; EXECUTE Launch(boat_id := 'x', weight := 1);", 403],
    ['CREATE AGGREGATE Kite; CREATE PROJECTION Bad AS SELECT nope FROM Reg."Kite$Agg";', 400],
    ['', 400],
  ];
  for (const [lang, status] of cases) {
    const answer = await server.post('/api/lang/create', { lang });
    const { error } = (await answer.json()) as { error: string };
    assert.equal([lang, answer.status, typeof error], [lang, status, 'string']);
  }
  // Other statements are refused as such, even if they are unknown or broken as well.
  const others = [
    'DELETE FROM x',
    "INSERT INTO t VALUES (1, 'open",
    'CREATE VIEW v AS SELECT 1',
    'CREATE OR REPLACE TRIGGER f AFTER UPDATE',
    'CREATE TABLE t (',
    '/* a block */ DROP AGGREGATE Bike CASCADE EVENT',
    'nonsense',
  ];
  for (const other of others) {
    const answer = await server.post('/api/lang/create', { lang: `CREATE EVENT Kited (a INT); ${other}` });
    const named = `only CREATE of blocks is accepted here, not: ${other.replace(/^.*\*\/ /, '')}`;
    assert.equal([answer.status, await answer.json()], [403, { error: named }]);
  }
  const broken = [
    'CREATE',
    'CREATE AGGREGATE',
    'CREATE OR',
    'CREAT AGGREGATE A',
    'CREATE AGREGATE A',
    'CREATE EVENT 1',
  ];
  for (const lang of broken) {
    const answer = await server.post('/api/lang/create', { lang });
    const { error } = (await answer.json()) as { error: string };
    assert.equal([lang, answer.status, /^1:\d+ /.test(error)], [lang, 400, true]);
  }
  assert.is(server.engine.registryVersion(), version);
  assert.is((await server.get('/api/reg/aggregates/Kite')).status, 404);
});

test('a long error is compressed like any other body', async () => {
  const lang = Array.from({ length: 20 }, (_, at) => `CREATE PROJECTION P${at} AS SELECT nope FROM Reg.Fleet;`).join(
    '\n',
  );
  const answer = await server.post('/api/lang/create', { lang }, { 'Accept-Encoding': 'gzip' });
  const { error } = (await answer.json()) as { readonly error: string };
  assert.equal([answer.status, answer.headers.get('content-encoding')], [400, 'gzip']);
  assert.ok(error.length > 1024, error);
});

test('a state that changes with the clock has no tag and is never answered with 304', async () => {
  const lang = `
    CREATE AGGREGATE Timer (timer_id STRING KEY, seen DATE AS MAX(CURRENT_DATE));
    CREATE COMMAND Start (timer_id STRING);
    CREATE EVENT Started (n INT);
    CREATE DECISION DoStart FOR Timer ON COMMAND Start EMIT AS SELECT EVENT Started (n := 1);`;
  assert.is((await server.post('/api/lang/create', { lang })).status, 201);
  assert.is((await server.post('/api/aggregates/Timer/execute/Start', { timer_id: 'T' })).status, 200);
  const told: (readonly [number, string | null])[] = [];
  for (const path of ['/T', '', '/events/T']) {
    const answer = await server.get(`/api/aggregates/Timer${path}`, { 'If-None-Match': '*' });
    told.push([answer.status, answer.headers.get('etag')?.slice(0, 3) ?? null]);
  }
  assert.equal(told, [
    [200, null],
    [200, null],
    [304, '"1.'],
  ]);
  assert.is((await server.get('/api/aggregates/Timer/none')).status, 404);
});

test('an event store that is posted names no place, on this machine or another', async () => {
  const told: (readonly [number, string])[] = [];
  for (const options of [
    "durable.path = '/etc'",
    "read.engine = 'disk', WAL.PATH = '../elsewhere'",
    "durable.type = 'postgres', durable.url = ENV('DATABASE_URL')",
    "durable.listen_url = 'postgres://elsewhere.example.com/db'",
    "read.engine = 'memory'",
  ]) {
    const answer = await server.post('/api/lang/create', { lang: `CREATE EVENTSTORE posted WITH (${options});` });
    told.push([answer.status, await answer.text()]);
  }
  const allowed = 'an event store that is posted names no place; write it in the files of the server';
  assert.equal(told, [
    [403, `{"error":"1:32 durable.path of event store 'posted': ${allowed}"}\n`],
    [403, `{"error":"1:54 wal.path of event store 'posted': ${allowed}"}\n`],
    [403, `{"error":"1:59 durable.url of event store 'posted': ${allowed}"}\n`],
    [403, `{"error":"1:32 durable.listen_url of event store 'posted': ${allowed}"}\n`],
    [
      201,
      '{"status":"created","registry_version":6,"created":[{"kind":"eventstore","name":"posted","change":"created"}]}',
    ],
  ]);
});

test('console', async () => {
  await server.post('/api/aggregates/Bike/execute/RegisterBike', {
    bike_id: 'B-1',
    model: 'R',
    price: 1,
    code: 'secret',
  });
  await server.post('/api/lang/create', { lang: "CREATE EVENTSTORE prod WITH (read.engine = 'memory');" });
  const cases: readonly (readonly [sql: string, status: number, body: string | RegExp])[] = [
    ['SELECT 1 + 1 AS two', 200, '[{"two":2}]\n'],
    ['WITH b AS (SELECT * FROM Reg."Bike$Agg") SELECT code, price FROM b', 200, '[{"code":"****","price":1.00}]\n'],
    ['SELECT 1 AS a, 2 AS a', 400, /^\{"error":"1:1 the result has several columns 'a'; give /],
    ['SELECT code FROM Reg."Bike$Agg" ORDER BY code', 400, /^\{"error":"1:\d+ .*sensitive/],
    ['SELECT * FROM prod."Bike$Events"', 400, '{"error":"1:15 \'prod\' cannot be read here; '],
    ['SELECT nope()', 400, /^\{"error":"1:8 /],
    ['SELECT 1/0', 400, /division by zero/],
    ['DELETE FROM x', 403, /DELETE/],
    ['SELECT 1; SELECT 2', 403, /second/],
    ['WITH x AS (DELETE FROM y) SELECT 1', 403, /error/],
  ];
  for (const [sql, status, body] of cases) {
    const answer = await server.post('/api/query', { sql });
    const text = await answer.text();
    assert.equal([sql, answer.status], [sql, status]);
    assert.match(text, body);
  }
});

test('a hundred commands at once are decided one after the other', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      server.post('/api/aggregates/Bike/execute/RegisterBike', { bike_id: 'R-1', model: 'R', price: 1 }),
    ),
  );
  const rows = (await Promise.all(answers.map((answer) => answer.json()))) as { status: string }[][];
  assert.equal(rows.flat().filter(({ status }) => status === 'success').length, 1);
  assert.is((await server.get('/api/aggregates/Bike/R-1')).headers.get('etag')?.split('.')[0], '"1');
});

test.run();
