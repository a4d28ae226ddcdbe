/**
 * Read models of the past: each shows the log as it was at one moment, under one registry, apart from the live read
 * model. It starts from the newest snapshot before the moment, or from the log; it is shared by all questions about that
 * moment, and moves forwards to a later one when no question uses it. They take as much memory as the read model
 * itself, so there are few, and each goes some time after its last question. Questions about more moments than that wait
 * (docs/decisions/0134-moments-that-wait.md).
 */
import { fail, Failure } from '../../../language/failure/failure.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { ReadModel } from '../tables/read-model.ts';
import type { ReadModelOptions } from '../tables/live/read-model-options.ts';
import { imagesUpTo } from '../tables/copy.ts';
import type { StoredImage } from '../tables/live/images.ts';
import { snapshotNames } from '../snapshot-name.ts';
import type { PastOptions, Store } from '../store.ts';
import { logUntil } from './log-until.ts';
import { compareMoments, isSameMoment, lastWholeEntry, type Moment } from '../journal/moment.ts';
import { createPastStore, type PresentStore } from './past-store.ts';

export interface PastsOptions extends Omit<ReadModelOptions, 'starts' | 'file'> {
  /** Opens a second read model, in memory or on disk like the present one. */
  readonly openSecond: (options: Omit<ReadModelOptions, 'file'>) => ReadModel;
  readonly present: () => PresentStore;
}

export interface Pasts {
  readonly open: (moment: Moment, definition: ReadModelDefinition, options?: PastOptions) => Promise<Store>;
  readonly close: () => Promise<void>;
}

/** Read models at once, questions that may wait for one, and how long one is kept after its last question. */
const mostModels = 2;
const mostWaiting = 64;
const idleMilliseconds = 60_000;
/** Time that a question waits for a read model and for its tables, if it gives no other. */
const openMilliseconds = 120_000;
const progressMilliseconds = 100;

interface Held {
  readonly definition: ReadModelDefinition;
  readonly model: ReadModel;
  /** Never changes while it has users. */
  moment: Moment;
  /** Resolves when its tables show the moment. */
  ready: Promise<void>;
  isReady: boolean;
  /** Questions that wait for its tables or read them, counted in the same step in which it is chosen for them. */
  users: number;
  timer?: NodeJS.Timeout;
}

interface Waiting {
  readonly moment: Moment;
  readonly definition: ReadModelDefinition;
  readonly take: (one: Held) => void;
  readonly refuse: (error: Error) => void;
}

export function createPasts(options: PastsOptions): Pasts {
  const { journal, images, present } = options;
  const held = new Set<Held>();
  /** Read models that are closing: their memory is free before another one takes as much. */
  const closing = new Set<Promise<void>>();
  /** Questions without a read model, in the order in which they came. */
  const waiting = new Set<Waiting>();
  /** Questions that are served before all that come later, in the order of their moments. */
  const sweep = new Set<Waiting>();
  let closed = false;

  const end = (one: Held): void => {
    clearTimeout(one.timer);
    if (!held.delete(one)) return;
    const done = one.model
      .close()
      .catch((error: unknown) => options.log('warn', `a read model of the past did not close: ${String(error)}`))
      .finally(() => closing.delete(done));
    closing.add(done);
  };

  /** Makes its tables show its moment. No other question finds it when that fails. */
  const follow = (one: Held, tables: Promise<void>): void => {
    one.isReady = false;
    one.ready = tables.then(() => reach(one));
    one.ready.then(
      () => (one.isReady = true),
      () => {
        end(one);
        serve();
      },
    );
  };

  const start = (moment: Moment, definition: ReadModelDefinition): Held => {
    const one: Held = {
      definition,
      moment,
      model: options.openSecond({
        ...options,
        starts: 'when asked',
        journal: stoppable(
          logUntil(journal, () => one.moment),
          () => !held.has(one),
        ),
        images: () => imagesBefore(images(), one.moment),
      }),
      ready: Promise.resolve(),
      isReady: false,
      users: 0,
    };
    held.add(one);
    follow(
      one,
      Promise.all(closing)
        .then(() => one.model.prepare(definition))
        .then((swap) => swap()),
    );
    return one;
  };

  /** A read model that shows the moment or will show it, with this user counted; undefined while all show others and are in use. */
  const choose = (moment: Moment, definition: ReadModelDefinition): Held | undefined => {
    const one = find(moment, definition);
    if (one === undefined) return undefined;
    clearTimeout(one.timer);
    one.users += 1;
    return one;
  };

  const find = (moment: Moment, definition: ReadModelDefinition): Held | undefined => {
    const same = [...held].filter((one) => one.definition === definition);
    const known = same.find((one) => isSameMoment(one.moment, moment));
    if (known !== undefined) return known;
    const idle = [...held].filter((one) => one.users === 0);
    const [before] = idle
      .filter((one) => one.definition === definition && !one.moment.cut && one.moment.entry <= lastWholeEntry(moment))
      .sort((a, b) => b.moment.entry - a.moment.entry);
    if (before !== undefined) {
      before.moment = moment;
      follow(before, Promise.resolve());
      return before;
    }
    if (held.size >= mostModels) {
      const [oldest] = idle;
      if (oldest === undefined) return undefined;
      end(oldest);
    }
    return start(moment, definition);
  };

  /** Gives read models to the questions that wait. All that wait now are served before any that comes later. */
  const serve = (): void => {
    for (;;) {
      if (sweep.size === 0) {
        for (const one of [...waiting].sort((a, b) => compareMoments(a.moment, b.moment))) sweep.add(one);
        waiting.clear();
      }
      const [next] = sweep;
      const one = next && choose(next.moment, next.definition);
      if (next === undefined || one === undefined) return;
      sweep.delete(next);
      next.take(one);
    }
  };

  const release = (one: Held): void => {
    one.users -= 1;
    if (one.users > 0) return;
    // Tables that the last question gave up are of no use.
    if (!one.isReady) end(one);
    else if (held.has(one)) one.timer = setTimeout(() => end(one), idleMilliseconds).unref();
    serve();
  };

  /** A question that came later takes no read model from those that wait, not even one of its own moment. */
  const hold = async (moment: Moment, definition: ReadModelDefinition, stop: AbortSignal): Promise<Held> => {
    if (closed) throw isClosed();
    const one = waiting.size + sweep.size === 0 ? choose(moment, definition) : undefined;
    if (one !== undefined) return one;
    if (waiting.size + sweep.size >= mostWaiting)
      throw new Failure(
        'R0401',
        `too many questions about the past are waiting (${mostWaiting}); try again in a moment`,
      );
    return new Promise((resolve, reject) => {
      const asked: Waiting = { moment, definition, take: resolve, refuse: reject };
      waiting.add(asked);
      stop.addEventListener('abort', () => {
        waiting.delete(asked);
        sweep.delete(asked);
        reject(stop.reason as Error); // `withStop` aborts with an error
      });
    });
  };

  return {
    open: (moment, definition, asked = {}) =>
      withStop(asked, async (stop) => {
        const one = await hold(moment, definition, stop);
        try {
          await built(one, stop, asked);
        } catch (error) {
          release(one);
          throw error;
        }
        return createPastStore(present(), one.model, moment, definition, () => release(one));
      }),
    close: async () => {
      closed = true;
      for (const { refuse } of [...sweep, ...waiting]) refuse(isClosed());
      sweep.clear();
      waiting.clear();
      for (const one of held) end(one);
      await Promise.all(closing);
    },
  };
}

function isClosed(): Error {
  return new Error('the read models of the past are closed');
}

/** Images that contain nothing of a later moment, without a word about others. */
async function* imagesBefore(all: AsyncIterable<StoredImage>, moment: Moment): AsyncGenerator<StoredImage> {
  const last = lastWholeEntry(moment);
  for await (const image of imagesUpTo(all, () => last)) {
    const named = snapshotNames([image.name])[0];
    if (named === undefined || named.entry <= last) yield image;
  }
}

/** Resolves when its tables show the moment. */
async function reach({ model }: Held): Promise<void> {
  await model.query(nothing, [], {});
}

const nothing: CompiledQuery = { parameters: [], columns: [], reads: [], sqlite: { sql: 'SELECT 1' } };

/** Runs work with a signal that aborts when the time of the question is over, or when it is cancelled. */
async function withStop<T>(
  { milliseconds = openMilliseconds, signal }: PastOptions,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(fail('R0301', { what: 'time', limit: `${milliseconds} ms` })),
    milliseconds,
  );
  const onAbort = (): void => stop.abort(fail('R0303', {}));
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted === true) throw fail('R0303', {});
    return await work(stop.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Waits until it shows its moment, unless the question stops; reports the progress. */
async function built(one: Held, stop: AbortSignal, { onProgress }: PastOptions): Promise<void> {
  const ticker =
    onProgress && setInterval(() => onProgress(one.model.state().entry, one.moment.entry), progressMilliseconds);
  try {
    await new Promise<void>((resolve, reject) => {
      const stopped = (): void => reject(stop.reason as Error); // `withStop` aborts with an error
      if (stop.aborted) stopped();
      stop.addEventListener('abort', stopped);
      one.ready.then(resolve, reject);
    });
  } finally {
    clearInterval(ticker);
  }
}

/** Reading ends with the read model. */
function stoppable(log: ReadModelOptions['journal'], isEnded: () => boolean): ReadModelOptions['journal'] {
  return {
    ...log,
    async *read(from, to) {
      for await (const lines of log.read(from, to)) {
        if (isEnded()) throw new Error('this read model of the past has ended');
        yield lines;
      }
    },
  };
}
