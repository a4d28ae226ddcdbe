/**
 * Read models of the past: each shows the log as it was at one moment, under one registry, apart from the live read
 * model. It starts from the newest snapshot before the moment, or from the log; it is shared by all who ask about that
 * moment, and moves forwards to a later one when no other question needs it. They take as much memory as the read model
 * itself, so there are few, and each goes some time after its last question.
 */
import { fail, Failure } from '../../../language/failure/failure.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { ReadModel, ReadModelOptions } from '../read-model/read-model.ts';
import { imagesUpTo } from '../read-model/copy.ts';
import type { StoredImage } from '../read-model/images.ts';
import { snapshotNames } from '../snapshot-name.ts';
import type { PastOptions, Store } from '../store.ts';
import { logUntil } from './log-until.ts';
import type { Moment } from './moment.ts';
import { createPastStore, type PresentStore } from './past-store.ts';

export interface PastsOptions extends Omit<ReadModelOptions, 'starts' | 'file'> {
  /** Opens a read model beside the present one, in memory or on disk as that is. */
  readonly openBeside: (options: Omit<ReadModelOptions, 'file'>) => ReadModel;
  readonly present: () => PresentStore;
}

export interface Pasts {
  readonly open: (moment: Moment, definition: ReadModelDefinition, options?: PastOptions) => Promise<Store>;
  readonly close: () => Promise<void>;
}

/** Read models at once, questions that may wait for one, and how long one is kept after its last question. */
const mostModels = 2;
const mostWaiting = 8;
const idleMilliseconds = 60_000;
/** How long building one may take if the question says nothing else. */
const buildMilliseconds = 120_000;
const progressMilliseconds = 100;

interface Held {
  readonly definition: ReadModelDefinition;
  readonly model: ReadModel;
  moment: Moment;
  ready: Promise<void>;
  /** Questions that wait for it or read it. */
  users: number;
  ended: boolean;
  timer?: NodeJS.Timeout;
}

export function createPasts(options: PastsOptions): Pasts {
  const { journal, images, present } = options;
  const held = new Set<Held>();
  const waiting: (() => void)[] = [];
  let closed = false;

  const end = async (one: Held): Promise<void> => {
    clearTimeout(one.timer);
    one.ended = true;
    held.delete(one);
    await one.model.close();
    waiting.shift()?.();
  };

  const start = (moment: Moment, definition: ReadModelDefinition): Held => {
    const one: Held = {
      definition,
      moment,
      model: options.openBeside({
        ...options,
        journal: stoppable(
          logUntil(journal, () => one.moment),
          () => one.ended,
        ),
        images: () => imagesBefore(images(), one.moment),
      }),
      ready: Promise.resolve(),
      users: 0,
      ended: false,
    };
    one.ready = one.model
      .prepare(definition)
      .then((swap) => swap())
      .then(() => reach(one));
    one.ready.catch(() => undefined); // reported to those who wait for it
    held.add(one);
    return one;
  };

  /** One that shows the moment, or can be made to; undefined while all are in use. */
  const take = async (moment: Moment, definition: ReadModelDefinition): Promise<Held | undefined> => {
    const same = [...held].filter((one) => one.definition === definition && !one.ended);
    const known = same.find((one) => showsTheSame(one.moment, moment));
    if (known !== undefined) return known;
    const before = same.find((one) => one.users === 0 && !one.moment.cut && one.moment.entry <= moment.entry);
    if (before !== undefined) {
      before.moment = moment;
      before.ready = before.ready.then(() => reach(before));
      before.ready.catch(() => undefined); // reported to those who wait for it
      return before;
    }
    if (held.size >= mostModels) {
      const idle = [...held].find((one) => one.users === 0);
      if (idle === undefined) return undefined;
      await end(idle);
      return take(moment, definition);
    }
    return start(moment, definition);
  };

  const release = (one: Held): Promise<void> => {
    one.users -= 1;
    waiting.shift()?.();
    if (one.users > 0 || one.ended) return Promise.resolve();
    one.timer = setTimeout(() => void end(one), idleMilliseconds).unref();
    return Promise.resolve();
  };

  const hold = async (moment: Moment, definition: ReadModelDefinition): Promise<Held> => {
    for (;;) {
      if (closed) throw new Error('the read models of the past are closed');
      const one = await take(moment, definition);
      if (one !== undefined) {
        clearTimeout(one.timer);
        one.users += 1;
        return one;
      }
      if (waiting.length >= mostWaiting)
        throw new Failure(
          'R0401',
          `too many questions about the past are waiting (${mostWaiting}); try again in a moment`,
        );
      await new Promise<void>((resume) => waiting.push(resume));
    }
  };

  return {
    open: async (moment, definition, asked = {}) => {
      const one = await hold(moment, definition);
      try {
        await built(one, asked);
      } catch (error) {
        one.users -= 1;
        // A model that failed, or that the last one who waited for it gave up, is of no use.
        if (one.users === 0) await end(one);
        throw error;
      }
      return createPastStore(present(), one.model, moment, definition, () => release(one));
    },
    close: async () => {
      closed = true;
      for (const resume of waiting.splice(0)) resume();
      await Promise.all([...held].map(end));
    },
  };
}

/** Images that contain nothing of a later moment, without a word about others. */
async function* imagesBefore(all: AsyncIterable<StoredImage>, { entry, cut }: Moment): AsyncGenerator<StoredImage> {
  const last = cut ? entry - 1 : entry;
  for await (const image of imagesUpTo(all, () => last)) {
    const named = snapshotNames([image.name])[0];
    if (named === undefined || named.entry <= last) yield image;
  }
}

function showsTheSame(a: Moment, b: Moment): boolean {
  return a.entry === b.entry && a.position === b.position;
}

/** Resolves when its tables show the moment. */
async function reach({ model }: Held): Promise<void> {
  await model.query(nothing, [], {});
}

const nothing: CompiledQuery = { parameters: [], columns: [], reads: [], sqlite: { sql: 'SELECT 1' } };

/** Waits until it shows its moment, within the time of the question; reports the progress. */
async function built(one: Held, { milliseconds = buildMilliseconds, signal, onProgress }: PastOptions): Promise<void> {
  let stop: (error: Error) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  const timer = setTimeout(() => stop(fail('R0301', { what: 'time', limit: `${milliseconds} ms` })), milliseconds);
  const onAbort = (): void => stop(fail('R0303', {}));
  const ticker =
    onProgress === undefined
      ? undefined
      : setInterval(() => {
          onProgress(one.model.state().entry, one.moment.entry);
        }, progressMilliseconds);
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted === true) throw fail('R0303', {});
    await Promise.race([one.ready, stopped]);
  } finally {
    clearTimeout(timer);
    clearInterval(ticker);
    signal?.removeEventListener('abort', onAbort);
    stopped.catch(() => undefined);
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
