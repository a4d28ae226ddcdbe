import * as fs from 'node:fs';
import type { FileSystem, SyncFile } from '../disk.ts';
import { isMissing, notAFile } from './node-disk.ts';

/** The files of this machine, for calls that cannot wait. Files are 0600. */
export const nodeFileSystem: FileSystem = {
  open: (path) => {
    const { O_RDWR, O_CREAT } = fs.constants;
    const descriptor = fs.openSync(path, O_RDWR | O_CREAT, 0o600);
    if (fs.fstatSync(descriptor).isFile()) return nodeSyncFile(descriptor);
    fs.closeSync(descriptor);
    throw notAFile(path);
  },
  isAt: ({ path, device, inode }) => {
    const there = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }); // as in directory-lock.ts
    return there?.ino === BigInt(inode) && there.dev === BigInt(device);
  },
  size: (path) => fs.statSync(path, { throwIfNoEntry: false })?.size,
  remove: (path) => {
    try {
      fs.unlinkSync(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  },
  syncDirectory: (path) => {
    const directory = fs.openSync(path, 'r');
    try {
      fs.fsyncSync(directory);
    } finally {
      fs.closeSync(directory);
    }
  },
};

function nodeSyncFile(descriptor: number): SyncFile {
  return {
    size: () => fs.fstatSync(descriptor).size,
    read: (into, position) => {
      let filled = 0;
      while (filled < into.length) {
        const count = fs.readSync(descriptor, into, filled, into.length - filled, position + filled);
        if (count === 0) break;
        filled += count;
      }
      return filled;
    },
    write: (bytes, position) => {
      let written = 0;
      while (written < bytes.length) {
        const count = fs.writeSync(descriptor, bytes, written, bytes.length - written, position + written);
        if (count === 0) throw Object.assign(new Error('the disk took no more bytes'), { code: 'ENOSPC' });
        written += count;
      }
    },
    truncate: (length) => fs.ftruncateSync(descriptor, length),
    sync: () => fs.fdatasyncSync(descriptor),
    close: () => fs.closeSync(descriptor),
  };
}
