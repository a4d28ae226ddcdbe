/**
 * Serves the files of databases to the WebAssembly module of sql.js, which has only files of its own in memory: the system calls that SQLite makes
 * are functions given to the module, and those for the path of such a database reach the disk, or chunks of memory, here. All other calls go to the
 * files of the module, as before.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../../../language/failure/failure.ts';
import type { SyncFile } from '../../disk.ts';
import { DamagedFile, notOurs, UnwritableFile, type DatabaseFile } from './database-file.ts';
import { awaitChange, isTaken, releaseLock, takeLock, type LockedRange } from './file-lock.ts';
import { emptyDatabase, isSealed, pageBytes, sealPage } from './page-check.ts';

type Call = (...given: never[]) => unknown;

/** A database that a module has open, or is about to open. */
export interface ServedFile {
  /** The error of its last call that failed, once. */
  readonly problem: () => Error | undefined;
  /** Whether the module opened it. */
  readonly isOpen: () => boolean;
  /** Its path is free again; its files were closed before. */
  readonly forget: () => void;
}

export interface SystemCalls {
  /** The functions for the module, with those of files replaced. */
  readonly served: (imports: object) => object;
  /** The database that the module opens next is this file. On disk its pages are sealed with a checksum. */
  readonly serveNext: (file: DatabaseFile, pages: 'sealed' | 'plain') => ServedFile;
}

/**
 * The names of the calls in the module that is pinned in package.json, where they are single letters. They hold only
 * for exactly these bytes.
 */
const moduleHash = '43bbcdd44287e5a2db3b6b5af34b1a3485a7a441285d247976c1ebe3c61f8dbf';
const letters = {
  open: 'x',
  close: 'e',
  read: 't',
  write: 'q',
  seek: 'E',
  sync: 'K',
  truncate: 'J',
  statOpen: 'g',
  stat: 'N',
  access: 'D',
  unlink: 'o',
  control: 'b',
  chmodOpen: 'j',
  chownOpen: 'h',
} as const;

/** Numbers of errors and of requests, as the module has them. */
const errors = { again: 6, badFile: 8, io: 29, noEntry: 44, noSpace: 51 } as const;
const requests = { getLock: 12, setLock: 13, awaitLock: 14 } as const;
const lockKinds = { write: 1, none: 2 } as const;
/** The first byte that SQLite locks: pending; then reserved, then 510 for those that read. */
const lockBytes = 0x40000000;
const regularFile = 0o100600;
/** Above the numbers of files in memory. */
const firstDescriptor = 100_000;
const databasePath = /^\/dbfile_\d+$/;

interface Served {
  readonly file: DatabaseFile;
  readonly isSealed: boolean;
  base?: string;
  problem?: Error;
  /** When this process was last seen to own the file, in ms. */
  ownedAt: number;
}

/** A name of the module: the database itself, or its journal. */
interface Named {
  readonly served: Served;
  readonly path: string;
  readonly inode: number;
  readonly isJournal: boolean;
}

interface Opened extends Named {
  readonly descriptor: SyncFile;
  position: number;
}

/** `moduleBytes`: size of the WebAssembly module. `memory`: the memory of its instance. */
export function createSystemCalls(moduleBytes: () => Uint8Array, memory: () => Uint8Array): SystemCalls {
  const names = new Map<string, Named>();
  const opened = new Map<number, Opened>();
  let nextDescriptor = firstDescriptor;
  let nextInode = firstDescriptor;
  let awaited: Served | undefined;
  let bytes: Uint8Array = new Uint8Array();
  let view = new DataView(bytes.buffer);

  /** Memory may have grown since: then the old view is empty. */
  const look = (): void => {
    if (bytes.length > 0) return;
    bytes = memory();
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  };
  const textAt = (place: number): string => {
    look();
    return Buffer.from(bytes.buffer, place, bytes.indexOf(0, place) - place).toString();
  };

  const name = (served: Served, base: string): void => {
    served.base = base;
    const { path } = served.file;
    names.set(base, { served, path, inode: nextInode++, isJournal: false });
    names.set(`${base}-journal`, { served, path: journalOf(path), inode: nextInode++, isJournal: true });
  };

  /** Runs a call on the disk; gives the number of the error when it fails. */
  const attempt = (served: Served, work: () => void): number => {
    try {
      work();
      return 0;
    } catch (error) {
      served.problem = asProblem(error);
      return (error as NodeJS.ErrnoException).code === 'ENOSPC' ? errors.noSpace : errors.io;
    }
  };

  const open = (named: Named): number => {
    const { files } = named.served.file;
    const descriptor = nextDescriptor++;
    const failed = attempt(named.served, () => {
      const isNew = files.size(named.path) === undefined;
      const file = files.open(named.path);
      if (named.served.isSealed && !named.isJournal && file.size() === 0) {
        file.write(emptyDatabase(), 0);
        file.sync();
      }
      if (isNew) files.syncDirectory(folderOf(named.path));
      opened.set(descriptor, { ...named, descriptor: file, position: 0 });
    });
    return failed === 0 ? descriptor : -failed;
  };

  const writeStat = (place: number, inode: number, size: number): number => {
    look();
    bytes.fill(0, place, place + 96);
    view.setUint32(place, 1, true); // device
    view.setUint32(place + 4, regularFile, true);
    view.setUint32(place + 8, 1, true); // links
    view.setBigInt64(place + 24, BigInt(size), true);
    view.setInt32(place + 32, 4096, true);
    view.setInt32(place + 36, Math.ceil(size / 512), true);
    view.setBigInt64(place + 88, BigInt(inode), true);
    return 0;
  };

  /** Reads or writes each part of a list of (address, length), and stores how many bytes that were. */
  const eachPart = (of: Opened, list: number, parts: number, total: number, move: Move): number => {
    let done = 0;
    const failed = attempt(of.served, () => {
      for (let part = 0; part < parts; part++) {
        look();
        const place = view.getUint32(list + part * 8, true);
        const length = view.getUint32(list + part * 8 + 4, true);
        const moved = move(of, bytes.subarray(place, place + length));
        of.position += moved;
        done += moved;
        if (moved < length) break;
      }
      view.setUint32(total, done, true);
    });
    return failed;
  };

  const control = (of: Opened, request: number, given: number): number => {
    if (request < requests.getLock || request > requests.awaitLock) return 0;
    look();
    const { lock, patience } = of.served.file;
    const place = view.getUint32(given, true);
    const kind = view.getInt16(place, true);
    const ranges = rangesOf(view.getBigInt64(place + 8, true), view.getBigInt64(place + 16, true));
    if (request === requests.getLock) {
      view.setInt16(place, ranges.some((range) => isTaken(lock, range)) ? lockKinds.write : lockKinds.none, true);
      return 0;
    }
    if (kind === lockKinds.write && ranges.includes('shared')) of.served.ownedAt = -Infinity;
    if (kind === lockKinds.write && attempt(of.served, () => checkOwner(of.served)) !== 0) return -errors.io;
    const end = performance.now() + patience;
    for (const range of ranges) {
      if (kind === lockKinds.none) releaseLock(lock, range);
      else
        while (!takeLock(lock, range, kind === lockKinds.write ? 'write' : 'read')) {
          const left = end - performance.now();
          if (left <= 0) return -errors.again;
          awaitChange(lock, Math.min(left, longestWait));
        }
    }
    return 0;
  };

  const unlink = ({ served, path }: Named): number =>
    -attempt(served, () => {
      served.file.files.remove(path);
      served.file.files.syncDirectory(folderOf(path));
    });

  const served = (imports: object): object => {
    const [module, functions] = Object.entries(imports)[0] as [string, Record<string, Call>];
    const own: Record<string, Call> = {};
    /** Replaces a call; `own` answers undefined for a file that is not on disk. */
    const replace = <A extends (number | bigint)[]>(
      call: keyof typeof letters,
      answer: (...given: A) => number | undefined,
    ): void => {
      const usual = functions[letters[call]] as unknown as (...given: A) => number;
      own[letters[call]] = (...given: A) => answer(...given) ?? usual(...given);
    };
    const closeUsual = functions[letters.close] as unknown as (descriptor: number) => number;
    const openUsual = functions[letters.open] as unknown as (...given: number[]) => number;
    const at = (descriptor: number): Opened | undefined => opened.get(descriptor);
    const named = (place: number): Named | undefined => (names.size === 0 ? undefined : names.get(textAt(place)));

    replace('open', (folder: number, place: number, flags: number, given: number) => {
      if (awaited !== undefined && databasePath.test(textAt(place))) {
        name(awaited, textAt(place));
        awaited = undefined;
        // sql.js removes the file in memory when it closes a database.
        closeUsual(openUsual(folder, place, flags, given));
      }
      const found = named(place);
      return found === undefined ? undefined : open(found);
    });
    replace('close', (descriptor: number) => {
      const found = at(descriptor);
      if (found === undefined) return undefined;
      opened.delete(descriptor);
      return attempt(found.served, found.descriptor.close);
    });
    replace('read', (descriptor: number, list: number, parts: number, total: number) => {
      const found = at(descriptor);
      return found === undefined ? undefined : eachPart(found, list, parts, total, read);
    });
    replace('write', (descriptor: number, list: number, parts: number, total: number) => {
      const found = at(descriptor);
      return found === undefined ? undefined : eachPart(found, list, parts, total, write);
    });
    replace('seek', (descriptor: number, offset: bigint, from: number, result: number) => {
      const found = at(descriptor);
      if (found === undefined) return undefined;
      look();
      const start = from === 0 ? 0 : from === 1 ? found.position : found.descriptor.size();
      found.position = start + Number(offset);
      view.setBigInt64(result, BigInt(found.position), true);
      return 0;
    });
    replace('sync', (descriptor: number) => {
      const found = at(descriptor);
      return found === undefined ? undefined : attempt(found.served, found.descriptor.sync);
    });
    replace('truncate', (descriptor: number, length: bigint) => {
      const found = at(descriptor);
      return found === undefined ? undefined : -attempt(found.served, () => found.descriptor.truncate(Number(length)));
    });
    replace('statOpen', (descriptor: number, place: number) => {
      const found = at(descriptor);
      return found === undefined ? undefined : writeStat(place, found.inode, found.descriptor.size());
    });
    replace('stat', (place: number, result: number) => {
      const found = named(place);
      if (found === undefined) return undefined;
      const size = found.served.file.files.size(found.path);
      return size === undefined ? -errors.noEntry : writeStat(result, found.inode, size);
    });
    replace('access', (_folder: number, place: number) => {
      const found = named(place);
      if (found === undefined) return undefined;
      return found.served.file.files.size(found.path) === undefined ? -errors.noEntry : 0;
    });
    replace('unlink', (_folder: number, place: number) => {
      const found = named(place);
      return found === undefined ? undefined : unlink(found);
    });
    replace('control', (descriptor: number, request: number, given: number) => {
      const found = at(descriptor);
      return found === undefined ? undefined : control(found, request, given);
    });
    for (const call of ['chmodOpen', 'chownOpen'] as const)
      replace(call, (descriptor: number) => (at(descriptor) === undefined ? undefined : 0));
    return { ...imports, [module]: { ...functions, ...own } };
  };

  return {
    served,
    serveNext: (file, pages) => {
      checkModule(moduleBytes);
      const made: Served = { file, isSealed: pages === 'sealed', ownedAt: -Infinity };
      awaited = made;
      return {
        problem: () => {
          const { problem } = made;
          delete made.problem;
          return problem;
        },
        isOpen: () => made.base !== undefined,
        forget: () => {
          if (awaited === made) awaited = undefined;
          if (made.base === undefined) return;
          names.delete(made.base);
          names.delete(`${made.base}-journal`);
        },
      };
    },
  };
}

type Move = (of: Opened, into: Uint8Array) => number;
/** Maximum time that the thread sleeps between two looks at a lock, in ms. */
const longestWait = 20;

/** The sealed page at which a whole page is read or written, counted from 1; undefined for anything else. */
function pageAt({ served, isJournal, position }: Opened, { length }: Uint8Array): number | undefined {
  return !served.isSealed || isJournal || length !== pageBytes || position % pageBytes !== 0
    ? undefined
    : position / pageBytes + 1;
}

const read: Move = (of, into) => {
  const done = of.descriptor.read(into, of.position);
  const page = pageAt(of, into);
  if (page !== undefined && done === into.length && !isSealed(into, page))
    throw new DamagedFile(`page ${page} does not have its checksum`);
  return done;
};

const write: Move = (of, from) => {
  checkOwner(of.served);
  const page = pageAt(of, from);
  if (page !== undefined) sealPage(from, page);
  of.descriptor.write(from, of.position);
  return from.length;
};

/** Often enough that hardly anything is written after another process took the directory. */
const ownerChecks = 50;

function checkOwner(served: Served): void {
  const { owner, files } = served.file;
  if (owner === undefined) return;
  const now = performance.now();
  if (now - served.ownedAt < ownerChecks) return;
  if (!files.isAt(owner)) throw new UnwritableFile(notOurs);
  served.ownedAt = now;
}

function rangesOf(start: bigint, length: bigint): readonly LockedRange[] {
  if (start === 0n) return ['pending', 'reserved', 'shared'];
  const first = Number(start) - lockBytes;
  if (first >= 2) return ['shared'];
  const all = ['pending', 'reserved'] as const;
  return all.slice(first, first + Number(length));
}

/**
 * The journal of a database. Not under the name that SQLite gives it: another program that opens the database would
 * take it for the one of a writer that died, since it does not see our locks, and undo what is being written.
 */
export function journalOf(path: string): string {
  return `${path.replace(/\.db$/, '')}.undo`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function asProblem(error: unknown): Error {
  if (error instanceof DamagedFile || error instanceof Failure) return error;
  return new UnwritableFile(error instanceof Error ? error.message : String(error));
}

let checked = false;

/** Calls under the letters of another build would reach anything. */
function checkModule(bytes: () => Uint8Array): void {
  if (checked) return;
  const hash = createHash('sha256').update(bytes()).digest('hex');
  if (hash !== moduleHash)
    throw new Error('a read model works with the pinned version of sql.js only, and this is another one');
  checked = true;
}
