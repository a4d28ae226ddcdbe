/**
 * Runs the work on the first call and returns its result from then on. A failure reaches the callers that wait for it and is not kept: the
 * next call starts the work again.
 */
export function onceDone<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    if (running !== undefined) return running;
    const begun = work();
    running = begun;
    begun.catch(() => {
      if (running === begun) running = undefined;
    });
    return begun;
  };
}
