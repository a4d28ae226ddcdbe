/** Subscriptions of several servers on one log in PostgreSQL: a consumer may ask any of them (docs/http.md#subscriptions). */
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Claims } from '../../runtime/store/side/claims.ts';
import { startDatabase } from '../kit/database.ts';
import { openServer, shops, type Asked, type OpenedServer } from './opened-server.ts';

const database = await startDatabase();
let made = 0;

interface Handed {
  readonly lease: string | null;
  readonly rows: readonly { readonly position: number; readonly shop: string; readonly n: number }[];
}

interface Server extends OpenedServer {
  readonly next: (body?: object) => Promise<Handed>;
  readonly standing: () => Promise<Asked['body']>;
}

const shop = `${shops}
CREATE SUBSCRIPTION Sales AS SELECT stream_id AS shop, seq AS n FROM Reg."Shop$Events" WITH (attempts = 1000, first_delay_seconds = 0, lease_seconds = 600);`;

async function open(url: string, namespace: string): Promise<Server> {
  const server = await openServer(url, namespace); // leases end by the clock of the database, which no test moves
  return {
    ...server,
    next: async (body = {}) => {
      const { status, body: handed } = await server.ask('subscriptions/Sales/next', { wait_seconds: 0, ...body });
      assert.is(status, 200, JSON.stringify(handed));
      return handed as unknown as Handed;
    },
    standing: () => server.first('subscriptions/Sales'),
  };
}

function check(title: string, work: (one: Server, other: Server) => Promise<void>): void {
  if ('missing' in database) {
    test.skip(`${title}: ${database.missing}`, () => undefined);
    return;
  }
  test(title, async () => {
    const namespace = `subscriptions_${process.pid}_${++made}`;
    const one = await open(database.url, namespace);
    const other = await open(database.url, namespace);
    try {
      await one.create(shop);
      await work(one, other);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });
}

const numbers = ({ rows }: Handed): readonly number[] => rows.map(({ n }) => n);

check('a lease of one server is known to the other', async (one, other) => {
  await one.sell('x', 3);
  await one.sell('y', 1);
  const first = await one.next({ max: 3 });
  assert.equal(numbers(first), [1, 2, 3]);
  assert.equal(numbers(await other.next({ lease_seconds: 1 })), [1], 'y alone: x is out');
  const [a = 0, b = 0] = first.rows.map(({ position }) => position);
  assert.equal((await other.ask('subscriptions/Sales/ack', { lease: first.lease, positions: [a] })).body, {
    acknowledged: a,
  });
  const extended = await other.ask('subscriptions/Sales/extend', { lease: first.lease, lease_seconds: 3600 });
  assert.ok(Date.parse(String(extended.body['until'])) > Date.now() + 1_800_000, String(extended.body['until']));
  await pause(1_200); // the lease of y runs out
  assert.is((await other.ask('subscriptions/Sales/nack', { lease: first.lease, reason: 'no' })).status, 200);
  const again = await one.next();
  assert.equal(numbers(again), [2, 3, 1]);
  assert.equal((await one.ask('subscriptions/Sales/ack', { lease: first.lease, positions: [b] })).body['lost'], [b]);
  assert.is((await other.ask('subscriptions/Sales/ack', { lease: again.lease })).status, 200);
  assert.equal(await one.standing(), await other.standing());
  assert.equal([(await one.standing())['lag_rows'], (await one.standing())['out']], [0, 0]);
});

check('reset, pause and a replaced definition hold on both', async (one, other) => {
  await one.sell('x', 2);
  const { lease } = await one.next();
  assert.is((await other.ask('subscriptions/Sales/reset', { position: 0 })).status, 200);
  assert.is((await one.ask('subscriptions/Sales/ack', { lease })).status, 409);
  const again = await one.next({ max: 1 });
  assert.equal(numbers(again), [1]);
  assert.is((await one.ask('subscriptions/Sales/pause', {})).status, 200);
  assert.equal(
    [await other.next(), (await other.standing())['reason']],
    [{ lease: null, until: null, rows: [] }, 'paused'],
  );
  assert.is((await other.ask('subscriptions/Sales/start', {})).status, 200);
  await one.create(
    'CREATE OR REPLACE SUBSCRIPTION Sales AS SELECT stream_id AS shop, seq + 100 AS n FROM Reg."Shop$Events";',
  );
  // The row of the old definition is out.
  assert.equal(numbers(await other.next()), []);
  assert.is((await other.ask('subscriptions/Sales/ack', { lease: again.lease })).status, 200);
  assert.equal(numbers(await other.next()), [102]);
});

check('a waiting consumer gets what the other server gives back', async (one, other) => {
  await one.sell('x', 1);
  const { lease } = await one.next({ lease_seconds: 600 });
  const waiting = other.next({ wait_seconds: 60 });
  await one.ask('subscriptions/Sales/nack', { lease, reason: 'busy', delay_seconds: 0 });
  assert.equal(numbers(await waiting), [1]);
});

check('consumers that compete on both servers do every row once, in order within its key', async (one, other) => {
  const rows = 60;
  const streams = ['a', 'b', 'c', 'd'];
  await Promise.all(streams.map((name, at) => (at % 2 === 0 ? one : other).sell(name, rows / streams.length)));
  let at = 7;
  const chance = (): number => (at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const any = (): Server => (chance() < 0.5 ? one : other);
  const done = new Set<number>();
  const claimed = new Map<string, number>();
  const consume = async (): Promise<void> => {
    while (done.size < rows) {
      const handed = await any().next({ max: 1 + Math.floor(chance() * 20), lease_seconds: 1 });
      const { lease } = handed;
      if (lease === null) {
        await pause(20);
        continue;
      }
      for (const { shop: name, n } of handed.rows) {
        const before = handed.rows.filter((row) => row.shop === name && row.n < n).length;
        assert.ok(n - 1 - before <= (claimed.get(name) ?? 0), `row ${n} of ${name} passed over one`);
      }
      const fate = chance();
      if (fate < 0.1) continue; // it crashed: the lease runs out
      const taken = handed.rows.slice(0, fate < 0.4 ? Math.floor(chance() * handed.rows.length) : undefined);
      for (const { shop: name, n } of taken) claimed.set(name, Math.max(n, claimed.get(name) ?? 0));
      const positions = taken.map(({ position }) => position);
      const answered =
        positions.length === 0 ? undefined : await any().ask('subscriptions/Sales/ack', { lease, positions });
      const lost = (answered?.body['lost'] ?? []) as readonly number[];
      assert.ok(answered === undefined || answered.status === 200 || lost.length > 0, JSON.stringify(answered));
      for (const position of positions.filter((each) => !lost.includes(each))) {
        assert.not(done.has(position), `row ${position} was acknowledged twice`);
        done.add(position);
      }
      if (taken.length < handed.rows.length)
        await any().ask('subscriptions/Sales/nack', { lease, reason: 'not now', delay_seconds: 0 });
    }
  };
  await Promise.all(Array.from({ length: 6 }, consume));
  await one.next();
  for (const server of [one, other]) {
    const { lag_rows, out, parked, acknowledged } = await server.standing();
    assert.equal([lag_rows, out, parked, acknowledged], [0, 0, 0, one.store.turns.position().event]);
  }
});

check('a claim has one holder at a time, and passes on when it ends', async (one, other) => {
  const [ours, theirs] = [one.store.claims, other.store.claims] as [Claims, Claims];
  assert.is(await ours.take('webhook Sales', 'one', 60_000), true);
  assert.is(await theirs.take('webhook Sales', 'other', 60_000), false);
  assert.is(await theirs.take('webhook Prices', 'other', 60_000), true);
  assert.is(await ours.take('webhook Sales', 'one', 1), true);
  while (!(await theirs.take('webhook Sales', 'other', 60_000)));
  await ours.leave('webhook Sales', 'one');
  assert.is(await ours.take('webhook Sales', 'one', 60_000), false);
  await theirs.leave('webhook Sales', 'other');
  assert.is(await ours.take('webhook Sales', 'one', 60_000), true);
});

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
