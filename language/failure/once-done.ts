/**
 * Runs the work when it is first asked for, and gives what it gave from then on. A failure goes to the callers that wait for it and is not
 * kept: the next caller begins the work again.
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
