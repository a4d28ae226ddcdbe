/** A database in a file, and the failures of one. */
import { fail, type Failure } from '../../../../language/failure/failure.ts';
import type { FileMark, FileSystem } from '../../disk.ts';
import type { FileLock } from './file-lock.ts';

/** A database in a file, with its journal in a second file. */
export interface DatabaseFile {
  readonly path: string;
  /** Time that a statement waits for the locks of other threads, in ms, before it fails. */
  readonly patience: number;
  /** Pages in memory, in bytes. */
  readonly cacheBytes: number;
  /** Shared by all threads that have the file open. */
  readonly lock: FileLock;
  readonly files: FileSystem;
  /** While its name leads elsewhere, another process may have the file, and this one writes nothing. */
  readonly owner?: FileMark;
}

/** The file of a database cannot be used: it is damaged, or it is none. */
export class DamagedFile extends Error {}

/** The file cannot grow: the disk is full, or it fails. The tables are as they were after the last `settle`. */
export class UnwritableFile extends Error {}

/** The failure of a statement that needs more memory than there is, for its values or for tables in memory. It has changed nothing. */
export function noMemory(): Failure {
  return fail('R0301', { what: 'memory', limit: 'what one value or the read model may take' });
}

/** Why a file is not written any longer whose directory was taken by another process. */
export const notOurs = 'another process may have the data directory';
