/**
 * Runs the work with a signal that is aborted by the first of the others, or when the time is over. `AbortSignal.any` and `AbortSignal.timeout` are not
 * used: a signal of theirs that nothing refers to is collected, its timer with it, and the work is never ended. Here the timer and the listeners hold
 * everything until the work has ended.
 */
export async function within<T>(
  signals: readonly AbortSignal[],
  milliseconds: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  const stop = (): void => control.abort();
  const timer = milliseconds === undefined ? undefined : setTimeout(stop, milliseconds);
  for (const signal of signals) {
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  }
  try {
    return await work(control.signal);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', stop);
  }
}
