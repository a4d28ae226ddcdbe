import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of a process by thread, in µs. */
export interface ThreadTimes {
  readonly main: number;
  /** The busiest of the other threads: in a server that takes commands, the one of the read model. */
  readonly busiest: number;
  readonly all: number;
}

/** Starts to measure the threads of a process; the result gives their times since then. Reads `/proc`, so it needs Linux. */
export function measureThreads(pid: number): () => ThreadTimes {
  const before = timesOf(pid);
  return () => {
    const times = Array.from(timesOf(pid), ([id, time]) => ({ id, time: time - (before.get(id) ?? 0) }));
    const others = times.filter(({ id }) => id !== pid).map(({ time }) => time);
    const main = times.find(({ id }) => id === pid)?.time ?? 0;
    return { main, busiest: Math.max(0, ...others), all: others.reduce((sum, time) => sum + time, main) };
  };
}

/** Processor time of all running threads of a process, in µs; 0 for one that has ended. */
export function processorTime(pid: number): number {
  try {
    return [...timesOf(pid).values()].reduce((sum, time) => sum + time, 0);
  } catch {
    return 0;
  }
}

/** By thread id; the first number of `schedstat` is the time on a processor, in ns. A thread that ended is not in it. */
function timesOf(pid: number): ReadonlyMap<number, number> {
  const ids = readdirSync(`/proc/${pid}/task`);
  return new Map(
    ids.map((id) => [Number(id), Number.parseInt(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8')) / 1000]),
  );
}
