/**
 * The environment of a store: files, time, chance and messages. Every store takes them as parameters, so that tests can
 * fail, stall, reorder and replay them. In `runtime/store` only `disk/` uses `node:fs`.
 */
export interface Disk {
  /** Creates a directory and its parents, private to the owner. */
  readonly makeDirectory: (path: string) => Promise<void>;
  /** Names in a directory, sorted; empty when there is no such directory. */
  readonly list: (directory: string) => Promise<readonly string[]>;
  /** `create` makes a new private file and fails when it exists; `write` and `read` need an existing one. */
  readonly open: (path: string, mode: 'create' | 'write' | 'read') => Promise<DiskFile>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** Makes the names in a directory durable. */
  readonly syncDirectory: (path: string) => Promise<void>;
  /** Locks the directory for this process; throws a `Failure` R0404 that names the owner when there is one. */
  readonly lock: (directory: string) => Promise<DirectoryLock>;
}

export interface DiskFile {
  readonly size: () => Promise<number>;
  /**
   * Changes with each write, and is another one for another file: while it is the same, nothing was changed through the
   * file system. It says nothing of decay below it.
   */
  readonly stamp: () => Promise<string>;
  /** Fills `into` from `position` on, as far as the file has bytes; resolves with their number. */
  readonly read: (into: Uint8Array, position: number) => Promise<number>;
  /** Does the work of `read` at once, for a few bytes: the thread waits for the disk. */
  readonly readNow: (into: Uint8Array, position: number) => number;
  /** Writes all of `bytes` at `position`, or throws. */
  readonly write: (bytes: Uint8Array, position: number) => Promise<void>;
  /** Does the work of `write`, and makes the bytes durable with the length that the file then has; bytes of other calls need a `sync`. */
  readonly writeThrough: (bytes: Uint8Array, position: number) => Promise<void>;
  readonly truncate: (length: number) => Promise<void>;
  /** The size of this file if the path still leads to it; undefined if not. One synchronous check. */
  readonly sizeAt: (path: string) => number | undefined;
  /** Makes content and length durable. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * The files of a database, whose engine cannot wait for a promise. Each call blocks its thread, so it is the thread of a
 * read model or a tool.
 */
export interface FileSystem {
  /** Opens a file to read and write; creates it, private, when it is missing. */
  readonly open: (path: string) => SyncFile;
  /** Whether the name still leads to that file. */
  readonly isAt: (mark: FileMark) => boolean;
  /** In bytes; undefined when there is no such file. */
  readonly size: (path: string) => number | undefined;
  /** Without effect when there is no such file. */
  readonly remove: (path: string) => void;
  /** Makes the names in a directory durable. */
  readonly syncDirectory: (path: string) => void;
}

/** A `DiskFile` whose calls return when they are done. */
export interface SyncFile {
  readonly size: () => number;
  readonly read: (into: Uint8Array, position: number) => number;
  readonly write: (bytes: Uint8Array, position: number) => void;
  readonly truncate: (length: number) => void;
  readonly sync: () => void;
  readonly close: () => void;
}

/** A file by its name and its identity: whether the name still leads to it tells another thread who owns a directory. */
export interface FileMark {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

export interface DirectoryLock {
  /** For threads of this process that write in the directory themselves. */
  readonly mark?: FileMark;
  /** Why another process may own the directory by now; undefined while this one does. One synchronous check. */
  readonly lost: () => string | undefined;
  readonly release: () => Promise<void>;
}

/** µs since 1970. */
export type Clock = () => bigint;

/** That many random bytes. */
export type Randomness = (bytes: number) => Uint8Array;

/** Receives messages about events of the store, one sentence each. */
export type StoreLog = (level: 'info' | 'warn' | 'error', message: string) => void;

export function joinPath(directory: string, name: string): string {
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}

/** Opens a file for some work, and closes it whatever happens. */
export async function withFile<T>(
  disk: Disk,
  path: string,
  mode: 'write' | 'read',
  work: (file: DiskFile) => Promise<T>,
): Promise<T> {
  const file = await disk.open(path, mode);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

export async function wholeContent(file: DiskFile): Promise<Buffer> {
  const bytes = Buffer.alloc(await file.size());
  return bytes.subarray(0, await file.read(bytes, 0));
}
