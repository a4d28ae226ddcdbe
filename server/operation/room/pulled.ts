/**
 * An async iterator over the results of `next` until it gives undefined; `close` is called when the reader stops. Unlike a generator it
 * holds no value between two calls, which keeps many slow callers small.
 */
export function pulled<T extends object | string>(
  next: () => Promise<T | undefined>,
  close: () => void | Promise<void>,
): AsyncIterableIterator<T> {
  let ended = false;
  const iterator: AsyncIterableIterator<T> = {
    next: async () => {
      const value = ended ? undefined : await next();
      ended = value === undefined;
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    return: async () => {
      ended = true;
      await close();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/** The values of another iterator, each changed as it is taken. Those that were read before come first, and are not held once they are taken. */
export function changed<T, U extends object | string>(
  source: AsyncIterator<T>,
  change: (value: T) => U,
  before: T[] = [],
): AsyncIterableIterator<U> {
  return pulled(
    async () => {
      const read = before.shift();
      if (read !== undefined) return change(read);
      const step = await source.next();
      return step.done === true ? undefined : change(step.value);
    },
    async () => {
      await source.return?.();
    },
  );
}
