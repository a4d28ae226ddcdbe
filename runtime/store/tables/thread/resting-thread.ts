/**
 * A thread whose read model in memory was closed can serve the next one: starting a thread takes some tenths of a second of processor time,
 * and a command like `test` has a store for each script. At most one thread rests in a process, which it does not keep alive.
 */
import type { Worker } from 'node:worker_threads';

/** Orders to a thread, in addition to the requests to its read model. */
export type ThreadOrder =
  /** Drops the read model. Answered by `resting`, or by `too large` when SQLite's memory has grown, which it never gives back. */
  | { readonly do: 'rest' }
  /** Begins with an empty read model. Answered by `ready`. */
  | { readonly do: 'begin'; readonly secret: string; readonly progress: SharedArrayBuffer };

/** State that a thread reports, in addition to the replies of its read model. */
export type ThreadState = 'ready' | 'resting' | 'too large';

/** A thread that has not finished its work by then is ended, in ms. */
const patience = 250;

let resting: Worker | undefined;

export function isResting(): boolean {
  return resting !== undefined;
}

/** Takes the resting thread, if there is one. */
export function takeResting(): Worker | undefined {
  const worker = resting;
  resting = undefined;
  if (worker !== undefined) forgetListeners(worker);
  return worker;
}

/** Lets a thread rest that nothing listens to any longer, or ends it. */
export async function rest(worker: Worker): Promise<void> {
  forgetListeners(worker);
  worker.ref();
  const state = resting === undefined ? await asked(worker) : undefined;
  forgetListeners(worker);
  if (state !== 'resting' || resting !== undefined) {
    await worker.terminate();
    return;
  }
  keepResting(worker);
}

/** Nothing else listens to the thread. A thread that ends rests no longer. */
export function keepResting(worker: Worker): void {
  resting = worker;
  const leave = (): void => {
    if (resting === worker) resting = undefined;
  };
  worker.on('error', leave).on('exit', leave);
  worker.unref();
}

/** The state that it reports in time. */
function asked(worker: Worker): Promise<ThreadState | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), patience);
    const end = (state?: ThreadState): void => {
      clearTimeout(timer);
      resolve(state);
    };
    worker.on('error', () => end()).on('exit', () => end());
    // Replies of the read model may still come before it.
    worker.on('message', (message: unknown) => {
      if (message === 'resting' || message === 'too large') end(message);
    });
    worker.postMessage({ do: 'rest' } satisfies ThreadOrder);
  });
}

/** Not all of them: Node's own make the thread's messages flow. */
function forgetListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}
