/**
 * A disk in memory that records every operation, can fail any of them, and gives its possible contents if the machine
 * had stopped after any prefix. Unsynced data may be there, missing or torn, separately for each file and name, as the
 * caller decides.
 */
import { createHash } from 'node:crypto';
import type { Disk, DiskFile } from '../../runtime/store/disk.ts';

export type Operation =
  | { readonly kind: 'create'; readonly path: string; readonly file: number }
  | { readonly kind: 'write'; readonly file: number; readonly position: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly length: number }
  | { readonly kind: 'sync'; readonly file: number }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'sync-directory' }
  /** Added by the test: a command was answered. */
  | { readonly kind: 'mark'; readonly what: string };

export type Content = ReadonlyMap<string, Buffer>;

export interface SimulatedDisk extends Disk {
  readonly operations: readonly Operation[];
  readonly mark: (what: string) => void;
  /** Names and contents as programs see them now. */
  readonly content: () => Content;
}

/**
 * Called before each operation; its result replaces the operation. `after`: bytes of a write that still reach the file.
 */
export type Fault = (call: string) => { readonly error: Error; readonly after?: number } | undefined;

export function createSimulatedDisk(start: Content = new Map(), fault: Fault = () => undefined): SimulatedDisk {
  const operations: Operation[] = [];
  const files: Buffer[] = [];
  const names = new Map<string, number>();
  for (const [path, bytes] of start) names.set(path, files.push(Buffer.from(bytes)) - 1);

  const attempt = (call: string): void => {
    const failed = fault(call);
    if (failed !== undefined) throw failed.error;
  };
  const known = (path: string): number => {
    const file = names.get(path);
    if (file === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return file;
  };
  const log = (operation: Operation): void => {
    operations.push(operation);
  };

  const openFile = (file: number): DiskFile => {
    const opened = openedFile(file);
    return {
      ...opened,
      // Makes two operations, between which the machine may stop.
      writeThrough: async (bytes, position) => {
        await opened.write(bytes, position);
        await opened.sync();
      },
    };
  };
  const openedFile = (file: number): Omit<DiskFile, 'writeThrough'> => ({
    sizeAt: (path) => (names.get(path) === file ? (files[file]?.length ?? 0) : undefined),
    size: async () => {
      attempt('size');
      await Promise.resolve();
      return files[file]?.length ?? 0;
    },
    // The stamp is a hash of the content, which shows each change.
    stamp: () =>
      Promise.resolve(
        createHash('sha1')
          .update(files[file] ?? '')
          .digest('hex'),
      ),
    read: async (into, position) => {
      attempt('read');
      await Promise.resolve();
      return files[file]?.copy(into, 0, position, position + into.length) ?? 0;
    },
    readNow: (into, position) => {
      attempt('read');
      return files[file]?.copy(into, 0, position, position + into.length) ?? 0;
    },
    write: async (bytes, position) => {
      const failed = fault('write');
      const done = failed === undefined ? bytes : bytes.subarray(0, failed.after ?? 0);
      const operation = { kind: 'write', file, position, bytes: Buffer.from(done) } as const;
      if (done.length > 0) {
        log(operation);
        files[file] = applied(files[file] ?? Buffer.alloc(0), operation);
      }
      await new Promise((resolve) => setImmediate(resolve));
      if (failed !== undefined) throw failed.error;
    },
    truncate: async (length) => {
      attempt('truncate');
      const operation = { kind: 'truncate', file, length } as const;
      log(operation);
      files[file] = applied(files[file] ?? Buffer.alloc(0), operation);
      await Promise.resolve();
    },
    sync: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      attempt('sync');
      log({ kind: 'sync', file });
    },
    close: () => Promise.resolve(),
  });

  return {
    operations,
    mark: (what) => log({ kind: 'mark', what }),
    content: () => new Map([...names].map(([path, file]) => [path, files[file] ?? Buffer.alloc(0)])),
    makeDirectory: () => {
      attempt('makeDirectory');
      return Promise.resolve();
    },
    list: async (directory) => {
      attempt('list');
      await Promise.resolve();
      return [...names.keys()].map((path) => path.slice(directory.length + 1)).sort();
    },
    open: async (path, mode) => {
      attempt('open');
      await Promise.resolve();
      if (mode !== 'create') return openFile(known(path));
      if (names.has(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' });
      const file = files.push(Buffer.alloc(0)) - 1;
      names.set(path, file);
      log({ kind: 'create', path, file });
      return openFile(file);
    },
    rename: async (from, to) => {
      attempt('rename');
      await Promise.resolve();
      names.set(to, known(from));
      names.delete(from);
      log({ kind: 'rename', from, to });
    },
    remove: async (path) => {
      attempt('remove');
      await Promise.resolve();
      known(path);
      names.delete(path);
      log({ kind: 'remove', path });
    },
    syncDirectory: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      attempt('syncDirectory');
      log({ kind: 'sync-directory' });
    },
    lock: () => Promise.resolve({ lost: () => undefined, release: () => Promise.resolve() }),
  };
}

type FileOperation = Extract<Operation, { kind: 'write' | 'truncate' }>;

function applied(before: Buffer, operation: FileOperation): Buffer {
  if (operation.kind === 'truncate') {
    const after = Buffer.alloc(operation.length);
    before.copy(after);
    return after;
  }
  if (operation.position === before.length) return appended(before, operation.bytes);
  const after = Buffer.alloc(Math.max(before.length, operation.position + operation.bytes.length));
  before.copy(after);
  operation.bytes.copy(after, operation.position);
  return after;
}

/** The bytes in use of the memory behind a content, which may have room for more. */
const used = new WeakMap<ArrayBufferLike, number>();

/**
 * Appending is what a log does most, so the bytes before are copied only when there is no room, or when something else was appended to the same
 * content before. A content itself never changes.
 */
function appended(before: Buffer, bytes: Buffer): Buffer {
  const length = before.length + bytes.length;
  const hasRoom = used.get(before.buffer) === before.length && length <= before.buffer.byteLength;
  const memory = hasRoom ? before.buffer : new ArrayBuffer(2 * length);
  const after = Buffer.from(memory, 0, length);
  if (!hasRoom) before.copy(after);
  bytes.copy(after, before.length);
  used.set(memory, length);
  return after;
}

/** The effect of an operation that was not synced. */
export type Fate = 'kept' | 'lost' | { readonly torn: (bytes: Buffer) => Buffer };

/**
 * A possible content of the disk after the first `count` operations; `fate` decides about each that was not synced by
 * then. Synced operations are always kept.
 */
export function crashed(
  start: Content,
  operations: readonly Operation[],
  count: number,
  fate: (operation: Operation) => Fate,
): Content {
  const prefix = operations.slice(0, count);
  const lastSync = new Map<number, number>();
  let lastDirectorySync = -1;
  for (const [index, operation] of prefix.entries()) {
    if (operation.kind === 'sync') lastSync.set(operation.file, index);
    if (operation.kind === 'sync-directory') lastDirectorySync = index;
  }
  const names = new Map<string, number>();
  const files = new Map<number, Buffer>();
  for (const [index, [path, bytes]] of [...start].entries()) {
    names.set(path, index);
    files.set(index, bytes);
  }
  for (const [index, operation] of prefix.entries()) {
    switch (operation.kind) {
      case 'create':
      case 'rename':
      case 'remove':
        if (index < lastDirectorySync || fate(operation) !== 'lost') changeNames(names, operation);
        break;
      case 'write':
      case 'truncate': {
        const decided = index < (lastSync.get(operation.file) ?? -1) ? 'kept' : fate(operation);
        if (decided === 'lost') break;
        const before = files.get(operation.file) ?? Buffer.alloc(0);
        const changed =
          decided === 'kept' || operation.kind === 'truncate'
            ? operation
            : { ...operation, bytes: decided.torn(operation.bytes) };
        files.set(operation.file, applied(before, changed));
        break;
      }
      case 'sync':
      case 'sync-directory':
      case 'mark':
        break;
    }
  }
  return new Map([...names].map(([path, file]) => [path, files.get(file) ?? Buffer.alloc(0)]));
}

function changeNames(
  names: Map<string, number>,
  operation: Extract<Operation, { kind: 'create' | 'rename' | 'remove' }>,
): void {
  if (operation.kind === 'create') names.set(operation.path, operation.file);
  else if (operation.kind === 'remove') names.delete(operation.path);
  else {
    const file = names.get(operation.from);
    if (file === undefined) return;
    names.set(operation.to, file);
    names.delete(operation.from);
  }
}
