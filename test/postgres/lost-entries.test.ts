/** A log in a database that lost entries which a server has read: after a restore, or when a late replica has taken over. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { openPostgresStore, type PostgresStoreOptions } from '../../runtime/store/postgres/postgres-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { startDatabase } from '../kit/database.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { until } from '../kit/until.ts';

const database = await startDatabase();
let made = 0;

interface World {
  readonly directory: string;
  readonly said: string[];
  readonly open: (options?: Partial<PostgresStoreOptions>) => Promise<Store>;
  /** Runs statements on the store. */
  readonly run: (store: Store, text: string) => Promise<void>;
  /** Takes entries from this one on out of the database, as an older backup does. */
  readonly lose: (from: number) => Promise<void>;
}

function check(title: string, work: (world: World) => Promise<void>): void {
  if ('missing' in database) {
    test.skip(`${title}: ${database.missing}`, () => undefined);
    return;
  }
  const { url } = database;
  test(title, () =>
    withTempFolder(async (directory) => {
      const namespace = `lost_${process.pid}_${++made}`;
      const said: string[] = [];
      const opened: Store[] = [];
      const sessions = new Map<Store, Promise<Awaited<ReturnType<typeof openSession>>>>();
      try {
        await work({
          directory,
          said,
          open: async (options = {}) => {
            const log = (_: string, message: string): void => void said.push(message);
            const store = await openPostgresStore({ url, namespace, readModel: 'inline', log, ...options });
            opened.push(store);
            return store;
          },
          run: async (store, text) => {
            const session = await (sessions.get(store) ?? openSession({ store, version: '0.1.0' }));
            sessions.set(store, Promise.resolve(session));
            for await (const outcome of session.run({ name: 'test.schema', text }))
              assert.is.not(outcome.kind, 'error', JSON.stringify(outcome));
          },
          lose: async (from) => {
            const client = new pg.Client({ connectionString: url });
            await client.connect();
            await client.query(`SET search_path TO "${namespace}"`);
            await client.query(`DELETE FROM event WHERE entry >= ${from}; DELETE FROM entry WHERE entry >= ${from};
              UPDATE head SET entry = ${from - 1}, batch = (SELECT batch FROM entry ORDER BY entry DESC LIMIT 1),
                event = (SELECT max(global_position) FROM event), schema_entries = 1`);
            await client.end();
          },
        });
      } finally {
        for (const store of opened) await store.close();
      }
    }),
  );
}

const schema = `
CREATE AGGREGATE Box (box_id STRING KEY);
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
EXECUTE Put (box_id := 'b', n := 1);`;
const put = (n: number): string => `EXECUTE Put (box_id := 'b', n := ${n});`;

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) =>
      error instanceof Failure ? `${error.code} ${error.message}` : error instanceof Error ? error.message : 'no error',
  );
}

check(
  'a running server stops, and tells which entries and events are gone',
  async ({ open, run, lose, said, directory }) => {
    const store = await open({ directory });
    await run(store, schema);
    await run(store, put(2));
    await run(store, put(3));
    assert.is(store.turns.position().entry, 4);
    await lose(3);
    assert.match(
      await failureOf(store.turns.fresh()),
      /read up to entry 4: it ends at entry 2\. .*; entries 3 to 4 are gone\. .*--accept-loss 3/,
    );
    await until(() => said.some((line) => line.startsWith('lost: ')));
    const lines = readFileSync(join(directory, 'lost-events-3.jsonl'), 'utf8').trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(
      events.map(({ event_id: id, ...event }) => ({ ...event, id: typeof id })),
      [2, 3].map((seq) => ({
        global_position: seq,
        event_type: 'Added',
        stream_type: 'Box',
        stream_id: 'b',
        seq,
        id: 'string',
      })),
    );
    assert.ok(
      said.includes('entries 3 to 4 are gone, with 2 events that this server had read, all in lost-events-3.jsonl'),
    );
    assert.ok(said.includes(`lost: Added of Box "b", seq 2, event ${String(events[0]?.['event_id'])}`));
  },
);

check(
  'a start refuses the log, until it is told to go on without those entries',
  async ({ open, run, lose, said, directory }) => {
    const store = await open({ directory });
    await run(store, schema);
    await run(store, put(2));
    await store.close();
    assert.ok(existsSync(join(directory, 'shared-log.json')));
    await lose(3);
    // Other servers may have appended by now.
    const other = await open();
    await run(other, put(7));
    await run(other, put(8));
    const refused = /^R0422 .*: entry 3 is gone\..*--accept-loss 3 /;
    assert.match(await failureOf(open({ directory })), refused);
    assert.match(await failureOf(open({ directory, acceptLoss: 2 })), refused);
    const again = await open({ directory, acceptLoss: 3 });
    assert.is(again.turns.position().entry, 4);
    assert.match(said.at(-1) ?? '', /goes on without what it has lost: entry 3 is gone$/);
    await again.close();
    await (await open({ directory })).close();
  },
);

check('a directory belongs to the log that its server has read', async ({ open, run, directory }) => {
  const store = await open({ directory });
  await run(store, schema);
  await store.close();
  assert.match(
    await failureOf(open({ directory, namespace: `lost_${process.pid}_other` })),
    /it belongs to a server on another log .*; name another directory, or remove shared-log\.json there/,
  );
});

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
