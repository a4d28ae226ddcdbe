import type { Steps } from '../../compiler/index.ts';
import { giveWay, usualSlice } from '../../runtime/store/give-way.ts';

/** Limits of a caller's statement, which is parsed, checked and printed in one go, while commands wait. */
export const slicedStatement = { tokens: 8_000, characters: 256 * 1024 };

/** Runs the steps in slices, between which commands and reads continue. `mayGoOn` is called between them, and throws when the rest is useless. */
export async function inSlices<T>(steps: Steps<T>, mayGoOn?: () => void, slice = usualSlice): Promise<T> {
  const pause = giveWay(slice, mayGoOn);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const paused = pause();
    if (paused !== undefined) await paused;
  }
}
