/**
 * Values that are mostly known at once. Waiting for nothing costs as much as looking a state up, so code that each command runs continues
 * at once with a known value, and waits only for a promise.
 */
export type Soon<T> = T | Promise<T>;

/** Continues with the value, at once when it is known. */
export function andThen<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs the work; `recover` gets what it throws or rejects with. */
export function recovering<T, U>(work: () => Soon<T>, recover: (error: unknown) => U): Soon<T | U> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (error) {
    return recover(error);
  }
}
