import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';
import { randomFillSync } from 'node:crypto';
import type { Clock, Disk, DiskFile, Randomness } from '../disk.ts';
import { lockDirectory } from './directory-lock.ts';

/** The disk of this machine. Files are 0600, directories 0700. */
export const nodeDisk: Disk = {
  makeDirectory: async (path) => {
    await fsp.mkdir(path, { recursive: true, mode: 0o700 });
  },
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

export const systemClock: Clock = () => BigInt(Date.now()) * 1000n;

export const systemRandom: Randomness = (bytes) => randomFillSync(new Uint8Array(bytes));

function openDescriptor(path: string, mode: 'create' | 'write' | 'read'): Promise<number> {
  const flags = mode === 'create' ? 'wx+' : mode === 'write' ? 'r+' : 'r';
  return new Promise((resolve, reject) => {
    fs.open(path, flags, 0o600, (error, descriptor) => (error ? reject(error) : resolve(descriptor)));
  });
}

// The callback API: every answer waits for a write and its fdatasync, and promises of file handles cost twice as much.
function nodeFile(descriptor: number): DiskFile {
  const promised = <T>(start: (done: (error: Error | null, value?: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      start((error, value) => (error ? reject(error) : resolve(value as T)));
    });
  let own: fs.Stats | undefined;
  return {
    isAt: (path) => {
      own ??= fs.fstatSync(descriptor);
      const there = fs.statSync(path, { throwIfNoEntry: false });
      return there?.ino === own.ino && there.dev === own.dev;
    },
    size: async () => (await promised<fs.Stats>((done) => fs.fstat(descriptor, done))).size,
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
    write: async (bytes, position) => {
      let written = 0;
      while (written < bytes.length) {
        const count = await promised<number>((done) =>
          fs.write(descriptor, bytes, written, bytes.length - written, position + written, done),
        );
        if (count === 0) throw new Error('the disk took no more bytes');
        written += count;
      }
    },
    truncate: (length) => promised<undefined>((done) => fs.ftruncate(descriptor, length, done)),
    sync: () => promised<undefined>((done) => fs.fdatasync(descriptor, done)),
    close: () => promised<undefined>((done) => fs.close(descriptor, done)),
  };
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
