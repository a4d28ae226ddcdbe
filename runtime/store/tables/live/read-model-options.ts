import type { Clock, StoreLog } from '../../disk.ts';
import type { ReadModelLog } from '../../journal/entries.ts';
import type { ModelFile } from '../files/model-file.ts';
import type { FileCheck } from './file-check.ts';
import type { StoredImage } from './images.ts';

export interface ReadModelOptions {
  /** `background`: a thread with a lower priority than all others. */
  readonly place: 'inline' | 'worker' | 'background';
  readonly starts?: ReadModelStart;
  readonly journal: ReadModelLog;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Images to start from, best first; those that do not fit the log are ignored. */
  readonly images: () => AsyncIterable<StoredImage>;
  /** The file that has its tables, and whether an entry with that checksum is in this log. Else they are in memory. */
  readonly file?: {
    readonly place: ModelFile;
    readonly fits: StoredImage['fits'];
    /** Looks for damage after an unclean end. */
    readonly check?: FileCheck;
    /** Its queries wait until it is complete, as those of tables in memory do. */
    readonly isAside?: true;
  };
}

/**
 * The start of a read model in a thread, and the work that waits for it. `at once`: a definition is put in force when its tables are there.
 * `ahead`: its thread starts at once too, but only queries wait for it, and the first one has the tables made, for a session that parses
 * and compiles meanwhile. `when asked`: the first query starts it, for a store that is mostly closed without one.
 */
export type ReadModelStart = 'at once' | 'ahead' | 'when asked';
