import { systemClock, systemRandom } from './disk/node-disk.ts';
import type { Clock, Randomness, StoreLog } from './disk.ts';
import { assembleStore } from './assemble-store.ts';
import { createInspectionMemory } from './inspection-memory.ts';
import { createMemoryJournal } from './journal/memory-journal.ts';
import type { Store } from './store.ts';

export interface MemoryStoreOptions {
  readonly clock?: Clock;
  readonly random?: Randomness;
  /** `worker`: queries have a time budget that holds, for a slower start. */
  readonly readModel?: 'inline' | 'worker';
  /** The read model starts with the first question, which waits for it. */
  readonly startsWhenAsked?: boolean;
  /** What the read model may take (`inmemory.max_mb`). */
  readonly maxBytes?: number;
  readonly log?: StoreLog;
  /** Hex of 32 bytes, when it must be another store's; else random. */
  readonly secret?: string;
}

/** What a read model may take when nothing is said: past it SQLite in WebAssembly neither answers nor fails. */
export const defaultMaxBytes = 2 * 1024 * 1024 * 1024;

/** A store that lasts as long as the process. */
export function openMemoryStore(options: MemoryStoreOptions = {}): Promise<Store> {
  const random = options.random ?? systemRandom;
  return assembleStore({
    kind: 'memory',
    location: 'memory',
    journal: createMemoryJournal(options.secret ?? Buffer.from(random(32)).toString('hex')),
    inspectionTables: createInspectionMemory(),
    place: options.readModel ?? 'inline',
    startsWhenAsked: options.startsWhenAsked === true,
    images: noImages,
    hasImages: false,
    clock: options.clock ?? systemClock,
    random,
    log: options.log ?? (() => undefined),
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    onClose: () => Promise.resolve(),
  });
}

// eslint-disable-next-line @typescript-eslint/require-await -- stores on disk read theirs
async function* noImages(): AsyncGenerator<never> {
  yield* [];
}
