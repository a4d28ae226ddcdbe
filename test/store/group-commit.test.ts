/** Frames that turns share, and their outcomes when a commit fails. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { collect, accounts, count, deposit, eventCount } from '../contract/accounts.ts';
import { createSimulatedDisk, type Operation } from '../crash/simulated-disk.ts';
import { depositRound, openStore } from '../crash/workload.ts';

const kinds = (operations: readonly Operation[]): string[] => operations.map(({ kind }) => kind);

test('turns that wait together are one write and one sync', async () => {
  const disk = createSimulatedDisk();
  const store = await openStore(disk);
  await depositRound(store, 'first', 1, () => undefined);
  const segment = ['create', 'write', 'sync', 'sync-directory'];
  const manifest = ['create', 'write', 'sync', 'rename', 'sync-directory'];
  assert.equal(kinds(disk.operations), [...segment, ...manifest, 'write', 'sync']);
  const before = disk.operations.length;
  await depositRound(store, 'r', 10, () => undefined);
  assert.equal(kinds(disk.operations.slice(before)), ['write', 'sync']);
  await store.close();
});

test('turns during a commit share the next one, and none is written before the sync of that commit', async () => {
  const disk = createSimulatedDisk();
  const store = await openStore(disk, { rolloverBytes: 1_000_000 });
  await depositRound(store, 'first', 1, () => undefined);
  const before = disk.operations.length;
  const waiting: Promise<unknown>[] = [];
  for (let number = 0; number < 30; number += 1) {
    waiting.push(store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' })));
    if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(waiting);
  const after = kinds(disk.operations.slice(before));
  assert.ok(after.length <= 8, after.join(' '));
  assert.ok(
    after.every((kind, index) => kind === (index % 2 === 0 ? 'write' : 'sync')),
    after.join(' '),
  );
  await store.close();
});

test('a turn that only reads waits until the entries it has read are durable', async () => {
  const order: string[] = [];
  const disk = createSimulatedDisk();
  const store = await openStore(disk);
  const written = store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' })).then(() => order.push('written'));
  const read = store.turns
    .exclusively((turn) => turn.head('Account', 'A-1'))
    .then((head) => order.push(`read ${head}`));
  await Promise.all([written, read]);
  assert.equal(order, ['written', 'read 1']);
  const syncs = disk.operations.filter(({ kind }) => kind === 'sync').length;
  assert.is(await store.turns.exclusively((turn) => turn.head('Account', 'A-1')), 1);
  assert.is(disk.operations.filter(({ kind }) => kind === 'sync').length, syncs, 'nothing new, nothing synced');
  await store.close();
});

test('after a failed sync all waiting turns fail with an unknown outcome, and none of their entries is seen', async () => {
  let broken = false;
  const disk = createSimulatedDisk(new Map(), (call) =>
    broken && call === 'sync' ? { error: new Error('EIO') } : undefined,
  );
  const store = await openStore(disk);
  await store.tables.adopt(accounts);
  await depositRound(store, 'fine', 3, () => undefined);
  broken = true;
  const turns = [
    store.turns.exclusively((turn) => deposit(turn, { to: 'A-0', commandId: 'x' })),
    store.turns.exclusively(async (turn) => [await turn.head('Account', 'A-0'), await turn.query(eventCount, [])]),
    // Runs until after the failure.
    store.turns.exclusively(async (turn) => {
      const head = await turn.head('Account', 'A-0');
      await new Promise((resolve) => setTimeout(resolve, 30));
      return head;
    }),
  ];
  const outcomes = await Promise.allSettled(turns);
  assert.equal(
    outcomes.map((outcome) =>
      outcome.status === 'rejected' && outcome.reason instanceof Failure ? outcome.reason.code : outcome.status,
    ),
    ['R0403', 'R0403', 'R0403'],
  );
  broken = false;
  assert.match(store.turns.refusesWrites()?.reason ?? '', /EIO.*restart/);
  assert.is(await count(store), 3n);
  assert.is((await collect(store.log.read(1))).length, 3);
  const reading = store.turns.exclusively(async (turn) => [
    await turn.head('Account', 'A-0'),
    (await turn.recorded('Account', 'A-0', 'x')) ?? 'nothing',
    await turn.query(eventCount, []),
    turn.nextPosition(),
  ]);
  assert.equal(await reading, [1, 'nothing', [[3n]], 4]);
  const writing = await store.turns
    .exclusively((turn) => deposit(turn, { to: 'A-0' }))
    .catch((error: unknown) => error);
  assert.ok(writing instanceof Failure && writing.code === 'R0402');
  await store.close();
  const again = await openStore(createSimulatedDisk(disk.content()));
  assert.is(again.turns.refusesWrites(), undefined);
  await depositRound(again, 'after', 1, () => undefined);
  await again.close();
});

test.run();
