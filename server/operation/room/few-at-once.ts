import { Failure } from '../../../language/failure/failure.ts';

/** Lets a few pieces of work run and a few more wait, and refuses the rest (R0401). `what` they are, in the plural, for the refusal. */
export function fewAtOnce(
  atOnce: number,
  mostWaiting: number,
  what: string,
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw new Failure('R0401', `too many ${what} are waiting (${waiting.length}); try again in a moment`);
      await new Promise<void>((resume) => waiting.push(resume));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next that waits, or becomes free.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
