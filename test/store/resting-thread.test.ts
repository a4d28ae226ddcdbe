/** Stores in memory whose read models have threads: the thread of a closed one may serve the next. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { accounts, balances, count, deposit, eventCount, none } from '../contract/accounts.ts';

const test = suite('resting thread');

const open = (): Promise<Store> => openMemoryStore({ readModel: 'worker' });

test('a store has its own events and tables, whatever store was closed before it', async () => {
  const first = await open();
  await first.tables.adopt(accounts);
  await first.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
  assert.equal(await first.tables.query(balances, []), [['A-1', 100n]]);
  // Its last lines may not have reached the thread.
  await first.turns.exclusively((turn) => deposit(turn, { to: 'A-2' }));
  await first.close();

  const second = await open();
  await second.tables.adopt(none);
  const failure: unknown = await second.tables.query(eventCount, []).catch((error: unknown) => error);
  assert.match(String(failure), /no such table/);
  await second.tables.adopt(accounts);
  assert.is(await count(second), 0n);
  await second.turns.exclusively((turn) => deposit(turn, { to: 'B-1' }));
  assert.equal(await second.tables.query(balances, []), [['B-1', 100n]]);
  await second.close();
});

test('stores that are open at once, and closed at once, do not share a thread', async () => {
  const stores = await Promise.all([open(), open(), open()]);
  await Promise.all(
    stores.map(async (store, index) => {
      await store.tables.adopt(accounts);
      for (let times = 0; times <= index; times += 1)
        await store.turns.exclusively((turn) => deposit(turn, { to: 'A' }));
    }),
  );
  assert.equal(await Promise.all(stores.map((store) => count(store))), [1n, 2n, 3n]);
  await Promise.all(stores.map((store) => store.close()));
  const next = await Promise.all([open(), open()]);
  await Promise.all(next.map((store) => store.tables.adopt(accounts)));
  assert.equal(await Promise.all(next.map((store) => count(store))), [0n, 0n]);
  await Promise.all(next.map((store) => store.close()));
});

test('a read model that starts ahead has the tables of a definition that came before it was there', async () => {
  const store = await openMemoryStore({ readModel: 'worker', starts: 'ahead' });
  await store.tables.adopt(none);
  const swap = await store.tables.prepare(accounts);
  await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
  await swap();
  assert.equal(await store.tables.query(balances, []), [['A-1', 100n]]);
  await store.tables.adopt({ ...accounts });
  assert.is(await count(store), 1n);
  await store.close();
});

test('a store whose read model starts ahead is closed before anything asked for it, and its thread serves the next one', async () => {
  const unused = await openMemoryStore({ readModel: 'worker', starts: 'ahead' });
  await unused.tables.adopt(accounts);
  await unused.close();
  const store = await openMemoryStore({ readModel: 'worker', starts: 'ahead' });
  await store.tables.adopt(accounts);
  await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
  assert.is(await count(store), 1n);
  await store.close();
});

test.run();
