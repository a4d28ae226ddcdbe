/**
 * Work in steps, so that a server may take other requests in between: each step does one statement or one block. A function over a whole
 * text or registry is written once, as steps; `atOnce` makes the plain function of it.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** All steps in a row. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** What `make` gives for each item, a step each. */
export function* mapInSteps<T, R>(items: Iterable<T>, make: (item: T) => R): Steps<R[]> {
  const made: R[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}
