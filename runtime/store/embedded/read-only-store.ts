import { assembleStore } from '../assemble-store.ts';
import type { Clock, Disk, StoreLog } from '../disk.ts';
import { nodeDisk, systemClock } from '../disk/node-disk.ts';
import { createInspectionFiles } from '../inspection-tables.ts';
import { openReadOnlyLog } from '../log/read-only-log.ts';
import { defaultMaxBytes } from '../memory-store.ts';
import type { Store } from '../store.ts';
import { createSnapshots } from './snapshots.ts';

export interface ReadOnlyStoreOptions {
  /** Absolute path of another store's data directory. */
  readonly directory: string;
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly readModel?: 'worker' | 'inline';
  readonly log?: StoreLog;
}

/**
 * Opens a store for INSPECT, whoever owns it: as it stands now, to its last whole frame, nothing locked, cut or written. Every append
 * fails with R0402. Throws R0405 and R0406 as `openEmbeddedStore` does.
 */
export async function openReadOnlyStore(options: ReadOnlyStoreOptions): Promise<Store> {
  const { directory } = options;
  const disk = options.disk ?? nodeDisk;
  const log = options.log ?? (() => undefined);
  const journal = await openReadOnlyLog(disk, directory);
  const snapshots = createSnapshots(disk, directory, journal, log);
  return assembleStore({
    kind: 'embedded',
    location: directory,
    journal,
    inspectionTables: createInspectionFiles(disk, directory),
    place: options.readModel ?? 'inline',
    images: snapshots.images,
    hasImages: (await snapshots.newest()) > 0,
    clock: options.clock ?? systemClock,
    log,
    readOnly: `${directory} is opened for reading only`,
    maxBytes: defaultMaxBytes,
    onClose: () => Promise.resolve(),
  });
}
