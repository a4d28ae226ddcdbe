/**
 * A copy of the read model for questions that may take long and that nobody else shall wait behind. It starts with the first of them,
 * from the newest snapshot and the log, belongs to one registry, and goes when a while has passed without any: it takes as much memory
 * as the read model itself. Nothing is sent to it while nobody asks.
 */
import type { CompiledQuery } from '../../contract/query.ts';
import type { ReadModelDefinition } from '../../contract/read-model.ts';
import type { Value } from '../../values/type.ts';
import { Overtaken, type QueryBudget, type Row } from '../store.ts';
import type { ReadModel } from './read-model.ts';

export interface ReadModelCopy {
  /** As `ReadModel.query` on the durable state. Fails with `Overtaken` where another registry is in force than the query's. */
  readonly query: (
    query: CompiledQuery,
    parameters: readonly Value[],
    budget: QueryBudget & { readonly registry: ReadModelDefinition },
  ) => Promise<readonly Row[]>;
  readonly close: () => Promise<void>;
}

export interface CopyOptions {
  readonly open: () => ReadModel;
  /** What the read model itself is on; undefined in the midst of a change. */
  readonly inForce: () => ReadModelDefinition | undefined;
  readonly idleMilliseconds: number;
}

interface Copy {
  readonly registry: ReadModelDefinition;
  readonly model: ReadModel;
  readonly ready: Promise<void>;
  questions: number;
  timer?: NodeJS.Timeout;
}

export function createReadModelCopy({ open, inForce, idleMilliseconds }: CopyOptions): ReadModelCopy {
  let current: Copy | undefined;

  const end = async (copy: Copy): Promise<void> => {
    clearTimeout(copy.timer);
    if (current === copy) current = undefined;
    await copy.model.close();
  };

  const start = (registry: ReadModelDefinition): Copy => {
    const model = open();
    const ready = model.prepare(registry).then((putInForce) => putInForce());
    const copy: Copy = { registry, model, ready, questions: 0 };
    // Whoever asked is told; who asks next begins another.
    ready.catch(() => void end(copy));
    return copy;
  };

  /** The copy on that registry; the one on another goes once its questions are answered. */
  const copyOn = (registry: ReadModelDefinition): Copy => {
    if (current?.registry === registry) return current;
    const before = current;
    current = start(registry);
    if (before?.questions === 0) void end(before);
    return current;
  };

  const settle = (copy: Copy): void => {
    copy.questions -= 1;
    if (copy.questions > 0) return;
    if (current === copy) copy.timer = setTimeout(() => void end(copy), idleMilliseconds).unref();
    else void end(copy);
  };

  return {
    query: async (query, parameters, budget) => {
      if (budget.registry !== inForce()) throw new Overtaken();
      const copy = copyOn(budget.registry);
      clearTimeout(copy.timer);
      copy.questions += 1;
      try {
        await copy.ready;
        if (budget.registry !== inForce()) throw new Overtaken();
        return await copy.model.query(query, parameters, budget);
      } finally {
        settle(copy);
      }
    },
    close: async () => {
      if (current !== undefined) await end(current);
    },
  };
}
