/** Asks a log that went away for the outcome of the batch that was being appended, until it answers. */
import type { StoreLog } from '../disk.ts';
import { JournalFailure, type Journal, type JournalEnd } from '../journal.ts';

export interface SettlingListener {
  /** The log is back. `end` is its end now. */
  readonly settled: (outcome: 'kept' | 'never', end: JournalEnd) => void;
  /** The log will not come back in this process. */
  readonly gaveUp: (reason: string) => void;
  /** Called once when it takes so long that callers should no longer wait for the outcome; asking continues. */
  readonly overdue: () => void;
}

export interface Settling {
  /** Begins to ask for a batch; for one at a time. */
  readonly begin: (batch: string, listener: SettlingListener) => void;
  /** Stops asking; waiting callers get the error that it is overdue. */
  readonly close: () => Promise<void>;
}

const firstPause = 20;
const longestPause = 2_000;
const overdueMilliseconds = 30_000;

export function createSettling(journal: Pick<Journal, 'settle' | 'fresh'>, log: StoreLog): Settling {
  let running: Promise<void> | undefined;
  let stop = new AbortController();

  const ask = async (batch: string, listener: SettlingListener, signal: AbortSignal): Promise<void> => {
    const late = setTimeout(listener.overdue, overdueMilliseconds);
    try {
      for (let pause = firstPause; !signal.aborted; pause = Math.min(2 * pause, longestPause)) {
        try {
          const outcome = await journal.settle(batch);
          const end = await journal.fresh();
          log('info', `the log is back; what was being written was ${outcome === 'kept' ? 'kept' : 'not kept'}`);
          listener.settled(outcome, end);
          return;
        } catch (error) {
          if (!(error instanceof JournalFailure)) throw error;
          if (!error.heals) {
            listener.gaveUp(error.reason);
            return;
          }
        }
        await sleep(pause, signal);
      }
      listener.overdue();
    } finally {
      clearTimeout(late);
    }
  };

  return {
    begin: (batch, listener) => {
      log('warn', 'the log is away; writes are taken again when it is back');
      stop = new AbortController();
      running = ask(batch, listener, stop.signal).catch((error: unknown) => {
        listener.gaveUp(error instanceof Error ? error.message : String(error));
      });
    },
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
