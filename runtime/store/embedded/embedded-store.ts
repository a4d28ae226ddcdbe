/** The store in a directory of this machine: the log is the truth, the read model and its snapshots are derived. */
import { fail, Failure } from '../../../language/failure/failure.ts';
import type { ReadEngine } from '../../../language/contract/read-model.ts';
import { assembleStore, type StoreParts } from '../assemble-store.ts';
import type { Clock, DirectoryLock, Disk, Randomness, StoreLog } from '../disk.ts';
import { nodeDisk, systemClock, systemRandom } from '../disk/node-disk.ts';
import { openConsumerFile } from '../side/consumer-file.ts';
import { createInspectionFiles } from '../side/inspection-files.ts';
import type { Opening } from '../opening.ts';
import { openLog, type DiskLog } from '../log/log.ts';
import { logBytes } from '../log/log-bytes.ts';
import { defaultSegmentBytes } from '../log/segment.ts';
import { defaultCacheBytes } from '../tables/files/model-file.ts';
import type { Store } from '../store.ts';
import { createDiskTables } from '../tables/disk-tables.ts';
import { defaultMaxBytes } from '../tables/memory-limit.ts';
import { createSnapshotKeeper, createSnapshots } from './snapshots.ts';

export interface EmbeddedStoreOptions {
  /** Absolute path; created when it is missing. */
  readonly directory: string;
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly random?: Randomness;
  /** False: a power cut may lose acknowledged entries (`wal.fsync`). */
  readonly fsync?: boolean;
  /** A segment of the log of this size gets no further frames (`wal.rollover_mb`). */
  readonly rolloverBytes?: number;
  /** `worker`: a query never delays commands, and its time limit always applies; `inline`: starts faster. */
  readonly readModel?: 'worker' | 'inline';
  /** Maximum memory of the read model; beyond it the store refuses appends (`inmemory.max_mb`). */
  readonly maxBytes?: number;
  /** The next snapshot is written while serving after this many entries, and after a quarter of all entries. */
  readonly snapshotEntries?: number;
  /** Where the read model is (`read.engine`); by default in memory. */
  readonly readEngine?: ReadEngine;
  /** Memory for pages of a read model on disk (`read.cache_mb`). */
  readonly cacheBytes?: number;
  /** With a read model on disk: heads of streams and command ids in memory after which they are moved to files. */
  readonly ledgerInMemory?: number;
  readonly log?: StoreLog;
  /** Hex of 32 bytes, for a new store that replaces another one; else random. */
  readonly secret?: string;
  /** Continue without the entries from this one on, when the log has lost them. */
  readonly acceptLoss?: number;
  /** For a caller who shows how far it is, or ends it. */
  readonly opening?: Opening;
}

const defaults = { rolloverBytes: defaultSegmentBytes, snapshotEntries: 100_000 } as const;

/**
 * Opens the store and owns its directory until `close`. Throws a `Failure`: R0404 when another process owns it, R0408
 * when it cannot be written, R0405 with segment and offset when the log is damaged, R0406 when it has a newer format,
 * R0412 when its end is missing.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<Store> {
  const { directory } = options;
  const disk = options.disk ?? nodeDisk;
  const random = options.random ?? systemRandom;
  const log = options.log ?? (() => undefined);
  const opening = options.opening !== undefined && { opening: options.opening };
  const lock = await takeDirectory(disk, directory);
  try {
    const journal = await openLog({
      directory,
      disk,
      random,
      fsync: options.fsync ?? true,
      rolloverBytes: options.rolloverBytes ?? defaults.rolloverBytes,
      log,
      lost: lock.lost,
      ...(options.secret !== undefined && { secret: options.secret }),
      ...(options.acceptLoss !== undefined && { acceptLoss: options.acceptLoss }),
      ...opening,
    });
    const place = options.readModel ?? 'worker';
    const onDisk = (await isOnDisk(disk, options))
      ? await createDiskTables(disk, directory, journal, {
          cacheBytes: options.cacheBytes ?? defaultCacheBytes,
          ledgerInMemory: options.ledgerInMemory,
          owner: lock.mark,
          lost: lock.lost,
          log,
        })
      : undefined;
    const keeping =
      onDisk === undefined ? await inMemory(disk, journal, { ...options, place, lost: lock.lost }) : onFile(options);
    const store = await assembleStore({
      kind: 'embedded',
      location: directory,
      journal,
      inspectionTables: createInspectionFiles(disk, directory),
      consumers: await openConsumerFile(disk, directory, log),
      place,
      ...(onDisk !== undefined && { onDisk }),
      clock: options.clock ?? systemClock,
      random,
      log,
      ...keeping,
      ...opening,
      release: lock.release,
    });
    journal.recheck();
    return store;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function isOnDisk(disk: Disk, { directory, readEngine, maxBytes }: EmbeddedStoreOptions): Promise<boolean> {
  if (readEngine !== 'auto') return readEngine === 'disk';
  return (await logBytes(disk, directory)) > (maxBytes ?? defaultMaxBytes) / 2;
}

type Keeping = Pick<StoreParts, 'images' | 'maxBytes' | 'onDurable' | 'onClose' | 'notes'>;

/** With snapshots: all else that a start would have to read again. */
async function inMemory(
  disk: Disk,
  journal: DiskLog,
  options: EmbeddedStoreOptions & { readonly place: 'worker' | 'inline'; readonly lost: () => string | undefined },
): Promise<Keeping> {
  const { directory, place, lost, maxBytes = defaultMaxBytes, log = () => undefined } = options;
  const snapshots = createSnapshots(disk, directory, journal, log);
  const every = options.snapshotEntries ?? defaults.snapshotEntries;
  const keeper = await createSnapshotKeeper(snapshots, journal, { every, log, lost });
  return {
    ...((await snapshots.newest()) > 0 && { images: snapshots.images }),
    maxBytes,
    // An inline read model would delay everything while it makes a snapshot.
    ...(place === 'worker' && { onDurable: keeper.consider }),
    onClose: keeper.finish,
    notes: keeper.notes,
  };
}

/** The file is its own snapshot, and as long as the disk has room it has no limit. */
function onFile({ maxBytes, log }: EmbeddedStoreOptions): Keeping {
  if (maxBytes !== undefined) log?.('warn', 'inmemory.max_mb has no effect: the read model is on disk (read.engine)');
  return { maxBytes: Infinity };
}

async function takeDirectory(disk: Disk, directory: string): Promise<DirectoryLock> {
  try {
    await disk.makeDirectory(directory);
    return await disk.lock(directory);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fail('R0408', { directory, problem: error instanceof Error ? error.message : String(error) });
  }
}
