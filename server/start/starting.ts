/** A server from its first moment until it serves: the work that it waits for, for operators, and how it is stopped meanwhile. */
import { logWorkText, type LogWork, type Opening } from '../../runtime/store/opening.ts';
import type { Tables, Turns } from '../../runtime/store/store.ts';

export interface Starting extends Opening {
  /** The work that the start waits for, if its length depends on the log. */
  readonly work: () => LogWork | undefined;
  /** The work as a clause. */
  readonly text: () => string | undefined;
  /** From here on the work is that of the store's read model. */
  readonly opened: (store: {
    readonly tables: Pick<Tables, 'state' | 'building'>;
    readonly turns: Pick<Turns, 'position'>;
  }) => void;
  /** Resolves as the work does; rejects when the server is to stop, and then the work is abandoned. */
  readonly unlessStopped: <T>(work: Promise<T>) => Promise<T>;
  /** Called when the server serves, or has failed. */
  readonly ended: () => void;
}

/** Ends a start that was asked to stop; not a fault. */
export class StartStopped extends Error {
  constructor() {
    super('stopped before the server was ready');
    this.name = 'StartStopped';
  }
}

const toldMilliseconds = 10_000;

/** `tell` gets a sentence about the work every ten seconds. */
export function createStarting(stop: AbortSignal | undefined, tell: (message: string) => void): Starting {
  const stopped = new AbortController();
  const abort = (): void => stopped.abort(new StartStopped());
  if (stop?.aborted === true) abort();
  else stop?.addEventListener('abort', abort, { once: true });
  let work: Starting['work'] = () => undefined;
  const text: Starting['text'] = () => {
    const now = work();
    return now && logWorkText(now);
  };
  const timer = setInterval(() => {
    const now = text();
    if (now !== undefined) tell(`starting: ${now}`);
  }, toldMilliseconds).unref();
  return {
    signal: stopped.signal,
    reached: (now) => (work = () => now),
    work: () => work(),
    text,
    opened: (store) => {
      work = () => {
        const [done, of] = [store.tables.state().entry, store.turns.position().entry];
        return store.tables.building() ?? (done < of ? { kind: 'build', done, of, unit: 'entries' } : undefined);
      };
    },
    unlessStopped: (awaited) => {
      const { signal } = stopped;
      return Promise.race([
        awaited,
        new Promise<never>((_, reject) => {
          const end = (): void => reject(signal.reason as StartStopped);
          if (signal.aborted) end();
          else signal.addEventListener('abort', end, { once: true });
        }),
      ]);
    },
    ended: () => {
      clearInterval(timer);
      stop?.removeEventListener('abort', abort);
    },
  };
}
