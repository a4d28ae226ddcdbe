import { Overtaken } from '../../../runtime/store/store.ts';
import type { Call } from './route.ts';

/**
 * Answers a call with one handler table from beginning to end. If the registry changes before a read reaches the store, the read begins
 * again on the new table, as if the request had come a moment later; only that throws `Overtaken`.
 */
export async function onOneTable<T>(call: Call, answer: (call: Call) => Promise<T>): Promise<T> {
  for (let steady = call; ;) {
    try {
      return await answer(steady);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      steady = { ...call, domain: await call.options.engine.steady() };
    }
  }
}
