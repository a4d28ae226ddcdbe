/**
 * Work in steps, so that a server can take other requests between them: each step handles one statement or one block. A function over a
 * whole text or registry is written once, as steps; `atOnce` runs all of them.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** All steps in a row. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The result of `make` for each item, one step per item. */
export function* mapInSteps<T, R>(items: Iterable<T>, make: (item: T) => R): Steps<R[]> {
  const made: R[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}
