/** POST /api/inspect: outcomes that commands would have and rows that projections would show, without effect (docs/http.md#inspections). */
import { createHash } from 'node:crypto';
import { tableFromIPC } from 'apache-arrow';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuthPolicy } from '../../server/http/auth/policy.ts';
import { startSample } from './sample-server.ts';

const test = suite('inspections over HTTP');
let server: Awaited<ReturnType<typeof startSample>>;

test.before(async () => {
  server = await startSample({ services: true });
  const register = (id: string, price: number): Promise<Response> =>
    server.post('/api/aggregates/Bike/execute/RegisterBike', { bike_id: id, model: 'R', price, code: 's3' });
  await register('B-1', 1);
  await server.post('/api/aggregates/Bike/execute/RentBike', { bike_id: 'B-1', rider: 'ada' });
  await register('B-2', 2);
});
test.after(() => server.stop());

interface Shown {
  readonly status: number;
  readonly body: unknown;
  readonly asOf: string | null;
}

async function inspect(body: object, headers: Record<string, string> = {}): Promise<Shown> {
  const answer = await server.post('/api/inspect', body, headers);
  return { status: answer.status, body: await answer.json(), asOf: answer.headers.get('schemac-as-of') };
}

/** The columns that are the same in each run. */
function rows(body: unknown): unknown {
  if (!Array.isArray(body) || !body.some((row) => Object.hasOwn(row as object, 'rejection'))) return body;
  return (body as Record<string, unknown>[]).map(({ event_id: _, occurred_at: __, rejection, data, ...rest }) => ({
    ...rest,
    ...(data === null ? {} : { rider: (data as Record<string, unknown>)['rider'] }),
    ...(rejection === null ? {} : { guards: (JSON.parse(rejection as string) as { guards: unknown }).guards }),
  }));
}

const rent = (id: string, rider = 'bo'): object => ({ bike_id: id, rider });
const rented = (id: string, seq: number, rider = 'bo'): object => ({
  stream_type: 'Bike',
  stream_id: id,
  seq,
  event_type: 'BikeRented',
  rider,
});
const refused = (id: string): object => ({
  stream_type: 'Bike',
  stream_id: id,
  seq: null,
  event_type: '__REJECTED__',
  guards: [
    {
      branch: 'Registered',
      guard: 'current_model IS NOT NULL',
      terms: [{ term: 'current_model IS NOT NULL', value: false, operands: { current_model: null } }],
    },
  ],
});
const open = 'CREATE DECISION Rent FOR Bike ON COMMAND RentBike EMIT AS SELECT EVENT BikeRented(rider := :rider);';
const cases: readonly (readonly [what: string, body: object, rows: unknown, asOf: string | null])[] = [
  ['nothing', { decision: 'Rent', commands: [] }, [], null],
  [
    'each row by itself',
    { decision: 'Rent', commands: [rent('B-1'), rent('B-9'), rent('B-1', 'cy')] },
    [rented('B-1', 1), refused('B-9'), rented('B-1', 2, 'cy')],
    null,
  ],
  [
    'a position',
    { decision: 'Rent', commands: [rent('B-2'), rent('B-1')], as_of: 2 },
    [refused('B-2'), rented('B-1', 1)],
    '2',
  ],
  ['a position as text', { decision: 'Rent', commands: [rent('B-1')], as_of: '0' }, [refused('B-1')], '0'],
  ['a time', { decision: 'Rent', commands: [rent('B-1')], as_of: '2001-01-01T00:00:00Z' }, [refused('B-1')], '0'],
  ['a candidate', { decision: 'Rent', commands: [rent('B-9')], schema: open }, [rented('B-9', 1)], null],
  [
    'a candidate at a position',
    { decision: 'Rent', commands: [rent('B-1')], schema: open, as_of: 0 },
    [rented('B-1', 1)],
    '0',
  ],
  [
    'many, which are decided on a copy',
    { decision: 'Rent', commands: Array.from({ length: 150 }, () => rent('B-1')) },
    Array.from({ length: 150 }, (_, at) => rented('B-1', at + 1)),
    null,
  ],
  ['a projection', { projection: 'Fleet' }, [{ model: 'R', bikes: 2 }], null],
  ['a projection of then', { projection: 'Fleet', as_of: 1 }, [{ model: 'R', bikes: 1 }], '1'],
  [
    'a candidate projection',
    {
      projection: 'Riders',
      schema: 'CREATE PROJECTION Riders AS SELECT rider FROM Reg."Bike$Agg" WHERE rider IS NOT NULL;',
    },
    [{ rider: 'ada' }],
    null,
  ],
];
for (const [what, body, expected, asOf] of cases)
  test(`${what}, and nothing is written`, async () => {
    const before = await server.entries();
    const answer = await inspect(body);
    assert.equal([answer.status, rows(answer.body), answer.asOf], [200, expected, asOf]);
    assert.equal(await server.entries(), before);
  });

const faults: readonly (readonly [body: object, status: number, error: string])[] = [
  [{}, 400, "the body takes 'decision' with 'commands', 'projection', or 'rehearse' with 'schema'"],
  [{ decision: 'Rent', projection: 'Fleet' }, 400, "the body takes 'decision' or 'projection', not both"],
  [{ decision: 'Rent' }, 400, "'commands' is missing; it takes a list of objects with arguments"],
  [{ decision: 'Rent', commands: [1] }, 400, "'commands' takes a list of objects with arguments"],
  [{ projection: 'Fleet', branches: true }, 400, "'branches' is for a decision"],
  [{ projection: 'Fleet', as_of: -1 }, 400, "'as_of' takes a position from 0 or an ISO 8601 time, or 'each'"],
  [{ projection: 'Fleet', as_of: 'each' }, 400, "as_of 'each' takes a 'decision', whose recorded commands it decides"],
  [{ decision: 'Rent', commands: [], as_of: 'each' }, 400, "'commands' does not go with as_of 'each'"],
  [{ decision: 'Rent', as_of: 'each', into: 'a' }, 400, "'into' does not go with as_of 'each'"],
  [{ decision: 'Rent', as_of: 'each', limit: 5000 }, 400, "'limit' is 5000, at most 1000 commands are allowed"],
  [{ decision: 'Rnt', as_of: 'each' }, 404, "there is no decision 'Rnt'"],
  [{ decision: 'Rent', commands: [], limit: 1 }, 400, "'limit' is for recorded commands, as_of 'each'"],
  [{ decision: 'Rent', commands: [], where: {} }, 400, "'where' is for recorded commands, as_of 'each'"],
  [
    { decision: 'Rent', as_of: 'each', where: { entry: [1] } },
    400,
    "'where' takes an object of columns, each with a value,",
  ],
  [{ decision: 'Rent', as_of: 'each', where: { data: 1 } }, 400, "'where': column 'data' is STRUCT"],
  [{ rehearse: true }, 400, "a rehearsal takes a 'schema', under which it decides recorded commands"],
  [{ rehearse: true, schema: '', as_of: 1 }, 400, "'as_of' does not go with a rehearsal"],
  [{ rehearse: true, schema: '', decision: 'Rnt' }, 404, "there is no decision 'Rnt'"],
  [{ rehearse: true, schema: 'CREATE EVENT' }, 400, '1:'],
  [
    { rehearse: true, schema: '' },
    403,
    "decision 'Register' depends on SENSITIVE values, so inspecting it needs the right 'sensitive:read'",
  ],
  [{ projection: 'Fleet', as_of: 99 }, 400, 'AS OF position 99: the end is position 3'],
  [
    { projection: 'Fleet', into: 'a b' },
    400,
    "'into' takes a name of 1 to 63 letters, digits and _ that begins with no digit",
  ],
  [
    { projection: 'Fleet', from: 1 },
    400,
    "the body has no member 'from'; it takes decision, projection, commands, as_of, since, where, limit, rehearse, schema, into, branches",
  ],
  [{ decision: 'Rnt', commands: [] }, 404, "there is no decision 'Rnt'"],
  [{ projection: 'fleet' }, 404, "there is no projection 'fleet'"],
  [
    { projection: 'Other', schema: 'CREATE PROJECTION Others AS SELECT 1 AS one;' },
    404,
    "there is no projection 'Other'",
  ],
  [
    { decision: 'Rent', commands: [rent('B-1'), { bike_id: 'B-1' }] },
    400,
    "commands[1]: RentBike: argument 'rider' is missing; it take",
  ],
  [
    { projection: 'Fleet', schema: 'CREATE PROJECTION Fleet AS SELECT modl FROM Reg."Bike$Agg";' },
    400,
    '1:35 there is no column',
  ],
  [{ projection: 'Fleet', schema: 'INSPECT PROJECTION Fleet FROM a INTO b;' }, 400, '1:1 '],
  [
    { decision: 'Register', commands: [] },
    403,
    "decision 'Register' depends on SENSITIVE values, so inspecting it needs the right 'sensitive:read'",
  ],
];
for (const [body, status, error] of faults)
  test(`${JSON.stringify(body)} is ${status}`, async () => {
    const answer = await inspect(body);
    const said = (answer.body as { error: string }).error;
    assert.equal([answer.status, said.slice(0, error.length)], [status, error]);
  });

test('a faulty command is named by its place', async () => {
  const { body } = await inspect(
    { decision: 'Rent', commands: [rent('B-1'), { bike: 1 }] },
    { Accept: 'application/problem+json, application/json' },
  );
  assert.equal(
    (body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer),
    ['/commands/1/bike', '/commands/1/bike_id', '/commands/1/rider'],
  );
});

test('rows with their branches are JSON and nothing else', async () => {
  const body = { decision: 'Rent', commands: [rent('B-1'), rent('B-9')], branches: true };
  const { body: both } = await inspect(body);
  const { rows: shown, branches } = both as { rows: unknown; branches: Record<string, unknown>[] };
  assert.equal(rows(shown), [rented('B-1', 1), refused('B-9')]);
  assert.equal(
    branches.map(({ branch_id: _, ...rest }) => rest),
    [
      ['B-1', 0, 'emitted', 'BikeRented'],
      ['B-9', 1, 'guard_failed', null],
    ].map(([stream, row, status, event]) => ({
      inspect_row_index: row,
      decision_name: 'Rent',
      branch_index: 1,
      branch_rule_name: 'Registered',
      branch_guard: 'current_model IS NOT NULL',
      branch_status: status,
      event_type: event,
      stream_id: stream,
    })),
  );
  const arrow = { Accept: 'application/vnd.apache.arrow.stream' };
  assert.is((await inspect(body, arrow)).status, 406);
  const answer = await server.post('/api/inspect', { ...body, branches: false }, arrow);
  const table = tableFromIPC(await answer.arrayBuffer());
  assert.equal([table.numRows, table.schema.names.slice(1, 4)], [2, ['stream_type', 'stream_id', 'seq']]);
});

test('explain=true on a command shows the terms of its guards, and a repeated one has none', async () => {
  const path = '/api/aggregates/Bike/execute/RentBike';
  const guards = async (query: string, key: string): Promise<unknown> => {
    const answer = await server.post(`${path}${query}`, rent('B-9'), { 'Idempotency-Key': key });
    const [row] = (await answer.json()) as { fields: string }[];
    return (JSON.parse(row?.fields ?? '') as { guards: { terms?: unknown }[] }).guards.map(({ terms }) => terms);
  };
  const terms = [{ term: 'current_model IS NOT NULL', value: false, operands: { current_model: null } }];
  assert.equal(await guards('?explain=true', 'a'), [terms]);
  assert.equal(await guards('?explain=true', 'a'), [undefined]);
  assert.equal(await guards('', 'b'), [undefined]);
  assert.equal(await guards('?explain=false', 'c'), [undefined]);
  const lines = await fetch(`${server.url}${path}?explain=true`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: '{}',
  });
  assert.equal(
    [lines.status, await lines.json()],
    [400, { error: "parameter 'explain' is for one command, not for a command a line" }],
  );
});

test('with into it is recorded, with its commands, and reads as any inspection', async () => {
  const answer = await inspect({ decision: 'Rent', commands: [rent('B-1'), rent('B-9')], as_of: 2, into: 'would' });
  assert.is(answer.status, 200);
  await inspect({ projection: 'Fleet', into: 'fleet_then', as_of: 1 });
  const json = { Accept: 'application/json' };
  const get = async (path: string): Promise<unknown> => (await server.get(path, json)).json();
  assert.equal(rows(await get('/api/aggregates/Bike/inspect/output/would')), [rented('B-1', 1), refused('B-9')]);
  assert.equal(await get('/api/aggregates/Bike/inspect/input/would'), [rent('B-1'), rent('B-9')]);
  assert.is(((await get('/api/aggregates/Bike/inspect/would__branches')) as unknown[]).length, 2);
  assert.equal(await get('/api/reg/inspections/would'), [
    {
      name: 'would',
      kind: 'Decision',
      input_table: 'would',
      output_table: 'would',
      full_sql: 'INSPECT DECISION Rent FROM would INTO would AS OF POSITION 2;',
    },
  ]);
  assert.equal(await get('/api/aggregates/Bike/inspect/fleet_then'), [{ model: 'R', bikes: 1 }]);
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const roles = {
  clerk: ['inspect:Rent', 'inspect:Register'],
  recorder: ['inspect:*', 'record'],
  author: ['inspect:Rent', 'inspect:Register', 'create'],
  auditor: ['inspect:*', 'sensitive:read'],
  historian: ['inspect:Rent', 'read:Bike$Commands', 'create'],
};
const policy: AuthPolicy = {
  tokens: Object.keys(roles).map((role) => ({ sha256: sha256(role), subject: role, roles: [role] })),
  roles,
};

test('rights: of the decision, of candidates, of records, and of what sensitive values would tell', async () => {
  const guarded = await startSample({ services: true, settings: { auth: policy } });
  const commands = [rent('B-1')];
  const new_ = [{ bike_id: 'B-7', model: 'R', price: 1, code: 's3' }];
  const matrix: readonly (readonly [role: string, body: object, status: number])[] = [
    ['clerk', { decision: 'Rent', commands }, 200],
    ['clerk', { projection: 'Fleet' }, 403],
    ['clerk', { decision: 'Rent', commands, into: 'kept' }, 403],
    ['clerk', { decision: 'Rent', commands, schema: open }, 403],
    ['clerk', { decision: 'Register', commands: new_ }, 403],
    ['recorder', { decision: 'Rent', commands, into: 'kept' }, 200],
    ['recorder', { projection: 'Fleet' }, 200],
    ['author', { decision: 'Rent', commands, schema: open }, 200],
    ['author', { decision: 'Register', commands: new_ }, 200],
    ['auditor', { decision: 'Register', commands: new_ }, 200],
    ['auditor', { decision: 'Rent', as_of: 'each' }, 403],
    ['historian', { decision: 'Rent', as_of: 'each' }, 200],
    ['historian', { rehearse: true, decision: 'Rent', schema: '' }, 200],
    ['historian', { rehearse: true, schema: '' }, 403],
    ['author', { rehearse: true, decision: 'Rent', schema: '' }, 403],
    ['auditor', { decision: 'Register', commands: new_, into: 'kept' }, 403],
  ];
  try {
    for (const [role, body, status] of matrix) {
      const answer = await guarded.post('/api/inspect', body, { Authorization: `Bearer ${role}` });
      await answer.text();
      assert.equal([role, body, answer.status], [role, body, status]);
    }
  } finally {
    await guarded.stop();
  }
});

test('read-only it decides and records nothing; off it is 404', async () => {
  const still = await startSample({ services: true, readOnly: true });
  const off = await startSample();
  const body = { decision: 'Rent', commands: [rent('B-1')] };
  try {
    assert.is((await still.post('/api/inspect', body)).status, 200);
    assert.is((await still.post('/api/inspect', { ...body, into: 'kept' })).status, 403);
    assert.is((await off.post('/api/inspect', body)).status, 404);
  } finally {
    await still.stop();
    await off.stop();
  }
});

test('limits of commands, of their rate, of bytes and of time', async () => {
  const limits = { inspectCommands: 3, inspectRate: 1, inspectBytes: 300 };
  const small = await startSample({ services: true, limits });
  const of = (count: number): object => ({
    decision: 'Rent',
    commands: Array.from({ length: count }, () => rent('B')),
  });
  const statuses = async (...bodies: readonly object[]): Promise<unknown> => {
    const found: unknown[] = [];
    for (const body of bodies) {
      const answer = await small.post('/api/inspect', body);
      found.push([answer.status, answer.headers.get('retry-after')]);
      await answer.text();
    }
    return found;
  };
  try {
    assert.equal(await statuses(of(4), of(30), of(3), of(3)), [
      [400, null],
      [413, null],
      [200, null],
      [429, '3'],
    ]);
  } finally {
    await small.stop();
  }
  const hasty = await startSample({ services: true, limits: { inspectMilliseconds: 1 } });
  try {
    const answer = await hasty.post('/api/inspect', {
      projection: 'Fleet',
      schema: 'CREATE PROJECTION A AS SELECT 1 AS a;',
    });
    assert.equal([answer.status, await answer.json()], [409, { error: 'the query exceeded its time budget of 1 ms' }]);
  } finally {
    await hasty.stop();
  }
});

test.run();
