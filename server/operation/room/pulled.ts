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
