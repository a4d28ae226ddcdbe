/** The locks of a database file between threads, as SQLite takes them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createLockMemory,
  isTaken,
  mostHolders,
  releaseHolder,
  releaseLock,
  takeLock,
  type FileLock,
} from '../../runtime/store/tables/files/file-lock.ts';

const test = suite('locks of a database file');

const holders = (): readonly FileLock[] => {
  const memory = createLockMemory();
  return Array.from({ length: mostHolders }, (_, holder) => ({ memory, holder }));
};

test('many read at once, and a writer waits for all of them', () => {
  const [writer, ...readers] = holders() as [FileLock, ...FileLock[]];
  assert.ok(readers.every((reader) => takeLock(reader, 'shared', 'read')));
  assert.ok(takeLock(writer, 'shared', 'read'));
  assert.ok(takeLock(writer, 'reserved', 'write'));
  assert.ok(takeLock(writer, 'pending', 'write'));
  assert.not(takeLock(writer, 'shared', 'write'));
  for (const reader of readers) {
    assert.not(takeLock(writer, 'shared', 'write'));
    releaseLock(reader, 'shared');
  }
  assert.ok(takeLock(writer, 'shared', 'write'));
});

test('no reader begins while a writer waits or writes', () => {
  const [writer, reader] = holders() as [FileLock, FileLock];
  assert.ok(takeLock(writer, 'reserved', 'write'));
  assert.ok(takeLock(reader, 'pending', 'read'), 'a reserved lock excludes no reader');
  assert.ok(takeLock(writer, 'pending', 'write'));
  assert.not(takeLock(reader, 'pending', 'read'));
  assert.ok(takeLock(writer, 'shared', 'write'));
  assert.not(takeLock(reader, 'shared', 'read'));
  releaseLock(writer, 'pending');
  releaseLock(writer, 'shared');
  assert.ok(takeLock(reader, 'pending', 'read'));
  assert.ok(takeLock(reader, 'shared', 'read'));
});

test('one holder writes; others see that, and it does not', () => {
  const [first, second] = holders() as [FileLock, FileLock];
  assert.ok(takeLock(first, 'reserved', 'write'));
  assert.not(takeLock(second, 'reserved', 'write'));
  assert.equal([isTaken(first, 'reserved'), isTaken(second, 'reserved')], [false, true]);
});

test('the locks of a thread that ended are released, and no others', () => {
  const [ended, other, next] = holders() as [FileLock, FileLock, FileLock];
  takeLock(ended, 'shared', 'read');
  takeLock(ended, 'reserved', 'write');
  takeLock(ended, 'pending', 'write');
  takeLock(other, 'shared', 'read');
  releaseHolder(ended);
  assert.ok(takeLock(next, 'pending', 'write'));
  assert.ok(takeLock(next, 'reserved', 'write'));
  assert.not(takeLock(next, 'shared', 'write'));
  releaseLock(other, 'shared');
  assert.ok(takeLock(next, 'shared', 'write'));
});

test.run();
