/**
 * The heads of streams and the command ids of a long history, in sorted files next to the log, so that they take no memory. Each file has
 * those of a range of entries, and the ranges follow each other from the first entry on; several of a size become one. All of it is derived
 * from the log: a file that is damaged or of another log is removed with all after it, and its entries are read from the log again.
 */
import { joinPath, type Disk, type StoreLog } from '../disk.ts';
import { isMissing } from '../disk/node-disk.ts';
import type { EventKind } from '../entry.ts';
import { heads, ids, isUnfinished, rangeOf, type Footer } from './layout.ts';
import { DamagedLedgerFile, openLedgerFile, type LedgerFile } from './open-ledger-file.ts';
import { headRecords, idKey, idRecords, merged, sorted, streamKey, type HeadTable } from './records.ts';
import { writeLedgerFile } from './write-ledger-file.ts';

/** A part of the ledger: heads and ids of the entries after those of the last part, up to `entry`. */
export interface LedgerPart {
  readonly entry: number;
  readonly event: number;
  readonly at: bigint;
  readonly heads: HeadTable;
  readonly ids: readonly (readonly [hash: number, entry: number])[];
  /** All kinds up to `entry`. */
  readonly kinds: readonly EventKind[];
  /** The numbers of schema entries in this part. */
  readonly schema: readonly number[];
}

/** The ledger as of the last entry in the files. */
export interface SavedLedger extends Pick<Footer, 'entry' | 'event' | 'kinds' | 'schema'> {
  readonly at: bigint;
}

export interface LedgerFiles {
  readonly saved: () => SavedLedger;
  /** The seq of the stream's last event in the files, 0 when it has none there. Waits for the disk. */
  readonly head: (streamType: string, streamId: string) => number;
  /** The entries of commands with that hash. Waits for the disk. */
  readonly candidates: (hash: number) => readonly number[];
  /** Adds a part; `checksum` is the CRC-32 of the line of its last entry. One at a time. */
  readonly save: (part: LedgerPart, checksum: number) => Promise<void>;
  /** Why the files cannot be read any longer; a restart reads the log instead. */
  readonly trouble: () => string | undefined;
  readonly close: () => Promise<void>;
}

export interface LedgerFilesOptions {
  readonly disk: Disk;
  readonly directory: string;
  /** Hex: the secret of the store. */
  readonly secret: string;
  /** Whether the log has that entry with that checksum. */
  readonly fits: (entry: number, checksum: number) => Promise<boolean>;
  /** Why nothing may be written to the directory any longer. */
  readonly lost: () => string | undefined;
  readonly log: StoreLog;
}

/** Number of files of about one size that become one. */
const fanIn = 4;

export async function openLedgerFiles(options: LedgerFilesOptions): Promise<LedgerFiles> {
  const { disk, directory, log } = options;
  /** Oldest first. */
  let files = await openAll(options);
  let damaged: string | undefined;
  /** Damaged files that are being removed. */
  let removing: Promise<void> = Promise.resolve();
  const key = options.secret;

  const check = (): void => {
    const lost = options.lost();
    if (lost !== undefined) throw new Error(lost);
  };
  const remove = async (file: LedgerFile): Promise<void> => {
    await file.close();
    check();
    await removeFile(disk, directory, file.name);
  };
  /** All are removed at once: a disk that damaged one may have damaged others, and no later start may believe them. */
  const found = (error: unknown): never => {
    if (error instanceof DamagedLedgerFile && damaged === undefined) {
      damaged = error.message;
      log('error', `${error.message}; restart it: the log has all of it`);
      const doubtful = files;
      files = [];
      removing = removeAll(doubtful).catch((failure: unknown) =>
        log('error', `it could not be removed: ${messageOf(failure)}`),
      );
    }
    throw error;
  };
  const removeAll = async (some: readonly LedgerFile[]): Promise<void> => {
    for (const file of some) await remove(file);
  };
  const readable = (): void => {
    if (damaged !== undefined) throw new DamagedLedgerFile(damaged);
  };

  const add = async (name: string, replaced: readonly LedgerFile[]): Promise<void> => {
    readable();
    const file = await openLedgerFile(disk, directory, name);
    files = [...files.slice(0, files.length - replaced.length), file];
    await removeAll(replaced);
  };

  const mergeLast = async (some: readonly LedgerFile[]): Promise<void> => {
    const [first, last] = [some[0], some.at(-1)];
    if (first === undefined || last === undefined) return;
    const { heads: _h, ids: _i, filterBytes: _b, filterChecksum: _c, ...about } = last.footer;
    const records = (file: LedgerFile, of: typeof heads): AsyncIterable<Buffer> => watched(file.records(of));
    const name = await writeLedgerFile(
      disk,
      directory,
      {
        heads: merged(
          some.map((file) => records(file, heads)),
          heads,
        ),
        ids: merged(
          some.map((file) => records(file, ids)),
          ids,
        ),
        records: some.reduce((sum, file) => sum + weight(file), 0),
        about: { ...about, from: first.footer.from, schema: some.flatMap(({ footer }) => footer.schema) },
      },
      check,
    );
    await add(name, some);
  };
  async function* watched(records: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* records;
    } catch (error) {
      found(error);
    }
  }

  return {
    saved: () => {
      const last = files.at(-1)?.footer;
      const { entry = 0, event = 0, at = '0', kinds = [] } = last ?? {};
      return { entry, event, at: BigInt(at), kinds, schema: files.flatMap(({ footer }) => footer.schema) };
    },
    head: (streamType, streamId) => {
      readable();
      if (files.length === 0) return 0;
      const wanted = streamKey(key, streamType, streamId);
      for (const file of files.toReversed()) {
        const [seq] = sought(() => file.find(heads, wanted));
        if (seq !== undefined) return seq;
      }
      return 0;
    },
    candidates: (hash) => {
      readable();
      const wanted = idKey(hash);
      return files.flatMap((file) => sought(() => file.find(ids, wanted)));
    },
    save: async (part, checksum) => {
      readable();
      const { entry, event, at, kinds, schema } = part;
      const streams = await headRecords(key, part.heads);
      const commands = idRecords(part.ids);
      const name = await writeLedgerFile(
        disk,
        directory,
        {
          heads: sorted(streams, heads),
          ids: sorted(commands, ids),
          records: streams.length / heads.recordBytes + commands.length / ids.recordBytes,
          about: { from: files.at(-1)?.footer.entry ?? 0, entry, event, at: String(at), checksum, kinds, schema },
        },
        check,
      );
      await add(name, []);
      try {
        for (let some = ofOneSize(files); some.length > 0; some = ofOneSize(files)) await mergeLast(some);
      } catch (error) {
        // The part is saved, and more files are slower to read; the next part tries it again.
        log('warn', `ledger files could not be merged: ${messageOf(error)}`);
      }
    },
    trouble: () => damaged,
    close: async () => {
      await removing;
      for (const file of files) await file.close();
    },
  };

  function sought<T>(find: () => T): T {
    try {
      return find();
    } catch (error) {
      return found(error);
    }
  }
}

function weight({ footer }: LedgerFile): number {
  return footer.heads + footer.ids;
}

/** The last files of about one size, or smaller, if there are enough of them to become one; else none. */
function ofOneSize(files: readonly LedgerFile[]): readonly LedgerFile[] {
  let most = 1;
  let first = files.length;
  for (; first > 0; first -= 1) {
    const size = weight(files[first - 1] as LedgerFile); // within its length
    if (size >= fanIn * most && first < files.length) break;
    most = Math.max(most, size);
  }
  const last = files.slice(first);
  return last.length < fanIn ? [] : last;
}

/** The files that follow each other from the first entry on and belong to the log; all others are removed. */
async function openAll({ disk, directory, fits, lost, log }: LedgerFilesOptions): Promise<readonly LedgerFile[]> {
  const names = await disk.list(directory);
  const ranges = names.flatMap((name) => {
    const range = rangeOf(name);
    return range === undefined ? [] : [{ name, ...range }];
  });
  const open: LedgerFile[] = [];
  const openNext = async (from: number): Promise<LedgerFile | undefined> => {
    const candidates = ranges.filter((range) => range.from === from).sort((a, b) => b.entry - a.entry);
    for (const { name, entry } of candidates) {
      const file = await tried(() => openLedgerFile(disk, directory, name), log);
      if (file === undefined) continue;
      const { footer } = file;
      if (footer.from === from && footer.entry === entry && entry > from && (await fits(entry, footer.checksum)))
        return file;
      await file.close();
      log('warn', `${name} is removed: it is of another log, or of entries that this log has lost`);
    }
    return undefined;
  };
  for (let file = await openNext(0); file !== undefined; file = await openNext(file.footer.entry)) open.push(file);
  const kept = new Set(open.map(({ name }) => name));
  const unwanted = [...ranges.map(({ name }) => name), ...names.filter(isUnfinished)].filter((name) => !kept.has(name));
  for (const name of unwanted) if (lost() === undefined) await removeFile(disk, directory, name);
  return open;
}

async function tried(work: () => Promise<LedgerFile>, log: StoreLog): Promise<LedgerFile | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DamagedLedgerFile)) throw error;
    log('warn', `${error.message}; what it had is read from the log again`);
    return undefined;
  }
}

async function removeFile(disk: Disk, directory: string, name: string): Promise<void> {
  try {
    await disk.remove(joinPath(directory, name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
