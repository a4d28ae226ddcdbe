/** Each caller sees its rows at each door, and no others: relations × doors × callers, against a filter here over the rows that an administrator sees. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { defaultLimits } from '../../server/start/settings/limits.ts';
import type { AuthPolicy } from '../../server/http/auth/policy.ts';
import { sampleOver, type SampleEngine } from '../http/sample-engine.ts';
import { startSample } from '../http/sample-server.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import {
  callerNames,
  callers,
  claimsOf,
  schema,
  sees,
  type CallerName,
  type Everything,
  type Row,
  type Who,
} from './clinic.ts';

/** A caller whose claim has another type than its CLAIM says. */
const twisted = { sha256: createHash('sha256').update('twisted').digest('hex'), subject: 'tess', roles: ['reader'] };

const auth: AuthPolicy = {
  tokens: [
    { ...twisted, claims: { place: { floor: 'ground' } } },
    ...Object.entries<Who>(callers).flatMap(([name, who]) => {
      const { subject, roles } = who;
      if (subject === null) return [];
      return [{ sha256: createHash('sha256').update(name).digest('hex'), subject, roles, claims: claimsOf(who) }];
    }),
  ],
  roles: {
    reader: ['read:*', 'read:*$Commands', 'query', 'execute:*', 'inspect:*', 'sensitive:read'],
    reception: [],
    accounts: [],
    whole: ['rows:all'],
    admin: ['*'],
  },
  anonymous: { roles: ['reader'] },
};

function credentials(name: CallerName | 'twisted'): Record<string, string> {
  return name === 'anonymous' ? {} : { Authorization: `Bearer ${name}` };
}

const patients = ['p1', 'p2', 'p3', null];
const doctors = ['ada', 'bob', null];
const teams = ['red', 'blue', 'none', null];

/** Every booking differs from the others in who may see it; an eighth of them has no share. */
const bookings = Array.from({ length: 48 }, (_, at) => ({
  booking_id: `B${String(at).padStart(2, '0')}`,
  patient: patients[at % 4] ?? null,
  doctor: doctors[at % 3] ?? null,
  team: teams[Math.floor(at / 4) % 4] ?? null,
  n: at % 8,
  email: `e${at}@example.org`,
}));

async function sampleOn(readEngine: 'memory' | 'disk'): Promise<SampleEngine> {
  const store =
    readEngine === 'memory'
      ? await openMemoryStore()
      : await openEmbeddedStore({ directory: freshFolder(), readModel: 'inline', readEngine, fsync: false });
  const session = await openSession({ store, version: '0.1.0', limits: defaultLimits });
  for await (const outcome of session.run({ name: 'clinic', text: `${schema} SELECT 1 FROM Reg.Shift;` }))
    if (outcome.kind === 'error') throw new Error(outcome.problems.map((problem) => problem.message).join('; '));
  const { engine } = session;
  const options = { version: '0.1.0', modules: undefined, limits: defaultLimits, warn: () => undefined };
  return sampleOver(engine, createRegistryServices(engine, options), session.close);
}

for (const readEngine of ['memory', 'disk'] as const) {
  const test = suite(`rows of callers, ${readEngine}`);
  let server: Awaited<ReturnType<typeof startSample>>;
  /** A position in the middle of the bookings. */
  let middle = 0;
  let all: Everything & Readonly<Record<string, readonly Row[]>>;

  const send = (who: CallerName | 'twisted', path: string, headers: Record<string, string> = {}): Promise<Response> =>
    server.get(path, { Accept: 'application/json', ...credentials(who), ...headers });
  const rowsAt = async (who: CallerName, path: string): Promise<readonly Row[]> => {
    const answer = await send(who, path);
    const body = await answer.text();
    assert.is(answer.status, 200, `${who} ${path}: ${body}`);
    return JSON.parse(body) as readonly Row[];
  };
  const query = async (who: CallerName, sql: string): Promise<readonly Row[]> => {
    const answer = await server.post('/api/query', { sql }, credentials(who));
    const body = await answer.text();
    assert.is(answer.status, 200, `${who} ${sql}: ${body}`);
    return JSON.parse(body) as readonly Row[];
  };
  const execute = async (path: string, body: object): Promise<void> => {
    const answer = await server.post(path, body, { ...credentials('admin'), 'Idempotency-Key': JSON.stringify(body) });
    assert.is(answer.status, 200, await answer.text());
  };

  test.before(async () => {
    server = await startSample({ services: true, settings: { auth }, again: await sampleOn(readEngine) });
    const run = (aggregate: string, command: string, body: object): Promise<void> =>
      execute(`/api/aggregates/${aggregate}/execute/${command}`, body);
    await run('Membership', 'Enlist', { membership_id: 'm1', member: 'mel', team: 'red' });
    await run('Membership', 'Enlist', { membership_id: 'm2', member: 'ada', team: 'none' });
    for (const booking of bookings) await run('Booking', 'Book', booking);
    middle = server.engine.store.turns.position().event - 20;
    // The stream is visible by its state now, and with it what was before.
    await run('Booking', 'Book', { ...bookings[0], patient: 'p3', doctor: 'bob', team: null });
    await run('Booking', 'Book', { ...bookings[1], patient: 'p1' });
    await run('Booking', 'Book', { ...bookings[2], n: -1 });
    for (const [at, floor] of [1, 2, null].entries()) await run('Ward', 'Open', { ward_id: `w${at}`, floor });
    await run('Room', 'Furnish', { room_id: 'r1', beds: 2 });
    const state = (name: string): Promise<readonly Row[]> => rowsAt('admin', `/api/aggregates/${name}`);
    const projection = (name: string): Promise<readonly Row[]> => rowsAt('admin', `/api/projections/${name}/query`);
    all = {
      memberships: await state('Membership'),
      Booking: await state('Booking'),
      Ward: await state('Ward'),
      Room: await state('Room'),
      Invoices: await projection('Invoices'),
      Shares: await projection('Shares'),
      Load: await projection('Load'),
      Shift: await projection('Shift'),
    };
    assert.is(all['Booking']?.length, bookings.length);
  });
  test.after(() => server.stop());

  const seen = (who: CallerName, relation: string): readonly Row[] =>
    (all[relation] ?? []).filter((row) => sees(who, relation, row, all));
  const seenStreams = (who: CallerName, aggregate: string): ReadonlySet<unknown> =>
    new Set(seen(who, aggregate).map((row) => row['aggregate_id']));

  const paths: Readonly<Record<string, string>> = {
    Booking: '/api/aggregates/Booking',
    Ward: '/api/aggregates/Ward',
    Room: '/api/aggregates/Room',
    Invoices: '/api/projections/Invoices/query',
    Shares: '/api/projections/Shares/query',
    Load: '/api/projections/Load/query',
    Shift: '/api/projections/Shift/query',
  };
  for (const who of callerNames)
    for (const [relation, path] of Object.entries(paths)) {
      const name = relation in { Booking: 1, Ward: 1, Room: 1 } ? `"${relation}$Agg"` : `"${relation}"`;
      test(`${who}: ${relation}`, async () => {
        const wanted = seen(who, relation);
        assert.equal(await rowsAt(who, path), wanted, 'list');
        const counted = await send(who, `${path}?limit=1`, { Prefer: 'count=exact' });
        assert.is(counted.headers.get('schemac-total'), String(wanted.length));
        assert.equal(await counted.json(), wanted.slice(0, 1));
        assert.equal(await rowsAt(who, `${path}?limit=3&offset=2`), wanted.slice(2, 5), 'page');
        const lines = await (await send(who, path, { Accept: 'text/csv' })).text();
        assert.is(lines.trimEnd().split('\r\n').length, wanted.length + 1, 'CSV');
        const page = await (await send(who, path, { Accept: 'text/html' })).text();
        assert.is(page.split('<tr>').length, Math.min(wanted.length, 50) + 2, 'page in a browser');
        const asked = `WITH t AS (SELECT * FROM Reg.${name}) SELECT (SELECT COUNT(*) FROM t) AS n,
          (SELECT COUNT(*) FROM Reg."Room$Agg" o LEFT JOIN Reg.${name} r ON TRUE) AS joined`;
        assert.equal(await query(who, asked), [{ n: wanted.length, joined: Math.max(1, wanted.length) }]);
      });
    }

  for (const who of callerNames)
    test(`${who}: bookings by condition, key, event and command`, async () => {
      const wanted = seen(who, 'Booking');
      const ids = seenStreams(who, 'Booking');
      const red = wanted.filter(({ team }) => team === 'red');
      assert.equal(
        await rowsAt(who, '/api/aggregates/Booking?team=red&order=n.desc,aggregate_id&select=aggregate_id'),
        [...red]
          .sort((one, other) => Number(other['n']) - Number(one['n']))
          .map(({ aggregate_id }) => ({ aggregate_id: aggregate_id ?? null })),
      );
      const events = await rowsAt('admin', '/api/aggregates/Booking/events');
      const ownEvents = events.filter((event) => ids.has(event['stream_id']));
      assert.equal(await rowsAt(who, '/api/aggregates/Booking/events'), ownEvents);
      assert.equal(await rowsAt(who, '/api/aggregates/Booking/events?order=event_id'), byId(ownEvents));
      const log = await rowsAt('admin', '/api/events');
      const wards = seenStreams(who, 'Ward');
      assert.equal(
        await rowsAt(who, '/api/events'),
        log.filter(({ stream_type, stream_id }) =>
          stream_type === 'Booking' ? ids.has(stream_id) : stream_type === 'Ward' ? wards.has(stream_id) : true,
        ),
      );
      const commands = await rowsAt('admin', '/api/aggregates/Booking/commands');
      assert.equal(
        await rowsAt(who, '/api/aggregates/Booking/commands'),
        commands.filter(({ stream_id }) => ids.has(stream_id)),
      );
      for (const { booking_id } of bookings.slice(0, 12)) {
        const row = wanted.find(({ aggregate_id }) => aggregate_id === booking_id);
        const one = await send(who, `/api/aggregates/Booking/${booking_id}`);
        assert.is(one.status, row === undefined ? 404 : 200);
        if (row !== undefined) assert.equal(await one.json(), [row]);
        const path = `/api/aggregates/Booking/events/${booking_id}`;
        assert.equal(
          await rowsAt(who, path),
          ownEvents.filter(({ stream_id }) => stream_id === booking_id),
        );
      }
      assert.equal(await query(who, 'SELECT COUNT(*) AS n FROM Reg."Booking$Events"'), [{ n: ownEvents.length }]);
      const mapped =
        'SELECT aggregate_id FROM Reg."Booking$Agg" b WHERE EXISTS (SELECT 1 FROM Reg."Booking$Events" e WHERE e.stream_id = b.aggregate_id) ORDER BY 1';
      assert.equal(
        await query(who, mapped),
        wanted.map(({ aggregate_id }) => ({ aggregate_id: aggregate_id ?? null })),
      );
    });

  for (const who of callerNames)
    test(`${who}: rows of then`, async () => {
      const isOf = (aggregate: string, column: string) => {
        const ids = seenStreams(who, aggregate);
        return (row: Row): boolean => ids.has(row[column]);
      };
      const seesRow =
        (relation: string) =>
        (row: Row): boolean =>
          sees(who, relation, row, all);
      const at = `as_of=${middle}`;
      const asked: readonly (readonly [path: string, sees: (row: Row) => boolean])[] = [
        [`/api/aggregates/Booking?${at}`, isOf('Booking', 'aggregate_id')],
        [`/api/aggregates/Booking?${at}&team=red&order=n.desc,aggregate_id`, isOf('Booking', 'aggregate_id')],
        [`/api/aggregates/Booking/events?${at}`, isOf('Booking', 'stream_id')],
        [`/api/aggregates/Booking/events/B00?${at}`, isOf('Booking', 'stream_id')],
        [`/api/aggregates/Booking/commands?${at}`, isOf('Booking', 'stream_id')],
        [`/api/projections/Invoices/query?${at}`, seesRow('Invoices')],
        [`/api/projections/Shares/query?${at}`, seesRow('Invoices')],
        [`/api/projections/Shift/query?as_of=${middle + 26}`, seesRow('Shift')],
      ];
      for (const [path, isSeen] of asked)
        assert.equal(await rowsAt(who, path), (await rowsAt('admin', path)).filter(isSeen), path);
      for (const [sql, isSeen] of [
        ['SELECT * FROM Reg."Booking$Agg" ORDER BY aggregate_id', isOf('Booking', 'aggregate_id')],
        ['SELECT stream_id, seq FROM Reg."Booking$Events" ORDER BY global_position', isOf('Booking', 'stream_id')],
        ['SELECT * FROM Reg.Invoices ORDER BY booking_id', seesRow('Invoices')],
        [`SELECT stream_id, seq FROM Reg."Booking$Events" WHERE stream_id = 'B00'`, isOf('Booking', 'stream_id')],
        [`SELECT * FROM Reg."Booking$Agg" WHERE aggregate_id = 'B01'`, isOf('Booking', 'aggregate_id')],
      ] as const) {
        const text = `${sql} AS OF POSITION ${middle}`;
        assert.equal(await query(who, text), (await query('admin', text)).filter(isSeen), text);
      }
      for (const { booking_id } of bookings.slice(0, 4)) {
        const isSeen = seenStreams(who, 'Booking').has(booking_id);
        const one = await send(who, `/api/aggregates/Booking/${booking_id}?${at}`);
        assert.is(one.status, isSeen ? 200 : 404);
      }
    });

  /** Expressions that fail on a row with n = 0. */
  const faulty: readonly string[] = [
    'SELECT aggregate_id, 8 / n AS share FROM Reg."Booking$Agg"',
    'SELECT aggregate_id FROM Reg."Booking$Agg" WHERE 8 / n > 1',
    'SELECT aggregate_id FROM Reg."Booking$Agg" WHERE 8 / n > 1 AND n > 0',
    'SELECT aggregate_id FROM Reg."Booking$Agg" ORDER BY 8 / n',
    'SELECT 8 / n AS share, COUNT(*) AS k FROM Reg."Booking$Agg" GROUP BY 8 / n',
    'SELECT COUNT(*) AS k FROM Reg."Booking$Agg" a JOIN Reg."Booking$Agg" b ON 8 / a.n = 8 / b.n',
    'SELECT COUNT(*) AS k FROM Reg."Room$Agg" a JOIN Reg."Booking$Agg" b ON 8 / b.n >= a.beds',
    'SELECT MAX(8 / n) AS k FROM Reg."Booking$Agg"',
    'SELECT SUM(8 / data.n) AS k FROM Reg."Booking$Events"',
    'SELECT COUNT(*) AS k FROM Reg."Booking$Events" WHERE 8 / data.n > 1',
    'SELECT COUNT(*) AS k FROM Reg."Invoices" WHERE 8 / n > 1',
    'SELECT COUNT(*) AS k FROM Reg."Shares" WHERE 8 / n > 1',
    'SELECT COUNT(*) AS k FROM Reg."Room$Agg" r LEFT JOIN Reg."Shares" s ON 8 / s.n > 1',
    'SELECT (SELECT MIN(8 / n) FROM Reg."Invoices") AS k',
    'WITH t AS (SELECT 8 / n AS s FROM Reg."Invoices") SELECT COUNT(s) AS k FROM t',
  ];
  test('a value of the caller is not put in place of a column that an expression reads', async () => {
    const sql = 'SELECT COUNT(*) AS k FROM Reg."Invoices" WHERE CAST(patient AS INT) > 0';
    assert.equal(await query('absent', sql), [{ k: 0 }]);
    const joined =
      'SELECT COUNT(*) AS k FROM Reg."Room$Agg" r LEFT JOIN Reg."Invoices" i ON CAST(i.patient AS INT) > 0';
    assert.equal(await query('absent', joined), [{ k: 1 }]);
  });

  for (const who of ['patient', 'absent', 'accounts', 'doctor', 'teams', 'whole'] as const)
    test(`${who}: a query fails on a row that is seen, and on no other`, async () => {
      for (const sql of faulty) {
        const relation = sql.includes('"Booking$') ? 'Booking' : 'Invoices';
        const wasSeen = sql.includes('data.n') && seenStreams(who, 'Booking').has('B00');
        const fails = wasSeen || seen(who, relation).some(({ n }) => n === 0);
        const answer = await server.post('/api/query', { sql }, credentials(who));
        assert.is(answer.status, fails ? 400 : 200, `${who} ${sql}: ${await answer.text()}`);
      }
    });

  const tagOf = async (who: CallerName, path: string): Promise<string> =>
    (await send(who, path)).headers.get('etag') ?? '';

  test('a tag validates a copy of those who see the same, and of nobody else', async () => {
    for (const path of [
      '/api/aggregates/Booking',
      '/api/aggregates/Booking/B09',
      '/api/aggregates/Booking/events',
      '/api/aggregates/Booking/events/B09',
      '/api/events',
      '/api/projections/Invoices/query',
      `/api/aggregates/Booking?as_of=${middle}`,
    ]) {
      const own = await tagOf('other', path);
      const statusOf = async (who: CallerName): Promise<number> =>
        (await send(who, path, { 'If-None-Match': own })).status;
      assert.is(await statusOf('other'), 304, path);
      for (const who of ['patient', 'member', 'stranger'] as const) {
        const status = await statusOf(who);
        assert.ok(status === 200 || status === 404, `${who} ${path} ${status}`);
      }
    }
    const then = await tagOf('other', `/api/aggregates/Booking?as_of=${middle}`);
    assert.ok(then.startsWith('W/'), then);
  });

  test('an invisible stream answers as one that was never written, also with a tag of before', async () => {
    const answerOf = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
      const answer = await send('stranger', path, headers);
      const told = [...answer.headers].filter(([name]) => !/^(date|x-request-id|schemac-request-id)$/.test(name));
      return [answer.status, told, (await answer.text()).replaceAll(/B\d\d/g, '<id>')];
    };
    const tag = await tagOf('admin', '/api/aggregates/Booking/B09');
    for (const suffix of ['', '?limit=1', `?as_of=${middle}`])
      for (const headers of [{}, { 'If-None-Match': tag }, { Accept: 'text/csv' }, { Prefer: 'count=exact' }])
        for (const path of ['/api/aggregates/Booking', '/api/aggregates/Booking/events']) {
          if (suffix === '?limit=1' && !path.endsWith('events')) continue;
          const hidden = await answerOf(`${path}/B09${suffix}`, headers);
          assert.equal(hidden, await answerOf(`${path}/B99${suffix}`, headers), `${path} ${suffix}`);
        }
  });

  const sendCommand = async (who: CallerName, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    server.post('/api/aggregates/Booking/execute/Rebook', body, { ...credentials(who), ...headers });

  test('the answer to a command tells of streams that its sender sees afterwards, and of no others', async () => {
    const fields = (n: number): string => JSON.stringify({ patient: null, doctor: null, team: null, n, email: null });
    const told = async (who: CallerName, body: object, headers: Record<string, string> = {}): Promise<unknown> => {
      const answer = await sendCommand(who, body, headers);
      const [row] = (await answer.json()) as readonly Row[];
      return [answer.status, answer.headers.has('etag'), row?.['seq'] ?? null, row?.['fields'] ?? null];
    };
    const rebook = { booking_id: 'B10', by: 1 };
    assert.equal(await told('reception', rebook), [200, true, 2, fields(3)]);
    assert.equal(await told('stranger', rebook), [200, false, null, null]);
    assert.equal(await told('stranger', rebook, { 'Idempotency-Key': 'k' }), [200, false, null, null]);
    assert.equal(await told('stranger', rebook, { 'Idempotency-Key': 'k' }), [200, false, null, null]);
    assert.equal(await told('other', { booking_id: 'B09', by: 1 }), [200, true, 2, fields(2)]);
    const lines = `${JSON.stringify(rebook)}\n${JSON.stringify({ booking_id: 'B09', by: 1 })}\n`;
    const many = await server.post('/api/aggregates/Booking/execute/Rebook', lines, {
      ...credentials('other'),
      'Content-Type': 'application/x-ndjson',
    });
    assert.equal(
      ((await many.json()) as readonly Row[]).map(({ seq, fields: values }) => [seq, values]),
      [
        [null, null],
        [3, fields(3)],
      ],
    );
    const inspected = await server.post(
      '/api/inspect',
      { decision: 'Rebooking', commands: [rebook, { booking_id: 'B09', by: 1 }] },
      credentials('other'),
    );
    assert.equal(
      ((await inspected.json()) as readonly Row[]).map(({ stream_id, seq, data }) => [stream_id, seq, data === null]),
      [
        ['B10', null, true],
        ['B09', 1, false],
      ],
    );
  });

  test('a rejection and a refused position tell nothing of a stream that is not seen', async () => {
    const rejection = async (who: CallerName): Promise<object> => {
      const refused = await sendCommand(who, { booking_id: 'B10', by: 100 });
      const [row] = (await refused.json()) as readonly Row[];
      return JSON.parse(String(row?.['fields'])) as object;
    };
    assert.not('state' in (await rejection('stranger')));
    // The role shows every booking.
    assert.ok('state' in (await rejection('reception')));
    const position = async (who: CallerName, id: string): Promise<unknown> => {
      const answer = await sendCommand(who, { booking_id: id, by: 1 }, { 'If-Match': '"77"' });
      return [answer.status, ((await answer.json()) as { error: string }).error];
    };
    assert.equal(await position('stranger', 'B10'), [412, "stream 'B10' is not at the expected position"]);
    assert.equal(await position('stranger', 'none'), [412, "stream 'none' is not at the expected position"]);
    assert.equal(await position('reception', 'B11'), [412, "stream 'B11' is at seq 1, expected 77"]);
  });

  test('a claim of another type is refused where it is read, and nowhere else', async () => {
    const statuses = async (path: string): Promise<number> => (await send('twisted', path)).status;
    assert.is(await statuses('/api/aggregates/Ward'), 401);
    assert.is(await statuses('/api/aggregates/Room'), 200);
    const asked = async (sql: string): Promise<number> =>
      (await server.post('/api/query', { sql }, credentials('twisted'))).status;
    assert.equal(
      [await asked('SELECT 1 AS n FROM Reg."Ward$Agg"'), await asked('SELECT 1 AS n FROM Reg."Room$Agg"')],
      [401, 200],
    );
  });

  test.run();
}

function byId(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((one, other) => (String(one['event_id']) < String(other['event_id']) ? -1 : 1));
}
