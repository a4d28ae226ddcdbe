/** The tables of a log in PostgreSQL: who makes them, and what is said when they are not as they were written. */
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { systemRandom } from '../../runtime/store/disk/node-disk.ts';
import { JournalFailure, type Journal } from '../../runtime/store/journal.ts';
import { createEnd } from '../../runtime/store/postgres/known-end.ts';
import { checkNamespace } from '../../runtime/store/postgres/namespace.ts';
import { openPostgresJournal, type PostgresJournal } from '../../runtime/store/postgres/postgres-journal.ts';
import { readTarget } from '../../runtime/store/postgres/target.ts';
import { collect } from '../contract/accounts.ts';
import { startDatabase } from '../kit/database.ts';

const database = await startDatabase();
const url = 'missing' in database ? '' : database.url;
const shown = url === '' ? '' : readTarget(url, 'DATABASE_URL').shown;
const client = new pg.Client({ connectionString: url });
if (!('missing' in database)) await client.connect();
let made = 0;
const fresh = (): string => `tables_${process.pid}_${++made}`;

const check = (title: string, work: () => Promise<void>): void => {
  if (!('missing' in database)) test(title, work);
  else test.skip(`${title}: ${database.missing}`, work);
};

interface Opening {
  readonly url?: string;
  readonly listen?: string;
  readonly now?: () => number;
  readonly said?: string[];
  readonly product?: string;
  readonly readOnly?: boolean;
}

const open = (namespace: string, opening: Opening = {}): Promise<PostgresJournal> =>
  openPostgresJournal({
    target: readTarget(opening.url ?? url, 'DATABASE_URL'),
    namespace: checkNamespace(namespace),
    random: systemRandom,
    now: opening.now ?? Date.now,
    monotonic: () => performance.now(),
    log: (level, message) => opening.said?.push(`${level}: ${message}`),
    ...(opening.product !== undefined && { product: opening.product }),
    ...(opening.readOnly !== undefined && { readOnly: opening.readOnly }),
    ...(opening.listen !== undefined && { listen: readTarget(opening.listen, 'durable.listen_url') }),
  });

/** Message of work that fails. */
const told = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) =>
      error instanceof Failure
        ? `${error.code} ${error.message}`
        : error instanceof JournalFailure
          ? error.reason
          : String(error),
  );

const line = (number: number, ...payloads: readonly string[]): string => {
  const events = payloads.map((_, index) => `["e${number}-${index}","Rode",1,${(number - 1) * 2 + index + 1}]`);
  return [
    `["c",${number},"1700000000000001","Ride","Bike","b1",${(number - 1) * 2 + 1},[${events.join(',')}]]`,
    ...payloads,
  ].join('\t');
};

/** Two events an entry. */
async function filled(namespace: string): Promise<PostgresJournal> {
  const journal = await open(namespace);
  for (const number of [1, 2, 3]) {
    const lines = [line(number, `{"km":${number}}`, '{"km":0}')];
    assert.is(await journal.append({ after: journal.known(), id: `${namespace}-${number}`, lines }), 'kept');
  }
  return journal;
}

const all = async (journal: Journal): Promise<readonly string[]> =>
  (await collect(journal.read(1, (await journal.fresh()).entry))).flat();

check('an event is a row that others can read, with its payload as it was written', async () => {
  const namespace = fresh();
  const journal = await filled(namespace);
  const { rows } = await client.query(
    `SELECT global_position, entry, event_id, stream_type, stream_id, seq, event_type, event_version, occurred_at::text, data::text
     FROM "${namespace}".event ORDER BY global_position LIMIT 1`,
  );
  assert.equal(rows, [
    {
      global_position: '1',
      entry: '1',
      event_id: 'e1-0',
      stream_type: 'Bike',
      stream_id: 'b1',
      seq: '1',
      event_type: 'Rode',
      event_version: 1,
      occurred_at: rows[0]?.occurred_at,
      data: '{"km":1}',
    },
  ]);
  assert.match(rows[0]?.occurred_at, /2023-11-14 .*:20\.000001/);
  await journal.close();
});

check('every text of a payload comes back byte for byte', async () => {
  const payloads = [
    '{ "a" : 1.2300 }',
    '{"a":12345678901234567890123456789}',
    '{"a":1e400}',
    '{"a":1,"a":2}',
    '{"a":"\\\\ \\" \u2028 ü 😀 NULL {},"}',
    'null',
    '""',
  ];
  const journal = await open(fresh());
  const lines = payloads.map((payload, index) => line(index + 1, payload, payload));
  assert.is(await journal.append({ after: journal.known(), id: 'once', lines }), 'kept');
  assert.equal(await all(journal), lines);
  await journal.close();
});

check('servers that start at once make one store', async () => {
  const namespace = fresh();
  const journals = await Promise.all(Array.from({ length: 8 }, () => open(namespace)));
  assert.is(new Set(journals.map(({ storeId, secret }) => storeId + secret)).size, 1);
  await Promise.all(journals.map((journal) => journal.close()));
});

for (const [change, says] of [
  [`UPDATE event SET data = '{"km":9}' WHERE global_position = 3`, 'entry 2: its checksum does not match its rows'],
  [
    `UPDATE entry SET line = replace(line, 'b1', 'b2') WHERE entry = 2`,
    'entry 2: its checksum does not match its rows',
  ],
  ['DELETE FROM event WHERE global_position = 4', 'entry 2: it has 1 rows of events instead of 2'],
  ['DELETE FROM entry WHERE entry = 2', 'entry 2: its row is missing'],
] as const) {
  check(`a change by hand is named: ${change}`, async () => {
    const namespace = fresh();
    const journal = await filled(namespace);
    await client.query(`SET search_path TO "${namespace}"`);
    await client.query(change);
    const place = `${shown}, namespace ${namespace}`;
    const problem = `the log in ${place} is damaged at ${says}`;
    assert.is(await told(all(journal)), `R0421 ${problem}`);
    assert.equal(journal.trouble(), { reason: problem, heals: false });
    assert.is(await told(journal.append({ after: journal.known(), id: 'more', lines: ['x'] })), problem);
    await journal.close();
  });
}

check('the database refuses two events at one place of a stream', async () => {
  const namespace = fresh();
  const journal = await filled(namespace);
  const lines = [line(4, '{}').replace(',7]', ',1]')];
  assert.match(
    await told(journal.append({ after: journal.known(), id: 'twice', lines })),
    /duplicate key value violates unique constraint "event_stream" \(23505\)$/,
  );
  await journal.close();
});

check('a server that has read entries which its log lost does not continue', async () => {
  const namespace = fresh();
  const journal = await filled(namespace);
  await client.query(`SET search_path TO "${namespace}"`);
  await client.query('DELETE FROM event WHERE entry = 3; DELETE FROM entry WHERE entry = 3');
  await client.query(`UPDATE head SET entry = 2, event = 4, batch = '${namespace}-2'`);
  const problem =
    `the log in ${shown}, namespace ${namespace} is not the one that this server has read up to entry 3: it ends at entry 2. ` +
    'The database was restored from a backup, or a replica without the last entries has taken over; entry 3 is gone. Bring the log back that has them, or restart the server with --accept-loss 3 to go on without them';
  assert.is(await told(journal.fresh()), problem);
  assert.equal(journal.trouble(), { reason: problem, heals: false });
  const other = await open(namespace);
  assert.is(await other.append({ after: other.known(), id: 'other', lines: [line(3, '{}')] }), 'kept');
  assert.is(await told(journal.append({ after: journal.known(), id: 'more', lines: ['x'] })), problem);
  await Promise.all([journal.close(), other.close()]);
});

for (const [column, found] of [
  ['format', 'tables'],
  ['line_format', 'entries'],
] as const) {
  check(`${found} of a newer format are refused, with both numbers`, async () => {
    const namespace = fresh();
    await (await open(namespace)).close();
    const { rows } = await client.query(
      `UPDATE "${namespace}".head SET ${column} = ${column} + 7 RETURNING ${column} - 7 AS known`,
    );
    const known = Number(rows[0]?.known);
    assert.is(
      await told(open(namespace)),
      `R0406 ${shown}, namespace ${namespace}, has ${found} of format ${known + 7}, which a newer schemac wrote; this version reads format ${known}`,
    );
  });
}

check(
  'entries name the version that appended them, and one that decides as it does continues at the same time',
  async () => {
    const namespace = fresh();
    const servers = [await open(namespace, { product: '0.4.9' }), await open(namespace, { product: '0.4.1' })];
    for (const [index, journal] of servers.entries())
      await journal.append({ after: await journal.fresh(), id: `${index}`, lines: ['x'] });
    const { rows } = await client.query(`SELECT product FROM "${namespace}".entry ORDER BY entry`);
    assert.equal(rows, [{ product: '0.4.9' }, { product: '0.4.1' }]);
    await Promise.all(servers.map((journal) => journal.close()));
  },
);

check('once a version has appended that may decide differently, an older one does not append', async () => {
  const namespace = fresh();
  const [older, newer] = [await open(namespace, { product: '1.9.2' }), await open(namespace, { product: '2.0.0' })];
  const append = (journal: Journal, id: string): Promise<string> =>
    told(journal.append({ after: journal.known(), id, lines: ['x'] }).then((outcome) => assert.is(outcome, 'kept')));
  assert.equal([await append(older, 'a'), older.trouble()], ['nothing', undefined]);
  await newer.fresh();
  assert.is(await append(newer, 'b'), 'nothing');
  await older.fresh();
  const reason =
    'schemac 2.0.0 has appended to the log, and this server is schemac 1.9.2, which may decide differently; replace it';
  assert.equal(older.trouble(), { reason, heals: false });
  assert.is(await older.append({ after: older.known(), id: 'c', lines: ['x'] }), 'behind');
  assert.equal(await all(older), ['x', 'x']);
  assert.is(
    await told(open(namespace, { product: '1.9.3' })),
    `R0406 ${shown}, namespace ${namespace}, has entries of schemac 2.0.0, which a newer schemac wrote; this version reads those up to schemac 1.9.3`,
  );
  await Promise.all([older.close(), newer.close()]);
});

check('tables of an earlier format are read as they are, and brought up to date by a server', async () => {
  const namespace = fresh();
  await (await filled(namespace)).close();
  const head = `"${namespace}".head`;
  await client.query(`ALTER TABLE ${head} DROP COLUMN product, DROP COLUMN product_line, DROP COLUMN announced`);
  await client.query(`ALTER TABLE "${namespace}".entry DROP COLUMN product; UPDATE ${head} SET format = 1`);
  const reader = await open(namespace, { readOnly: true });
  assert.is((await all(reader)).length, 3);
  await reader.close();
  const servers = await Promise.all([1, 2, 3].map(() => open(namespace, { product: '1.0.0' })));
  const { rows } = await client.query(`SELECT format FROM ${head}`);
  assert.equal(rows, [{ format: 2 }]);
  const [one] = servers;
  if (one !== undefined) assert.is(await one.append({ after: one.known(), id: 'x', lines: [line(4, '{}')] }), 'kept');
  await Promise.all(servers.map((journal) => journal.close()));
});

check('an empty log is not begun while an import fills it, or after one was interrupted', async () => {
  const namespace = fresh();
  await client.query(`CREATE SCHEMA importing_${namespace}`);
  assert.is(
    await told(open(namespace)),
    `R0420 the log in ${shown}, namespace ${namespace} cannot be opened: an import into it is under way, or was interrupted: let it finish, run the same 'schemac log import' again, which goes on with it, or give it up with 'schemac log import --discard'`,
  );
  await client.query(`DROP SCHEMA importing_${namespace}`);
  await (await filled(namespace)).close();
  await client.query(`CREATE SCHEMA importing_${namespace}`);
  await (await open(namespace)).close();
});

check('a database that cannot be used is named without its password', async () => {
  const wrong = new URL(url);
  wrong.pathname = '/nowhere';
  assert.is(
    await told(open('a', { url: wrong.href })),
    `R0420 the log in ${shown.replace('/postgres', '/nowhere')}, namespace a cannot be opened: the database ${shown.replace('/postgres', '/nowhere')} says: database "nowhere" does not exist (3D000)`,
  );
  const closed = 'postgres://me:hidden%21@127.0.0.1:1/db?sslmode=disable';
  assert.is(
    await told(open('a', { url: closed })),
    'R0420 the log in 127.0.0.1:1/db, namespace a cannot be opened: the database 127.0.0.1:1/db cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
  );
  const { conceal } = readTarget(closed, 'durable.url');
  assert.is(conceal('hidden! and hidden%21'), '**** and ****');
});

test('a text that is no URL of PostgreSQL is refused without quoting it, and a namespace by its form', () => {
  for (const wrong of ['', 'hidden', 'mysql://me:hidden@host/db', 'postgres://[hidden'])
    assert.throws(
      () => readTarget(wrong, 'durable.url'),
      (error: unknown) =>
        String(error).endsWith(
          'event store durable.url: this is not a URL such as postgres://user:password@host:5432/database',
        ),
    );
  assert.is(readTarget('postgresql:///db?host=/run', 'durable.url').shown, '/run:5432/db');
  for (const wrong of ['', 'A', 'a-b', '1a', 'pg_a', 'a"b', 'a'.repeat(41)])
    assert.throws(() => checkNamespace(wrong), /is not 1 to 40 small letters/);
});

check('without notices that come through, the end is asked for, and one warning says so', async () => {
  const elsewhere = new URL(url);
  elsewhere.pathname = '/template1';
  const said: string[] = [];
  const namespace = fresh();
  const [journal, other] = await Promise.all([open(namespace, { listen: elsewhere.href, said }), open(namespace)]);
  const stop = new AbortController();
  const followed = (async () => {
    for await (const lines of journal.follow(1, stop.signal)) {
      stop.abort();
      return lines;
    }
    return [];
  })();
  await other.append({ after: other.known(), id: 'a', lines: ['a'] });
  assert.equal(await followed, ['a']);
  const more = new AbortController();
  const waiting = collect(journal.follow(2, more.signal));
  while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  more.abort();
  await waiting;
  assert.equal(said, [
    'warn: durable.listen_url gives no notices (a notice to itself did not arrive); the log is asked every 25 ms instead',
  ]);
  await Promise.all([journal.close(), other.close()]);
});

test('the clocks of server and database are taken to agree as far as the time of an exchange can explain their difference', () => {
  let now = 1_000_000;
  const nothing = (): void => undefined;
  const end = createEnd({
    place: 'here',
    storeId: 'id',
    now: () => now,
    onMoved: nothing,
    onAnnounced: nothing,
    breakOff: (reason) => new Error(reason),
  });
  const seen: number[] = [];
  for (const [took, clock] of [
    [20_000, 1_000_100],
    [3, 1_020_001],
    [3, 1_010_000],
    [9_000, 1_011_000],
    [3, 1_040_000],
  ] as const) {
    const asked = end.asking();
    now += took;
    end.learn(asked, { rows: [['0', '', null, null, String(clock), 'id', 'f', null, '0', '0']], command: 'SELECT' });
    seen.push(end.aheadMilliseconds());
  }
  assert.equal(seen, [0, 0, 10_002, 10_002, -10_991]);
});

check('a clock that is far ahead of the database takes no writes', async () => {
  const journal = await open(fresh(), { now: () => Date.now() + 3_600_000 });
  assert.equal(journal.trouble(), {
    reason: "the clock of this machine is 3600 s ahead of the database's; set it",
    heals: true,
  });
  await journal.close();
});

test.after(async () => {
  if ('missing' in database) return;
  await client.end();
  await database.stop();
});
test.run();
