import type { Steps } from '../../compiler/index.ts';

/** For so long steps are done in a row, in ms; then whatever else waits has its turn. */
const slice = 5;

/**
 * Does the steps in slices, between which commands and reads go on. `mayGoOn` is called between them, and throws where there is no use in the
 * rest.
 */
export async function inSlices<T>(steps: Steps<T>, mayGoOn: () => void = () => undefined): Promise<T> {
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
