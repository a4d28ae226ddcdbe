/** R7: the order in which a store writes, syncs and answers, from all its operations on the disk. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSimulatedDisk, type Operation } from './simulated-disk.ts';
import { wholeLife } from './workload.ts';

test('every answer comes after the sync of all its writes and of the names of their files', async () => {
  const disk = createSimulatedDisk();
  for (let life = 0; life < 4; life += 1) await wholeLife(disk, `l${life}`, 12, (commandId) => disk.mark(commandId));
  assert.equal(checkAnswers(disk.operations), []);
  const kinds = new Set(disk.operations.map((operation) => operation.kind));
  for (const kind of ['create', 'write', 'sync', 'rename', 'sync-directory', 'remove', 'mark'] as const) {
    assert.ok(kinds.has(kind), `the run had a ${kind}`);
  }
});

test('the checker notices an answer that comes too early', async () => {
  const disk = createSimulatedDisk();
  await wholeLife(disk, 'l', 2, (commandId) => disk.mark(commandId), { fsync: false });
  assert.ok(checkAnswers(disk.operations).length > 0);
});

test('a snapshot is synced, renamed and its name synced before an older one is removed', async () => {
  const disk = createSimulatedDisk();
  for (let life = 0; life < 4; life += 1) await wholeLife(disk, `l${life}`, 5, () => undefined);
  const { operations } = disk;
  const removed = operations.flatMap((operation, index) =>
    operation.kind === 'remove' && operation.path.includes('snapshot-') ? [index] : [],
  );
  assert.ok(removed.length > 0, 'the run removed snapshots');
  for (const index of removed) {
    const before = operations.slice(0, index);
    const rename = before.findLastIndex((operation) => operation.kind === 'rename' && operation.to.endsWith('.db'));
    const renamed = before[rename];
    assert.ok(renamed?.kind === 'rename');
    const create = before.findLastIndex((operation) => operation.kind === 'create' && operation.path === renamed.from);
    const made = before[create];
    assert.ok(made?.kind === 'create');
    const own = before.flatMap((operation, at) =>
      'file' in operation && operation.file === made.file ? [{ operation, at }] : [],
    );
    assert.is(own.at(-1)?.operation.kind, 'sync', 'the last thing done to the snapshot is its sync');
    assert.ok((own.at(-1)?.at ?? Infinity) < rename, 'it is synced before it has its name');
    assert.ok(
      before.slice(rename).some((operation) => operation.kind === 'sync-directory'),
      'its name is synced',
    );
  }
});

/** Answers given while some part of the log was not durable. */
function checkAnswers(operations: readonly Operation[]): string[] {
  const unsynced = new Set<number>();
  const unnamed = new Set<number>();
  const logs = new Set<number>();
  const early: string[] = [];
  for (const operation of operations) {
    switch (operation.kind) {
      case 'create':
        if (!operation.path.includes('/log-')) break;
        logs.add(operation.file);
        unnamed.add(operation.file);
        break;
      case 'write':
      case 'truncate':
        // All commands of a round are answered before the next round, so nothing is being written while answers are
        // given.
        if (logs.has(operation.file)) unsynced.add(operation.file);
        break;
      case 'sync':
        unsynced.delete(operation.file);
        break;
      case 'sync-directory':
        unnamed.clear();
        break;
      case 'mark':
        if (unsynced.size > 0 || unnamed.size > 0) early.push(operation.what);
        break;
      case 'rename':
      case 'remove':
        break;
    }
  }
  return early;
}

test.run();
