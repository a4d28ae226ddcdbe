/** The connection to a read model: in this thread, or in a worker with a WebAssembly module of its own. */
import { systemRandom } from '../../disk/node-disk.ts';
import { startThread } from '../../start-thread.ts';
import { createCore } from './core.ts';
import { releaseHolder } from '../files/file-lock.ts';
import { compiledSqlite } from '../core/memory-guard.ts';
import type { ModelFile } from '../files/model-file.ts';
import type { Reply, Request } from '../core/messages.ts';
import { createProgress, type Running } from './progress.ts';
import { createRequests } from './requests.ts';
import { rest, takeResting, type ThreadOrder } from './resting-thread.ts';

export interface Port {
  /** Sends it at once, or together with the others of this turn of the event loop; in order. */
  readonly post: (request: Request) => void;
  /** The query that is being run. */
  readonly running: () => Running | undefined;
  /** Asks the query to end between two of its rows. */
  readonly stop: (id: number) => void;
  /** Number of quick queries that were not quick. */
  readonly slow: () => number;
  /** Ends it at once, whatever it is doing. */
  readonly end: () => Promise<void>;
  /** Ends it in good order, when no answer is awaited. */
  readonly close: () => Promise<void>;
  /**
   * Whether it keeps the process alive; without effect once `end` is called, which keeps the process until it resolves.
   */
  readonly hold: (wanted: boolean) => void;
}

/**
 * The limit of JavaScript memory for a thread of the lowest priority, in MiB. Without it the heap of V8 grows by
 * gigabytes before unused memory is collected.
 */
export const backgroundHeap = 256;

export interface PortListener {
  readonly onReply: (reply: Reply) => void;
  /** The thread ended by itself. */
  readonly onDeath: (error: Error) => void;
}

/** Without a file the tables are in memory. */
export type OpenPort = (secret: string, listener: PortListener, file?: ModelFile) => Promise<Port>;

/** Fast to start; a query blocks this thread until it is done. Replies come before `post` returns. */
export const openInlinePort: OpenPort = async (secret, { onReply }, file) => {
  const core = await createCore({
    secret,
    random: systemRandom,
    reply: onReply,
    begun: () => () => false, // it has ended before the owner could look
    ...(file !== undefined && { file }),
  });
  const end = (): Promise<void> => {
    core.close();
    return Promise.resolve();
  };
  return {
    post: core.handle,
    running: () => undefined,
    stop: () => undefined,
    slow: () => 0,
    end,
    close: end,
    hold: () => undefined,
  };
};

/** Never blocks this thread, and can be ended during a query. */
export const openWorkerPort: OpenPort = (secret, listener, file) =>
  openThread({ secret, background: false, role: 'model', ...(file !== undefined && { file }) }, listener);

/** Opens a worker port with a lower priority than all other threads. */
export const openBackgroundPort: OpenPort = (secret, listener, file) =>
  openThread({ secret, background: true, role: 'model', ...(file !== undefined && { file }) }, listener);

/** A thread that reads the file of a read model while another one writes it, with the lower priority. */
export const openReaderPort = (file: ModelFile, listener: PortListener): Promise<Port> =>
  openThread({ secret: '', background: true, role: 'reader', file }, listener);

/** Time after which a process keeps the code that its first thread compiled. */
const holdMilliseconds = 1000;

/** Data with which a thread begins. */
export interface WorkerData {
  readonly secret: string;
  /** Memory of a `Progress`. */
  readonly progress: SharedArrayBuffer;
  readonly background: boolean;
  /** `resting`: it waits for the order to begin. */
  readonly role: 'model' | 'reader' | 'resting';
  readonly file?: ModelFile;
}

function openThread(given: Omit<WorkerData, 'progress'>, { onReply, onDeath }: PortListener): Promise<Port> {
  const progress = createProgress();
  const data: WorkerData = { ...given, progress: progress.memory };
  // A thread with a file holds its lock, and a thread keeps its priority.
  const mayRest = data.role === 'model' && data.file === undefined && !data.background;
  const rested = mayRest ? takeResting() : undefined;
  const worker =
    rested ??
    startThread(
      new URL('./worker.js', import.meta.url),
      data,
      data.background ? { maxOldGenerationSizeMb: backgroundHeap, maxYoungGenerationSizeMb: 16 } : undefined,
    );
  worker.unref();
  // Compiles for the threads after this one, and not before a short command ends; an error here also occurs in the thread, which reports
  // it.
  setTimeout(() => void compiledSqlite().catch(() => undefined), holdMilliseconds).unref();
  let ended = false;
  const requests = createRequests((sent) => worker.postMessage(sent), onReply);
  const port: Port = {
    post: requests.add,
    running: progress.running,
    stop: progress.stop,
    slow: progress.slow,
    end: async () => {
      ended = true;
      await worker.terminate();
    },
    close: async () => {
      if (ended || !mayRest) return port.end();
      ended = true;
      requests.send();
      await rest(worker);
    },
    hold: (wanted) => {
      // Replies can still arrive while the thread ends. The process must stay until `end` resolves: the log is closed
      // after it.
      if (ended) return;
      if (wanted) worker.ref();
      else worker.unref();
    },
  };
  return new Promise((resolve, reject) => {
    worker.once('message', () => {
      worker.on('message', (replies: readonly Reply[]) => {
        for (const reply of replies) onReply(reply);
      });
      worker.unref();
      resolve(port);
    });
    let cause: Error | undefined;
    worker.on('error', (error) => {
      cause = error;
    });
    // Follows an error too. Only then another thread may open the file.
    worker.on('exit', (code) => {
      if (data.file !== undefined) releaseHolder(data.file.lock);
      const error = cause ?? new Error(`the read model's thread ended with code ${code}`);
      reject(error);
      if (!ended) onDeath(error);
      ended = true;
    });
    worker.ref();
    if (rested !== undefined)
      worker.postMessage({ do: 'begin', secret: data.secret, progress: data.progress } satisfies ThreadOrder);
  });
}
