import { Failure } from '../../../language/failure/failure.ts';
import { HungUp, ofLeaving } from './busy.ts';

/**
 * Lets a few pieces of work run and a few more wait, and refuses the rest (R0401). `what` they are, in the plural, for the refusal. Work whose
 * caller leaves gives its place among those that wait away.
 */
export function fewAtOnce(
  atOnce: number,
  mostWaiting: number,
  what: string,
): <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  let running = 0;
  const waiting = new Set<() => void>();
  return async (work, signal) => {
    if (signal?.aborted === true) throw new HungUp();
    if (running >= atOnce) {
      if (waiting.size >= mostWaiting)
        throw new Failure('R0401', `too many ${what} are waiting (${waiting.size}); try again in a moment`);
      await new Promise<void>((resume, refuse) => {
        waiting.add(resume);
        signal?.addEventListener('abort', () => {
          if (waiting.delete(resume)) refuse(new HungUp());
        });
      });
    } else running += 1;
    try {
      return await work();
    } catch (error) {
      throw ofLeaving(error, signal);
    } finally {
      // The place goes to the next that waits, or becomes free.
      const [next] = waiting;
      if (next === undefined) running -= 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
