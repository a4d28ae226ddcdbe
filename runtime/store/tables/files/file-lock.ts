/**
 * The locks of a database file between the threads of a process: those of https://www.sqlite.org/lockingv3.html, which
 * SQLite expects of the operating system, and which Node cannot ask it for. One word in shared memory has all of them,
 * so each change is one atomic step: a thread may be ended at any moment and leaves no half of a lock. Its locks are
 * released by the thread that ended it. No other process opens the file: the store locks its directory.
 */

export interface FileLock {
  /** Shared by all threads that have the file open. */
  readonly memory: SharedArrayBuffer;
  /** The number of this holder, from 0. */
  readonly holder: number;
}

/** The ranges of bytes that SQLite locks. */
export type LockedRange = 'pending' | 'reserved' | 'shared';

/** Threads that may have a file open at once. */
export const mostHolders = 10;
const readers = 2 ** mostHolders - 1;
const fieldBits = 4;
const field = 2 ** fieldBits - 1;
/** Where the number of the writing holder begins, 0 for none. */
const places: Readonly<Record<LockedRange, number>> = { pending: 10, reserved: 14, shared: 18 };

export function createLockMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(4);
}

/** Takes a lock for reading or writing, in place of another of this holder; false when another holder excludes it. */
export function takeLock(lock: FileLock, range: LockedRange, as: 'read' | 'write'): boolean {
  return change(lock, (state, own, bit) => {
    const writer = holderOf(state, range);
    if (writer !== 0 && writer !== own) return undefined;
    const without = withHolder(state, range, 0);
    if (range === 'shared') {
      if (as === 'read') return without | bit;
      return (state & readers & ~bit) === 0 ? withHolder(state & ~bit, range, own) : undefined;
    }
    // SQLite locks these for reading only to see that no other writes; it releases them at once.
    return as === 'read' ? without : withHolder(state, range, own);
  });
}

/** Releases a lock of this holder, if it has it. */
export function releaseLock(lock: FileLock, range: LockedRange): void {
  change(lock, (state, own, bit) => {
    const rest = range === 'shared' ? state & ~bit : state;
    return holderOf(state, range) === own ? withHolder(rest, range, 0) : rest;
  });
}

/** Releases all locks of a holder whose thread has ended. */
export function releaseHolder(lock: FileLock): void {
  for (const range of ['pending', 'reserved', 'shared'] as const) releaseLock(lock, range);
}

/** Whether another holder has it for writing. */
export function isTaken(lock: FileLock, range: LockedRange): boolean {
  const writer = holderOf(Atomics.load(new Int32Array(lock.memory), 0), range);
  return writer !== 0 && writer !== lock.holder + 1;
}

/** Waits until the locks change, or for that many milliseconds. Blocks the thread. */
export function awaitChange({ memory }: FileLock, milliseconds: number): void {
  const word = new Int32Array(memory);
  Atomics.wait(word, 0, Atomics.load(word, 0), milliseconds);
}

/** `next` gives the word after the change, or undefined when it is not possible. */
function change(
  { memory, holder }: FileLock,
  next: (state: number, own: number, bit: number) => number | undefined,
): boolean {
  const word = new Int32Array(memory);
  for (;;) {
    const state = Atomics.load(word, 0);
    const wanted = next(state, holder + 1, 1 << holder);
    if (wanted === undefined) return false;
    if (Atomics.compareExchange(word, 0, state, wanted) !== state) continue;
    if (wanted !== state) Atomics.notify(word, 0);
    return true;
  }
}

function holderOf(state: number, range: LockedRange): number {
  return (state >> places[range]) & field;
}

function withHolder(state: number, range: LockedRange, holder: number): number {
  return (state & ~(field << places[range])) | (holder << places[range]);
}
