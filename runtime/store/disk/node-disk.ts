import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';
import { randomFillSync } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { fail, type Failure } from '../../../language/failure/failure.ts';
import type { Clock, Disk, DiskFile, Randomness } from '../disk.ts';
import { lockDirectory } from './directory-lock.ts';
import { makeFolder } from './make-folder.ts';

/** The disk of this machine. Files are 0600, directories 0700. */
export const nodeDisk: Disk = {
  makeDirectory: (path) =>
    new Promise((resolve) => {
      makeFolder(path, 0o700);
      resolve();
    }),
  list: async (directory) => {
    try {
      return (await fsp.readdir(directory)).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  },
  open: async (path, mode) => nodeFile(await openDescriptor(path, mode)),
  rename: (from, to) => fsp.rename(from, to),
  remove: (path) => fsp.unlink(path),
  syncDirectory: async (path) => {
    const handle = await fsp.open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  lock: (directory) => lockDirectory(directory),
};

/** Calls of the same millisecond get the same number: its readers compare it with the last one. */
export const systemClock: Clock = () => {
  const now = Date.now();
  if (now !== clock.milliseconds) clock = { milliseconds: now, instant: BigInt(now) * 1000n };
  return clock.instant;
};
let clock = { milliseconds: 0, instant: 0n };

export const systemRandom: Randomness = (bytes) => randomFillSync(new Uint8Array(bytes));

/** Without waiting: a pipe in place of a file would keep its reader until a process writes to it. */
function openDescriptor(path: string, mode: 'create' | 'write' | 'read'): Promise<number> {
  const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NONBLOCK } = fs.constants;
  const access = mode === 'create' ? O_RDWR | O_CREAT | O_EXCL : mode === 'write' ? O_RDWR : O_RDONLY;
  return new Promise((resolve, reject) => {
    fs.open(path, access | O_NONBLOCK, 0o600, (error, descriptor) => {
      if (error !== null) reject(error);
      else if (fs.fstatSync(descriptor).isFile()) resolve(descriptor);
      else {
        fs.closeSync(descriptor);
        reject(notAFile(path));
      }
    });
  });
}

// The callback API: every answer waits for a write and its fdatasync, and the promises of file handles cost twice as
// much.
function nodeFile(descriptor: number): DiskFile {
  const promised = <T>(start: (done: (error: Error | null, value?: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      start((error, value) => (error ? reject(error) : resolve(value as T)));
    });
  const writeTo = async (target: number, bytes: Uint8Array, position: number): Promise<void> => {
    let written = 0;
    while (written < bytes.length) {
      const count = await promised<number>((done) =>
        fs.write(target, bytes, written, bytes.length - written, position + written, done),
      );
      if (count === 0) throw new Error('the disk took no more bytes');
      written += count;
    }
  };
  const sync = (): Promise<void> => promised<undefined>((done) => fs.fdatasync(descriptor, done));
  let own: fs.Stats | undefined;
  /** A descriptor of the same file whose writes return when they are durable; `none` where the system has none. */
  let through: number | 'none' | undefined;
  return {
    sizeAt: (path) => {
      own ??= fs.fstatSync(descriptor);
      const there = fs.statSync(path, { throwIfNoEntry: false });
      return there?.ino === own.ino && there.dev === own.dev ? there.size : undefined;
    },
    size: async () => (await promised<fs.Stats>((done) => fs.fstat(descriptor, done))).size,
    stamp: async () => {
      const { ino, ctimeNs, size } = await promised<fs.BigIntStats>((done) =>
        fs.fstat(descriptor, { bigint: true }, done),
      );
      return `${ino}-${ctimeNs}-${size}`;
    },
    read: async (into, position) => {
      let filled = 0;
      while (filled < into.length) {
        const count = await promised<number>((done) =>
          fs.read(descriptor, into, filled, into.length - filled, position + filled, done),
        );
        if (count === 0) break;
        filled += count;
      }
      return filled;
    },
    readNow: (into, position) => {
      let filled = 0;
      while (filled < into.length) {
        const count = fs.readSync(descriptor, into, filled, into.length - filled, position + filled);
        if (count === 0) break;
        filled += count;
      }
      return filled;
    },
    write: (bytes, position) => writeTo(descriptor, bytes, position),
    writeThrough: async (bytes, position) => {
      through ??= await openThrough(descriptor);
      if (through !== 'none') return writeTo(through, bytes, position);
      await writeTo(descriptor, bytes, position);
      await sync();
    },
    truncate: (length) => promised<undefined>((done) => fs.ftruncate(descriptor, length, done)),
    sync,
    close: async () => {
      if (typeof through === 'number') await promised<undefined>((done) => fs.close(through as number, done));
      await promised<undefined>((done) => fs.close(descriptor, done));
    },
  };
}

/**
 * Opens the file of a descriptor once more, so that one call writes and syncs: each call costs a thread's wake-up. Linux alone opens a file
 * by a descriptor, whatever its name is by now; elsewhere `O_DSYNC` may also promise less than a sync.
 */
async function openThrough(descriptor: number): Promise<number | 'none'> {
  if (process.platform !== 'linux') return 'none';
  const { O_WRONLY, O_DSYNC } = fs.constants;
  return new Promise((resolve) => {
    fs.open(`/proc/self/fd/${descriptor}`, O_WRONLY | O_DSYNC, (error, opened) => resolve(error ? 'none' : opened));
  });
}

/** For a pipe, a folder or a device in place of a file of the store. */
export function notAFile(path: string): Failure {
  return fail('R0408', { directory: dirname(path), problem: `${basename(path)} is not a regular file` });
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
