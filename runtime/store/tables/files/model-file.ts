/** The file of a read model on disk, as the threads that open it know it. Plain data, for a message to a thread. */
import type { FileMark } from '../../disk.ts';
import { createLockMemory, type FileLock } from './file-lock.ts';

export interface ModelFile {
  /** Absolute. */
  readonly path: string;
  /** Memory for pages of the file, in bytes. */
  readonly cacheBytes: number;
  readonly lock: FileLock;
  /** Shows that this process still owns the directory. */
  readonly owner?: FileMark;
}

export interface ModelFiles {
  /** For the thread that writes it. */
  readonly written: ModelFile;
  /** For a thread that reads it while it is written. */
  readonly read: ModelFile;
  /** For the check of its pages, in the main thread. */
  readonly checked: Pick<ModelFile, 'path' | 'lock'>;
}

export const readModelFileName = 'read-model.db';
/** Pages in memory (`read.cache_mb`), by default. */
export const defaultCacheBytes = 64 * 1024 * 1024;
/** Console queries share a smaller one: it is lost with each change of the file. */
const readerCacheBytes = 16 * 1024 * 1024;

export function createModelFiles(path: string, cacheBytes: number, owner?: FileMark): ModelFiles {
  const memory = createLockMemory();
  const common = { path, ...(owner !== undefined && { owner }) };
  return {
    written: { ...common, cacheBytes, lock: { memory, holder: 0 } },
    read: { ...common, cacheBytes: Math.min(cacheBytes, readerCacheBytes), lock: { memory, holder: 1 } },
    checked: { path, lock: { memory, holder: 2 } },
  };
}
