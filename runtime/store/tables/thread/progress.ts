/** Which query a thread is running, and since when: memory that its owner reads without a message for each query. */
export interface Progress {
  /** To be given to the other thread. */
  readonly memory: SharedArrayBuffer;
  /** The query runs from now on; the result says whether its owner has asked it to stop. */
  readonly begun: (id: number) => () => boolean;
  /** Called when nothing is running. `quick`: the query was asked as a quick one. */
  readonly ended: (quick: boolean) => void;
  readonly running: () => Running | undefined;
  /** Asks a query to stop, which it does between two rows. */
  readonly stop: (id: number) => void;
  /** Number of quick queries that were not quick. */
  readonly slow: () => number;
}

export interface Running {
  readonly id: number;
  /** Time since its start. */
  readonly milliseconds: number;
}

/** Bytes of the number of the query, 0 for none, with the number of slow ones, of its start, and of the number of the one that is to stop. */
const [idBytes, startBytes, stopBytes] = [8, 8, 4];
/** Much longer than a quick query takes, also on a machine that does other work. */
const slowMilliseconds = 5;

export function createProgress(memory = new SharedArrayBuffer(idBytes + startBytes + stopBytes)): Progress {
  const id = new Int32Array(memory, 0, 1);
  const slow = new Int32Array(memory, 4, 1);
  const start = new Float64Array(memory, idBytes, 1);
  const stopped = new Int32Array(memory, idBytes + startBytes, 1);
  return {
    memory,
    begun: (begun) => {
      start[0] = now();
      Atomics.store(id, 0, begun);
      return () => Atomics.load(stopped, 0) === begun;
    },
    ended: (quick) => {
      if (quick && Atomics.load(id, 0) !== 0 && now() - (start[0] ?? 0) > slowMilliseconds) Atomics.add(slow, 0, 1);
      Atomics.store(id, 0, 0);
    },
    running: () => {
      const running = Atomics.load(id, 0);
      return running === 0 ? undefined : { id: running, milliseconds: now() - (start[0] ?? 0) };
    },
    stop: (given) => {
      Atomics.store(stopped, 0, given);
    },
    slow: () => Atomics.load(slow, 0),
  };
}

/** Milliseconds of the one clock that all threads of a process have; `performance.now` begins again in each. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
