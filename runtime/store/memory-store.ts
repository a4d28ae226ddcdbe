import { systemClock, systemRandom } from './disk/node-disk.ts';
import type { Clock, Randomness, StoreLog } from './disk.ts';
import { assembleStore } from './assemble-store.ts';
import { createMemoryConsumers } from './consumers/consumers.ts';
import { createInspectionMemory } from './inspection-memory.ts';
import type { Journal } from './journal.ts';
import { createMemoryJournal } from './journal/memory-journal.ts';
import type { ReadModelStart } from './read-model/read-model.ts';
import type { Store } from './store.ts';

export interface MemoryStoreOptions {
  readonly clock?: Clock;
  readonly random?: Randomness;
  /** `worker`: the time limit of queries always applies, for a slower start. */
  readonly readModel?: 'inline' | 'worker';
  readonly starts?: ReadModelStart;
  /** Maximum memory of the read model (`inmemory.max_mb`). */
  readonly maxBytes?: number;
  readonly log?: StoreLog;
  /** Hex of 32 bytes, to use the secret of another store; else random. */
  readonly secret?: string;
  /** A connection to a log that others append to as well; else a log of its own. */
  readonly shared?: Journal;
}

/** The default maximum memory of a read model: past it SQLite in WebAssembly neither answers nor fails. */
export const defaultMaxBytes = 2 * 1024 * 1024 * 1024;

/** A store that lasts as long as the process. */
export function openMemoryStore(options: MemoryStoreOptions = {}): Promise<Store> {
  const random = options.random ?? systemRandom;
  return assembleStore({
    kind: 'memory',
    location: 'memory',
    journal: options.shared ?? createMemoryJournal(options.secret ?? Buffer.from(random(32)).toString('hex')),
    ...(options.shared !== undefined && { shared: true }),
    inspectionTables: createInspectionMemory(),
    consumers: createMemoryConsumers(),
    place: options.readModel ?? 'inline',
    ...(options.starts !== undefined && { starts: options.starts }),
    images: noImages,
    hasImages: false,
    clock: options.clock ?? systemClock,
    random,
    log: options.log ?? (() => undefined),
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    onClose: () => Promise.resolve(),
  });
}

// oxlint-disable-next-line typescript/require-await -- an async generator like that of stores on disk
export async function* noImages(): AsyncGenerator<never> {
  yield* [];
}
