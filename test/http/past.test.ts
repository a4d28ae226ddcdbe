/** Answers as of a moment (docs/http.md#the-past): each row is a request after the last command. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const json = { Accept: 'application/json' };
let server: Awaited<ReturnType<typeof startSample>>;

test.before(async () => {
  // A loaded machine takes its time.
  server = await startSample({ services: true, limits: { consoleMilliseconds: 30_000 } });
  const register = (id: string, model: string, price: number): Promise<Response> => {
    const bike = { bike_id: id, model, price, code: 's3' };
    return server.post('/api/aggregates/Bike/execute/RegisterBike', bike, { 'Idempotency-Key': id });
  };
  await register('B-1', 'Roadster', 400); // 1
  await server.post('/api/aggregates/Bike/execute/RentBike', { bike_id: 'B-1', rider: 'ada' }); // 2
  await register('B-2', 'Racer', 900); // 3
  await server.post('/api/lang/create', {
    lang: 'CREATE PROJECTION Riders AS SELECT COUNT(*) AS n FROM Reg."Bike$Events";',
  });
  await register('B-3', 'Racer', 950); // 4
});
test.after(() => server.stop());

const ids = (rows: unknown): unknown[] => (rows as { aggregate_id: string }[]).map((row) => row.aggregate_id);
const names = (rows: unknown): unknown[] => (rows as { name: string }[]).map(({ name }) => name);

const table: readonly (readonly [path: string, position: string, rows: unknown, of?: (rows: unknown) => unknown])[] = [
  ['/api/aggregates/Bike?as_of=0', '0', []],
  ['/api/aggregates/Bike/state?as_of=1', '1', ['B-1'], ids],
  ['/api/aggregates/Bike?as_of=3&order=aggregate_id.desc', '3', ['B-2', 'B-1'], ids],
  ['/api/aggregates/Bike/B-1?as_of=2&select=model,rider', '2', [{ model: 'Roadster', rider: 'ada' }]],
  ['/api/aggregates/Bike/B-1?as_of=1&select=model,rider', '1', [{ model: 'Roadster', rider: null }]],
  [
    '/api/aggregates/Bike/events?as_of=3&select=global_position&order=global_position.desc',
    '3',
    [3, 2, 1].map((at) => ({ global_position: at })),
  ],
  [
    '/api/aggregates/Bike/commands?as_of=3&select=command,events',
    '3',
    [
      { command: 'RegisterBike', events: [1] },
      { command: 'RegisterBike', events: [3] },
    ],
  ],
  ['/api/aggregates/Bike/events/B-1?as_of=1&select=event_type', '1', [{ event_type: 'BikeRegistered' }]],
  [
    '/api/projections/Fleet/query?as_of=3',
    '3',
    [
      { model: 'Racer', bikes: 1 },
      { model: 'Roadster', bikes: 1 },
    ],
  ],
  // A projection that came later, over the events of that moment.
  ['/api/projections/Riders/query?as_of=2', '2', [{ n: 2 }]],
  ['/api/reg/projections?as_of=3', '3', ['Fleet', 'Today'], names],
  ['/api/reg/projections?as_of=4', '4', ['Fleet', 'Riders', 'Today'], names],
  ['/api/reg/events/BikeRented/fields?as_of=1', '1', 1, (rows) => (rows as []).length],
  ['/api/aggregates/Bike?as_of=2001-02-03T04:05:06Z', '0', []],
];
for (const [path, position, rows, of = (all: unknown) => all] of table)
  test(`GET ${path}`, async () => {
    const answer = await server.get(path, json);
    assert.equal([answer.status, of(await answer.json())], [200, rows]);
    assert.is(answer.headers.get('schemac-as-of'), position);
    assert.is(answer.headers.get('cache-control'), 'private, no-cache');
    const tag = answer.headers.get('etag') ?? '';
    assert.match(tag, /^"then-[0-9a-f]{24}"$/);
    const again = await server.get(path, { ...json, 'If-None-Match': tag });
    assert.equal([again.status, again.headers.get('schemac-as-of')], [304, position]);
  });

test('moments that are asked for at once have each their own answer', async () => {
  const then = [[], ['B-1'], ['B-1'], ['B-1', 'B-2'], ['B-1', 'B-2', 'B-3']];
  const positions = [4, 1, 3, 0, 2, 2, 4, 0, 3, 1];
  const answers = await Promise.all(
    positions.map(async (position) => {
      const answer = await server.get(`/api/aggregates/Bike/state?as_of=${position}&order=aggregate_id`, json);
      return [answer.status, ids(await answer.json())];
    }),
  );
  assert.equal(
    answers,
    positions.map((position) => [200, then[position]]),
  );
});

test('callers who leave while their questions wait for a moment give their places in the queue away', async () => {
  const { store, domain } = server.engine;
  const { readModel } = domain();
  const moments = await Promise.all([1, 2].map((position) => store.log.moment({ position })));
  const shown = await Promise.all(moments.map((moment) => store.past(moment, readModel)));
  const path = '/api/aggregates/Bike?as_of=3&select=aggregate_id';
  const left = (): number => server.lines.filter(({ status }) => status === 499).length;
  const before = left();
  for (const leaving of [32, 64]) {
    const client = new AbortController();
    const asked = Array.from({ length: 32 }, () => fetch(server.url + path, { signal: client.signal }));
    setTimeout(() => client.abort(), 500);
    assert.ok((await Promise.allSettled(asked)).every(({ status }) => status === 'rejected'));
    while (left() < before + leaving) await new Promise((resume) => setTimeout(resume, 10));
  }
  const waiting = server.get(path, json);
  await new Promise((resume) => setTimeout(resume, 200));
  for (const one of shown) await one.close();
  const answer = await waiting;
  assert.equal([answer.status, await answer.json()], [200, [{ aggregate_id: 'B-1' }, { aggregate_id: 'B-2' }]]);
});

test('the tag of an answer about the past stays when something is written, and changes with the registry', async () => {
  const path = '/api/aggregates/Bike?as_of=2';
  const tagOf = async (): Promise<string | null> => (await server.get(path, json)).headers.get('etag');
  const before = await tagOf();
  await server.post('/api/aggregates/Bike/execute/RentBike', { bike_id: 'B-2', rider: 'bo' });
  assert.is(await tagOf(), before);
  await server.post('/api/lang/create', { lang: 'CREATE PROJECTION Two AS SELECT 2 AS two;' });
  assert.is.not(await tagOf(), before);
});

test('a time after the last entry is not final: its tag is weak', async () => {
  const now = new Date(Date.now() - 1).toISOString();
  const answer = await server.get(`/api/aggregates/Bike?as_of=${now}`, json);
  assert.equal([answer.status, answer.headers.get('etag')?.startsWith('W/"then-')], [200, true]);
});

const refused: readonly (readonly [path: string, status: number, error: string])[] = [
  ['/api/aggregates/Bike?as_of=99', 400, 'AS OF position 99: the end is position 5'],
  [
    '/api/aggregates/Bike?as_of=yesterday',
    400,
    "parameter 'as_of' takes a position from 0 or an ISO 8601 time, not 'yesterday'",
  ],
  ['/api/aggregates/Bike?as_of=-1', 400, "parameter 'as_of' takes a position from 0 or an ISO 8601 time, not '-1'"],
  ['/api/aggregates/Bike?as_of=1&as_of=2', 400, "parameter 'as_of' is given twice"],
  ['/api/aggregates/Bike/B-3?as_of=3', 404, "aggregate 'Bike' had no stream 'B-3' then"],
  ['/api/reg/projections/Riders?as_of=3', 404, "there is no projection 'Riders'"],
  ['/api/reg/inspections?as_of=1', 400, "there is no parameter 'as_of'; allowed: limit, offset"],
];
for (const [path, status, error] of refused)
  test(`GET ${path} is ${status}`, async () => {
    const answer = await server.get(path, json);
    assert.equal([answer.status, await answer.json()], [status, { error }]);
  });

test('the export of then, and the whole answer of a streamed one', async () => {
  const then = await (await server.get('/api/lang/export?as_of=3')).text();
  const now = await (await server.get('/api/lang/export')).text();
  assert.equal([then.includes('Riders'), now.includes('Riders'), then.includes('Fleet')], [false, true, true]);
});

const asked: readonly (readonly [
  sql: string,
  query: string,
  status: number,
  rows: unknown,
  position: string | null,
])[] = [
  ['SELECT aggregate_id FROM Reg."Bike$Agg" AS OF POSITION 1', '', 200, [{ aggregate_id: 'B-1' }], '1'],
  [
    'SELECT aggregate_id FROM Reg."Bike$Agg" WHERE aggregate_id = :id AS OF POSITION 3',
    '',
    200,
    [{ aggregate_id: 'B-2' }],
    '3',
  ],
  ['SELECT name FROM Reg.meta_projections ORDER BY name', '?as_of=3', 200, [{ name: 'Fleet' }, { name: 'Today' }], '3'],
  ['SELECT COUNT(*) AS n FROM Reg."Bike$Events" AS OF TIMESTAMP \'2001-01-01\'', '', 200, [{ n: 0 }], '0'],
  ['SELECT code FROM Reg."Bike$Agg" WHERE aggregate_id = \'B-1\' AS OF POSITION 1', '', 200, [{ code: '****' }], '1'],
  ['SELECT code FROM Reg."Bike$Agg" AS OF POSITION 1', '', 200, [{ code: '****' }], '1'],
  [
    'SELECT 1 AS one AS OF POSITION 1',
    '?as_of=3',
    400,
    { error: '1:1 the query has AS OF, so the request cannot have as_of too' },
    null,
  ],
  [
    'SELECT 1 AS one AS OF EACH',
    '',
    400,
    {
      error:
        '1:17 AS OF EACH is for INSPECT DECISION FROM the recorded commands of its aggregate and for INSPECT REACTION FROM Reg."X$Events"; a query takes AS OF POSITION or AS OF TIMESTAMP (E0913)',
    },
    null,
  ],
  ['SELECT 1 AS one AS OF POSITION 77', '', 400, { error: 'AS OF position 77: the end is position 5' }, null],
];
for (const [sql, query, status, rows, position] of asked)
  test(`${sql} ${query}`, async () => {
    const body = sql.includes(':id') ? { sql, params: { id: 'B-2' } } : { sql };
    const answer = await server.post(`/api/query${query}`, body);
    assert.equal([answer.status, await answer.json(), answer.headers.get('schemac-as-of')], [status, rows, position]);
  });

test.run();
