import type { LogEntry } from '../../../runtime/store/entry.ts';
import type { Store } from '../../../runtime/store/store.ts';

/** The events that a follower may get, as far as an event's stream and type show it. */
export interface Interest {
  readonly aggregates: ReadonlySet<string>;
  readonly streamId?: string;
  readonly types?: ReadonlySet<string>;
}

/**
 * The end of the log as all followers of this process see it. One reader of the log serves all of them, and wakes them in
 * steps, so that those that have caught up ask for the same page (`shared-pages.ts`).
 */
export interface LogTail {
  /** A follower begins; resolves with the global position of the last durable event. */
  readonly join: () => Promise<number>;
  readonly leave: () => void;
  /** Global position of the last event that followers know of. */
  readonly end: () => number;
  /** Why the log cannot be followed now. */
  readonly failure: () => Error | undefined;
  /** False if none of the events after the position can be of interest. */
  readonly mayConcern: (position: number, interest: Interest) => boolean;
  /** Resolves at the next step, after `milliseconds`, or when `wake` is called. */
  readonly change: (milliseconds: number, wake: (now: () => void) => void) => Promise<void>;
  /** Resumes all followers that wait. */
  readonly wakeAll: () => void;
}

/** The streams and types of the events of one step. */
interface Step {
  readonly from: number;
  to: number;
  readonly streams: Map<string, Set<string>>;
  readonly types: Set<string>;
  size: number;
}

/** Steps are this far apart with few followers, and with many: each step costs every follower a piece of its answer. */
const shortestGap = 10;
const longestGap = 50;
const followersForMillisecond = 20;
/** Steps that are remembered, and the streams of all of them. */
const mostSteps = 64;
const mostStreams = 16_384;

export function createLogTail(store: Pick<Store, 'turns' | 'log'>, monotonic: () => number): LogTail {
  const sleepers = new Set<() => void>();
  let followers = 0;
  let end = 0;
  let failure: Error | undefined;
  let control: AbortController | undefined;
  let started: Promise<void> | undefined;
  let steps: Step[] = [];
  let next: Step | undefined;
  let timer: NodeJS.Timeout | undefined;
  let last = -Infinity;

  const wakeAll = (): void => {
    for (const resume of [...sleepers]) resume();
  };
  const step = (): void => {
    timer = undefined;
    if (next === undefined) return;
    last = monotonic();
    end = next.to;
    steps.push(next);
    next = undefined;
    let streams = steps.reduce((sum, { size }) => sum + size, 0);
    while (steps.length > mostSteps || (steps.length > 1 && streams > mostStreams)) streams -= steps.shift()?.size ?? 0;
    wakeAll();
  };
  const gather = (entries: readonly LogEntry[]): void => {
    for (const entry of entries) {
      if (entry.kind !== 'command') continue;
      for (const { position, streamType, streamId, type } of entry.events) {
        next ??= { from: end, to: end, streams: new Map(), types: new Set(), size: 0 };
        next.to = position;
        next.types.add(type);
        const ids = next.streams.get(streamType) ?? new Set();
        next.streams.set(streamType, ids.add(streamId));
        next.size += 1;
      }
    }
    if (next === undefined || timer !== undefined) return;
    const gap = Math.min(longestGap, Math.max(shortestGap, followers / followersForMillisecond));
    const wait = last + gap - monotonic();
    if (wait <= 0) step();
    else timer = setTimeout(step, wait);
  };
  const run = async (from: number, signal: AbortSignal): Promise<void> => {
    try {
      for await (const entries of store.log.follow(from, signal)) {
        if (signal.aborted) return;
        gather(entries);
      }
      if (!signal.aborted) failure = new Error('the store was closed');
    } catch (error) {
      if (signal.aborted) return;
      failure = error instanceof Error ? error : new Error(String(error));
    }
    started = undefined;
    wakeAll();
  };
  const start = async (): Promise<void> => {
    const { signal } = (control = new AbortController());
    const { entry, event } = await store.turns.fresh();
    if (signal.aborted) return;
    end = event;
    failure = undefined;
    steps = [];
    next = undefined;
    void run(entry + 1, signal);
  };

  return {
    join: async () => {
      followers += 1;
      started ??= start().catch((error: unknown) => {
        started = undefined;
        throw error;
      });
      await started;
      const { event } = await store.turns.fresh();
      return event;
    },
    leave: () => {
      followers -= 1;
      if (followers > 0) return;
      control?.abort();
      clearTimeout(timer);
      timer = undefined;
      started = undefined;
      steps = [];
      next = undefined;
    },
    end: () => end,
    failure: () => failure,
    mayConcern: (position, interest) => {
      const known = steps[0];
      if (known === undefined || known.from > position) return true;
      return steps.some((one) => one.to > position && concerns(one, interest));
    },
    change: (milliseconds, wake) =>
      new Promise((resolve) => {
        const resume = (): void => {
          clearTimeout(alarm);
          sleepers.delete(resume);
          resolve();
        };
        const alarm = setTimeout(resume, milliseconds);
        sleepers.add(resume);
        wake(resume);
      }),
    wakeAll,
  };
}

function concerns({ streams, types }: Step, interest: Interest): boolean {
  if (interest.types !== undefined && ![...interest.types].some((type) => types.has(type))) return false;
  for (const aggregate of interest.aggregates) {
    const ids = streams.get(aggregate);
    if (ids !== undefined && (interest.streamId === undefined || ids.has(interest.streamId))) return true;
  }
  return false;
}
