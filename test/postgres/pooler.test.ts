/** A log through PgBouncer in transaction mode, where it is installed; `npm run test:postgres -- pooler` runs all contracts through it. */
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../runtime/store/disk/node-disk.ts';
import type { Journal } from '../../runtime/store/journal.ts';
import { openPostgresJournal } from '../../runtime/store/postgres/postgres-journal.ts';
import { readTarget } from '../../runtime/store/postgres/target.ts';
import { collect } from '../contract/accounts.ts';
import { startDatabase } from '../kit/database.ts';
import { until } from '../kit/until.ts';
import { startPooler } from './pooler.ts';

const database = await startDatabase();
const pooler = 'missing' in database ? database : await startPooler(database.url);

if ('missing' in database || 'missing' in pooler) {
  const { missing } = pooler as { readonly missing: string };
  // A database that runs keeps the process.
  if (!('missing' in database)) await database.stop();
  test.skip(`a log through a pooler: ${missing}`, () => undefined);
} else {
  const namespace = `pooler_${process.pid}`;
  const open = (url: string, listens = false): Promise<Journal> =>
    openPostgresJournal({
      target: readTarget(url, 'DATABASE_URL'),
      namespace,
      random: systemRandom,
      now: Date.now,
      monotonic: () => performance.now(),
      log: (_, message) => logged.push(message),
      ...(listens && { listen: readTarget(url, 'DATABASE_URL') }),
    });
  const logged: string[] = [];

  test('servers that have more connections than the pooler append each batch once, with and without the lock', async () => {
    const servers = await Promise.all([open(pooler.url), open(pooler.url), open(pooler.url)]);
    let kept = '';
    await Promise.all(
      servers.map(async (journal, server) => {
        for (let batch = 1; batch <= 8; batch += 1) {
          // A server always takes the lock, as under contention; the others try until they are not behind.
          for (let attempt = 1; ; attempt += 1) {
            const after = server === 0 ? await journal.lock() : await journal.fresh();
            const id = `${server} ${batch} ${attempt}`;
            if ((await journal.append({ after, id, lines: [`${server} ${batch}`] })) === 'kept') {
              kept = id;
              break;
            }
          }
        }
      }),
    );
    assert.is(await servers[1].settle(kept), 'kept');
    assert.is(await servers[1].settle('nobody sent this'), 'never');
    const direct = await open(database.url);
    const lines = (await collect(direct.read(1, (await direct.fresh()).entry))).flat();
    const wanted = servers.flatMap((_, server) => Array.from({ length: 8 }, (__, batch) => `${server} ${batch + 1}`));
    assert.equal(lines.toSorted(), wanted);
    for (const journal of [...servers, direct]) await journal.close();
  });

  test('limits of transactions do not stay on the connections of the pooler', async () => {
    const client = new pg.Client({ connectionString: pooler.url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT DISTINCT setting FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')",
    );
    await client.end();
    assert.equal(rows, [{ setting: '0' }]);
  });

  test('notices do not come through it, and the log is asked instead', async () => {
    const [follower, other] = await Promise.all([open(pooler.url, true), open(pooler.url)]);
    const { entry, batch } = await other.fresh();
    const ended = new AbortController();
    const next = follower
      .follow(entry + 1, ended.signal)
      [Symbol.asyncIterator]()
      .next();
    await until(() => logged.some((message) => message.startsWith('durable.listen_url gives no notices')));
    await other.append({ after: { entry, batch }, id: 'seen', lines: ['seen without a notice'] });
    assert.equal((await next).value, ['seen without a notice']);
    ended.abort();
    await Promise.all([follower.close(), other.close()]);
  });
  test.after(async () => {
    await pooler.stop();
    await database.stop();
  });
}
test.run();
