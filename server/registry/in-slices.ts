import type { Steps } from '../../compiler/index.ts';

/** Limits of a caller's statement, which is parsed, checked and printed in one go, while commands wait. */
export const slicedStatement = { tokens: 8_000, characters: 256 * 1024 };

/** Duration of one slice, in ms; between slices other work has its turn. */
const usualSlice = 5;

/** Runs the steps in slices, between which commands and reads continue. `mayGoOn` is called between them, and throws when the rest is useless. */
export async function inSlices<T>(
  steps: Steps<T>,
  mayGoOn: () => void = () => undefined,
  slice = usualSlice,
): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - begun <= slice) continue;
    await new Promise((resume) => setImmediate(resume));
    mayGoOn();
    begun = performance.now();
  }
}
