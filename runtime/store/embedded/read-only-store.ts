import { assembleStore } from '../assemble-store.ts';
import { joinPath, withFile, type Clock, type Disk, type StoreLog } from '../disk.ts';
import { nodeDisk, systemClock, systemRandom } from '../disk/node-disk.ts';
import { createInspectionFiles } from '../side/inspection-files.ts';
import { openReadOnlyLog } from '../log/read-only-log.ts';
import { segmentFirstEntry } from '../log/segment.ts';
import { readOnlyTables } from '../side/inspection-tables.ts';
import type { Store } from '../store.ts';
import { defaultMaxBytes } from '../tables/memory-limit.ts';
import { createSnapshots } from './snapshots.ts';

export interface ReadOnlyStoreOptions {
  /** Absolute path of another store's data directory. */
  readonly directory: string;
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly readModel?: 'worker' | 'inline';
  readonly log?: StoreLog;
  /** If the log has lost its end, read it without the entries from this one on. */
  readonly acceptLoss?: number;
}

/**
 * Opens a store for INSPECT, even if another process owns it: in its present state, up to its last whole frame, without
 * locking, cutting or writing. Every append fails with R0402. Throws R0405 and R0406 as `openEmbeddedStore` does.
 */
export async function openReadOnlyStore(options: ReadOnlyStoreOptions): Promise<Store> {
  const { directory } = options;
  const disk = options.disk ?? nodeDisk;
  const log = options.log ?? (() => undefined);
  const journal = await openReadOnlyLog(disk, directory, options.acceptLoss);
  const snapshots = createSnapshots(disk, directory, journal, log);
  const readOnly = `${directory} is opened read-only`;
  return assembleStore({
    kind: 'embedded',
    location: directory,
    journal,
    inspectionTables: readOnlyTables(createInspectionFiles(disk, directory), readOnly),
    place: options.readModel ?? 'inline',
    ...((await snapshots.newest()) > 0 && { images: snapshots.images }),
    clock: options.clock ?? systemClock,
    random: systemRandom,
    log,
    maxBytes: defaultMaxBytes,
  });
}

/** Changes with every append to the log in that directory; shows whether an opened state is still the present one. */
export async function readOnlyMark(directory: string, disk: Disk = nodeDisk): Promise<string> {
  const segments = (await disk.list(directory)).filter((name) => segmentFirstEntry(name) !== undefined);
  const last = segments.at(-1);
  if (last === undefined) return '';
  return `${last} ${await withFile(disk, joinPath(directory, last), 'read', (file) => file.size())}`;
}
