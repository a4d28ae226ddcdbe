/** Views of events for reports, which the servers of a log in PostgreSQL keep in step with the registry. */
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { viewName } from '../../runtime/store/postgres/state/view-text.ts';
import { startDatabase } from '../kit/database.ts';
import { until } from '../kit/until.ts';
import { openServer, type OpenedServer } from './opened-server.ts';

const database = await startDatabase();
const long = `A${'b'.repeat(60)}`;

const bikes = `
CREATE AGGREGATE Bike;
CREATE AGGREGATE ${long};
CREATE COMMAND Return (bike STRING, km DECIMAL(12,2), rider STRING, day DATE, fine INT NULL);
CREATE EVENT Returned (km DECIMAL(12,2), rider STRING SENSITIVE, day DATE, fine INT, seq INT);
CREATE DECISION Returning FOR Bike ON COMMAND Return
EMIT AS SELECT EVENT Returned (km := :km, rider := :rider, day := :day, fine := :fine, seq := 7);`;

interface World {
  readonly namespace: string;
  readonly server: OpenedServer;
  readonly give: (km: string) => Promise<void>;
  readonly query: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Resolves when the views show the registry with this number of changes. */
  readonly shows: (changes: number) => Promise<void>;
  readonly another: () => Promise<pg.Client>;
}

let made = 0;
function check(title: string, work: (world: World) => Promise<void>): void {
  if ('missing' in database) {
    test.skip(`${title}: ${database.missing}`, () => undefined);
    return;
  }
  test(title, async () => {
    const namespace = `views_${process.pid}_${++made}`;
    const clients: pg.Client[] = [];
    const another = async (): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      clients.push(client);
      return client;
    };
    const client = await another();
    await client.query(`SET search_path TO "${namespace}"`);
    const query: World['query'] = async (text) => (await client.query(text)).rows;
    const server = await openServer(database.url, namespace);
    try {
      await server.create(bikes);
      await work({
        namespace,
        server,
        another,
        query,
        give: async (km) => {
          const given = { bike: 'b1', km, rider: 'Ada', day: '2026-03-01' };
          const { status, body } = await server.ask('aggregates/Bike/execute/Return', given);
          assert.is(status, 200, JSON.stringify(body));
        },
        shows: (changes) =>
          until(async () => {
            const rows = await query(`SELECT 1 FROM side_value WHERE name = 'views' AND version = '1.${changes}'`);
            return rows.length === 1;
          }),
      });
    } finally {
      await server.stop();
      await Promise.all(clients.map((one) => one.end()));
    }
  });
}

check('a view has one row an event, with the types of its fields, and no SENSITIVE value', async (world) => {
  const { give, query, shows, another, namespace } = world;
  await give('12.50');
  await give('0.50');
  await shows(1);
  assert.equal(
    await query(
      'SELECT seq, event_type, upcast, km + 1 AS more, rider, day::text, fine, data_seq FROM "Bike$Events" ORDER BY 1',
    ),
    [
      {
        seq: '1',
        event_type: 'Returned',
        upcast: false,
        more: '13.50',
        rider: null,
        day: '2026-03-01',
        fine: null,
        data_seq: '7',
      },
      {
        seq: '2',
        event_type: 'Returned',
        upcast: false,
        more: '1.50',
        rider: null,
        day: '2026-03-01',
        fine: null,
        data_seq: '7',
      },
    ],
  );
  assert.equal(await query(`SELECT count(*)::int AS events FROM "${viewName(long)}"`), [{ events: 0 }]);
  assert.equal([viewName(long).length, viewName('a'.repeat(56))], [62, `${'a'.repeat(56)}$Events`]);
  // A role that may read the view needs no right to the tables.
  await query(`CREATE ROLE ${namespace}_reader; GRANT USAGE ON SCHEMA "${namespace}" TO ${namespace}_reader`);
  await query(`GRANT SELECT ON "Bike$Events" TO ${namespace}_reader`);
  const reader = await another();
  await reader.query(`SET ROLE ${namespace}_reader; SET search_path TO "${namespace}"`);
  const read = async (text: string): Promise<unknown> =>
    reader.query(text).then(
      ({ rows }) => rows,
      (error: unknown) => (error as Error).message,
    );
  const sum = 'SELECT sum(km)::text AS km FROM "Bike$Events"';
  assert.equal(await read(sum), [{ km: '13.00' }]);
  assert.is(await read('SELECT data FROM event'), 'permission denied for table event');
  // Columns go, come and change their types; rights stay.
  await world.server.create(`CREATE OR REPLACE EVENT Returned (km DECIMAL(12,2), rider STRING SENSITIVE, days BIGINT);
    CREATE OR REPLACE DECISION Returning FOR Bike ON COMMAND Return
    EMIT AS SELECT EVENT Returned (km := :km, rider := :rider, days := 1);`);
  await shows(2);
  await give('1');
  assert.equal(await read('SELECT km::text, days FROM "Bike$Events" ORDER BY seq'), [
    { km: '12.50', days: null },
    { km: '0.50', days: null },
    { km: '1.00', days: '1' },
  ]);
  assert.is(await read('SELECT day FROM "Bike$Events"'), 'column "day" does not exist');
});

check(
  'a field that a clause renames is read under its old name, what it computes is NULL and marked',
  async (world) => {
    await world.give('10');
    await world.server.create(`CREATE OR REPLACE EVENT Returned (metres BIGINT, back DATE, Fine INT)
    UPCAST FROM (km DECIMAL(12,2), rider STRING, day DATE, fine INT, seq INT) AS (metres := km * 1000, back := day, Fine := fine);
    CREATE OR REPLACE DECISION Returning FOR Bike ON COMMAND Return
    EMIT AS SELECT EVENT Returned (metres := :km * 1000, back := :day, Fine := 3);`);
    await world.give('2');
    await world.shows(2);
    assert.equal(await world.query('SELECT upcast, metres, back::text, "Fine" FROM "Bike$Events" ORDER BY seq'), [
      { upcast: true, metres: null, back: '2026-03-01', Fine: null },
      { upcast: false, metres: '2000', back: '2026-03-01', Fine: '3' },
    ]);
  },
);

check('a report that runs holds up no append, and the view follows when it has ended', async (world) => {
  const { server, give, shows, another, namespace, query } = world;
  await shows(1);
  const report = await another();
  await report.query(`SET search_path TO "${namespace}"; BEGIN`);
  await report.query('SELECT count(*) FROM "Bike$Events"');
  await server.create(
    'CREATE OR REPLACE EVENT Returned (km DECIMAL(12,2), rider STRING SENSITIVE, day DATE, fine BIGINT, seq INT, more INT);',
  );
  await give('1');
  const notes = (): readonly string[] => server.store.notes().filter((note) => note.includes('views'));
  await until(() => notes().length > 0);
  assert.equal(notes(), [
    `the views of events in namespace ${namespace} are behind the registry: a report is using one of them`,
  ]);
  await report.query('COMMIT');
  await shows(2);
  assert.equal(notes(), []);
  assert.equal(await query('SELECT km::text, more FROM "Bike$Events"'), [{ km: '1.00', more: null }]);
});

check('what others have built on a view is never dropped', async ({ server, shows, query }) => {
  await shows(1);
  // For appends, for questions and for pages; none for notices.
  assert.is(server.store.turns.sharing()?.connections, 3);
  await query('CREATE VIEW kms AS SELECT km FROM "Bike$Events"');
  await server.create(`CREATE AGGREGATE Van;
    CREATE OR REPLACE EVENT Returned (rider STRING SENSITIVE, day DATE, fine INT, seq INT);
    CREATE OR REPLACE DECISION Returning FOR Bike ON COMMAND Return EMIT AS SELECT EVENT Returned (rider := :rider);`);
  const notes = (): readonly string[] => server.store.notes().filter((note) => note.includes('views'));
  await until(() => notes().length > 0);
  assert.match(
    notes()[0] ?? '',
    /cannot drop view .*Bike\$Events.* because other objects depend on it .*; drop what depends on it/,
  );
  assert.equal(await query('SELECT count(*)::int AS n FROM kms'), [{ n: 0 }]);
  assert.equal(await query('SELECT count(*)::int AS n FROM "Van$Events"'), [{ n: 0 }]);
});

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
check('a view that was dropped by hand is there again after the next start', async ({ namespace, query, shows }) => {
  if ('missing' in database) return;
  await shows(1);
  const there = async (): Promise<unknown> =>
    query(`SELECT viewname FROM pg_views WHERE schemaname = '${namespace}' ORDER BY 1`);
  const before = await there();
  await query('DROP VIEW "Bike$Events"');
  const next = await openServer(database.url, namespace);
  try {
    await until(async () => JSON.stringify(await there()) === JSON.stringify(before));
    assert.equal(await query('SELECT count(*)::int AS events FROM "Bike$Events"'), [{ events: 0 }]);
  } finally {
    await next.stop();
  }
});

test.run();
