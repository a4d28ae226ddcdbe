/**
 * Progress of a read model in a file: while a long history is read into it, and while its disk is full, reads wait a moment and then say
 * why.
 */
import { fail } from '../../../../language/failure/failure.ts';
import type { StoreLog } from '../../disk.ts';
import { logWorkText, type LogWork } from '../../opening.ts';

export interface Building {
  /** The tables were left at this entry. */
  readonly from: (entry: number) => void;
  readonly applied: (entry: number) => void;
  /** All that was applied is durable in the file. */
  readonly settled: () => void;
  /** Everything up to this entry, the end at the start, was sent; it may not be applied yet. */
  readonly done: (entry: number) => void;
  /** Called when the file could not be written; `retry` is called after a pause. */
  readonly failed: (reason: string, retry: () => void) => void;
  /** Resolves as the work does; fails with R0414 when that takes too long because of the trouble. */
  readonly within: <T>(work: Promise<T>) => Promise<T>;
  readonly failure: () => Error;
  readonly trouble: () => string | undefined;
  /** Undefined once it is built. */
  readonly progress: () => LogWork | undefined;
  readonly stop: () => void;
}

export interface BuildingOptions {
  /** Number of the last entry of the log. */
  readonly end: () => number;
  readonly log: StoreLog;
  /** True for tables in memory: their queries wait until they are complete. */
  readonly isBuilt: boolean;
}

const retryMilliseconds = 1_000;
const waitingMilliseconds = 5_000;
const loggedMilliseconds = 10_000;

export function createBuilding({ end, log, isBuilt }: BuildingOptions): Building {
  let built = isBuilt;
  let reached = 0;
  let durable = 0;
  let problem: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let logged = performance.now();

  const progress = (): LogWork | undefined =>
    built ? undefined : { kind: 'build', done: reached, of: end(), unit: 'entries' };
  const trouble = (): string | undefined => {
    if (problem !== undefined) return `the read model on disk cannot be written: ${problem}`;
    const work = progress();
    return work && logWorkText(work);
  };
  const failure = (): Error => fail('R0414', { reason: trouble() ?? 'the read model starts again' });

  return {
    from: (entry) => {
      // The file was damaged, and is built again from the beginning.
      if (entry === 0) built = isBuilt;
      reached = entry;
      durable = entry;
    },
    applied: (entry) => {
      reached = entry;
      if (built || performance.now() - logged < loggedMilliseconds) return;
      logged = performance.now();
      log('info', trouble() ?? '');
    },
    // Only a commit shows that the disk takes writes again: applying needs memory alone.
    settled: () => {
      durable = reached;
      problem = undefined;
    },
    // Nothing has to be written only if the file had all of it: lines that were sent are applied later, and then written.
    done: (entry) => {
      built = true;
      if (durable >= entry) problem = undefined;
    },
    failed: (reason, retry) => {
      if (problem === undefined) log('error', `the read model on disk cannot be written: ${reason}`);
      problem = reason;
      clearTimeout(timer);
      timer = setTimeout(retry, retryMilliseconds).unref();
    },
    within: async (work) => {
      if (built && problem === undefined) return work;
      work.catch(() => undefined); // it may fail after the time is over
      let late: NodeJS.Timeout | undefined;
      const over = new Promise<never>((_, reject) => {
        late = setTimeout(() => reject(failure()), waitingMilliseconds);
      });
      try {
        return await Promise.race([work, over]);
      } finally {
        clearTimeout(late);
      }
    },
    failure,
    trouble,
    progress,
    stop: () => clearTimeout(timer),
  };
}
