import { systemClock, systemRandom } from './disk/node-disk.ts';
import type { Clock, Randomness, StoreLog } from './disk.ts';
import { assembleStore } from './assemble-store.ts';
import { createMemoryConsumers } from './side/consumers.ts';
import { createInspectionMemory } from './side/inspection-memory.ts';
import type { Journal } from './journal.ts';
import { createMemoryJournal } from './journal/memory-journal.ts';
import { defaultMaxBytes } from './tables/memory-limit.ts';
import type { ReadModelStart } from './tables/live/read-model-options.ts';
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
    clock: options.clock ?? systemClock,
    random,
    log: options.log ?? (() => undefined),
    maxBytes: options.maxBytes ?? defaultMaxBytes,
  });
}
