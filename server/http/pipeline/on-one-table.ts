import { Overtaken } from '../../../runtime/store/store.ts';
import type { Call } from './route.ts';

/**
 * Answers a call on one handler table from beginning to end. A read that a change of the registry overtakes before it reaches the
 * store begins again on the new table, as if the request had come a moment later; nothing else throws `Overtaken`.
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
