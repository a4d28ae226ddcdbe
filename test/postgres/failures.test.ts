/** The log in PostgreSQL when connections, backends and the whole database fail, and when several processes append at once. */
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../runtime/store/disk/node-disk.ts';
import { JournalFailure, type Batch, type Journal, type JournalEnd } from '../../runtime/store/journal.ts';
import { openPostgresJournal, type PostgresJournal } from '../../runtime/store/postgres/postgres-journal.ts';
import { readTarget } from '../../runtime/store/postgres/target.ts';
import { collect } from '../contract/accounts.ts';
import { startDatabase } from '../kit/database.ts';
import { startTcpProxy, type TcpProxy } from '../kit/tcp-proxy.ts';
import { cutAppends } from './cuts.ts';

const database = await startDatabase();
const missing = 'missing' in database ? database.missing : undefined;
const url = 'missing' in database ? '' : database.url;
const port = 'missing' in database ? 0 : database.port;
let made = 0;

interface Opened {
  readonly namespace: string;
  readonly said: string[];
  readonly open: (url?: string, milliseconds?: number) => Promise<PostgresJournal>;
}

function namespaced(): Opened {
  const namespace = `failures_${process.pid}_${++made}`;
  const said: string[] = [];
  return {
    namespace,
    said,
    open: (to = url, milliseconds = 10_000) =>
      openPostgresJournal({
        target: readTarget(to, 'DATABASE_URL'),
        namespace,
        milliseconds,
        random: systemRandom,
        now: Date.now,
        monotonic: () => performance.now(),
        log: (level, message) => said.push(`${level}: ${message}`),
      }),
  };
}

const through = (proxy: TcpProxy): string => {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(proxy.port);
  return changed.href;
};

let batches = 0;
const batch = (after: JournalEnd, ...lines: readonly string[]): Batch => ({ after, id: `test-${++batches}`, lines });

async function add(journal: Journal, line: string): Promise<void> {
  while ((await journal.append(batch(await journal.fresh(), line))) !== 'kept');
}

const all = async (journal: Journal): Promise<readonly string[]> =>
  (await collect(journal.read(1, (await journal.fresh()).entry))).flat();

/** The failure of work that must fail. */
async function failureOf(work: Promise<unknown>): Promise<{ readonly reason: string; readonly heals: boolean }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof JournalFailure) return { reason: error.reason, heals: error.heals };
    throw error;
  }
  throw new Error('nothing failed');
}

/** Repeats work that fails in ways that heal, as the store does. */
async function untilItWorks<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof JournalFailure) || !error.heals) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function run(text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

const check = (title: string, work: () => Promise<void>): void => {
  if (missing === undefined) test(title, work);
  else test.skip(`${title}: ${missing}`, work);
};

check('a server whose backends are terminated goes on by itself', async () => {
  const { open, said } = namespaced();
  const journal = await open();
  await add(journal, 'a');
  await run(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'schemac' AND pid <> pg_backend_pid()",
  );
  await untilItWorks(() => add(journal, 'b'));
  assert.equal(await all(journal), ['a', 'b']);
  assert.is(journal.trouble(), undefined);
  assert.not.match(said.join('\n'), 'secret-of-test');
  await journal.close();
});

check('a batch that arrived, but whose answer was lost, is settled as kept', async () => {
  const proxy = await startTcpProxy(port);
  const { open } = namespaced();
  const journal = await open(through(proxy));
  const direct = await open();
  await add(journal, 'a');
  const sent = batch(await journal.fresh(), 'b');
  proxy.become('deaf to answers');
  const failed = failureOf(journal.append(sent));
  while ((await direct.fresh()).entry < 2);
  proxy.cut();
  assert.is((await failed).heals, true);
  proxy.become('open');
  assert.is(await untilItWorks(() => journal.settle(sent.id)), 'kept');
  await add(journal, 'c');
  assert.equal(await all(journal), ['a', 'b', 'c']);
  await Promise.all([journal.close(), direct.close()]);
  await proxy.close();
});

check('a batch that was settled as never kept is not kept when its bytes arrive late', async () => {
  const proxy = await startTcpProxy(port);
  const { open } = namespaced();
  const journal = await open(through(proxy));
  await add(journal, 'a');
  const sent = batch(await journal.fresh(), 'late');
  proxy.become('holding requests');
  const failed = failureOf(journal.append(sent));
  await proxy.held(1_000);
  proxy.cut();
  assert.is((await failed).heals, true);
  proxy.become('open');
  assert.is(await untilItWorks(() => journal.settle(sent.id)), 'never');
  proxy.deliver();
  await add(journal, 'b');
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await all(journal), ['a', 'b']);
  assert.is(await journal.settle(sent.id), 'never');
  await journal.close();
  await proxy.close();
});

check('an answer that never comes ends the connection, and the next one works', async () => {
  const proxy = await startTcpProxy(port);
  const { open } = namespaced();
  const journal = await open(through(proxy), 400);
  await add(journal, 'a');
  proxy.become('silent');
  const sent = batch(journal.known(), 'b');
  assert.equal(await failureOf(journal.append(sent)), {
    reason: `the database 127.0.0.1:${proxy.port}/postgres cannot be reached: no answer within 400 ms`,
    heals: true,
  });
  assert.is(journal.trouble()?.heals, true);
  proxy.become('open');
  assert.is(await untilItWorks(() => journal.settle(sent.id)), 'never');
  await add(journal, 'c');
  assert.equal(await all(journal), ['a', 'c']);
  assert.is(journal.trouble(), undefined);
  await journal.close();
  await proxy.close();
});

check('a process that keeps the lock for too long is evicted, and its append is behind', async () => {
  const { open, said } = namespaced();
  const [frozen, other] = await Promise.all([open(), open()]);
  const end = await frozen.lock();
  await add(other, 'a');
  assert.equal(said.length, 1, said.join());
  assert.match(said[0] ?? '', /idle-in-transaction timeout \(25P03\); the lock of the log was held for too long$/);
  assert.is(frozen.trouble(), undefined);
  assert.is(await frozen.append(batch(end, 'b')), 'behind');
  await add(frozen, 'c');
  assert.equal(await all(other), ['a', 'c']);
  await Promise.all([frozen.close(), other.close()]);
});

for (const [many, defaults] of [
  [2, ''],
  [8, ''],
  [3, '?options=-c%20default_transaction_isolation%3Dserializable%20-c%20synchronous_commit%3Doff'],
] as const) {
  check(
    `${many} that append at once${defaults === '' ? '' : ' with other defaults of their role'} all go on`,
    async () => {
      const { open, namespace } = namespaced();
      const journals = await Promise.all(Array.from({ length: many }, () => open(url + defaults)));
      assert.is(new Set(journals.map(({ storeId }) => storeId)).size, 1);
      const each = 12;
      const appendAll = async (journal: Journal, name: number): Promise<number> => {
        let behind = 0;
        for (let at = 0, end = await journal.fresh(); at < each;) {
          // An event a line, so that the database checks positions and places in streams as well.
          const position = end.entry + 1;
          const line = `["c",${position},"1","Go","S","${name}",${position},[["e${position}","Gone",1,${at + 1}]]]\t{"at":${at}}`;
          if ((await journal.append(batch(end, line))) === 'kept') {
            at += 1;
            end = journal.known();
          } else {
            behind += 1;
            end = await journal.lock();
          }
        }
        return behind;
      };
      await Promise.all(journals.map(appendAll));
      const [first] = journals;
      assert.ok(first);
      assert.is((await all(first)).length, many * each);
      const counts = `SELECT count(*)::int AS events, count(DISTINCT stream_id)::int AS streams, max(seq)::int AS seq, max(global_position)::int AS last FROM "${namespace}".event`;
      assert.equal(await run(counts), [{ events: many * each, streams: many, seq: each, last: many * each }]);
      await Promise.all(journals.map((journal) => journal.close()));
    },
  );
}

check('whatever is cut during an append, the outcome that is found is true', async () => {
  const {
    answered: _,
    beside: __,
    ...counts
  } = await cutAppends({
    url,
    port,
    namespace: `cuts_${process.pid}`,
    many: 20,
    chance: Math.random,
  });
  assert.equal({ ...counts, kept: 0, never: counts.kept + counts.never }, { kept: 0, never: 20, wrong: [] });
});

check('a database that crashes and comes back needs no restart of its servers', async () => {
  if ('missing' in database || database.crash === undefined || database.restart === undefined) return;
  const { open, said } = namespaced();
  const journal = await open();
  const followed: string[] = [];
  const stop = new AbortController();
  const following = (async () => {
    for await (const lines of journal.follow(1, stop.signal)) followed.push(...lines);
  })();
  await add(journal, 'a');
  await database.crash();
  assert.is((await failureOf(journal.fresh())).heals, true);
  assert.is(journal.trouble()?.heals, true);
  await database.restart();
  await untilItWorks(() => add(journal, 'b'));
  while (followed.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(followed, ['a', 'b']);
  assert.is(said.at(-1), `info: the database 127.0.0.1:${port}/postgres is back`);
  stop.abort();
  await following;
  await journal.close();
});

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
