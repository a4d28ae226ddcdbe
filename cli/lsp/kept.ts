import type { Steps } from '../../language/source/steps.ts';

/** A value that is made from the texts in steps when it is needed, and kept until they change. */
export interface Kept<T> {
  /** Makes the rest of it at once. */
  readonly get: () => T;
  /** The value, if it is made. */
  readonly made: () => T | undefined;
  /** Makes it; any number of callers share the work. Ends early when the texts change. */
  readonly making: () => Steps<void>;
  readonly forget: () => void;
}

export function keep<T>(make: () => Steps<T>): Kept<T> {
  let kept: { readonly value: T } | undefined;
  let underway: Steps<T> | undefined;
  let changes = 0;

  const step = (): void => {
    underway ??= make();
    const working = underway;
    try {
      const { done, value } = working.next();
      if (done !== true || underway !== working) return;
      kept = { value };
      underway = undefined;
    } catch (error) {
      underway = undefined;
      throw error;
    }
  };
  return {
    get: () => {
      for (;;) {
        if (kept !== undefined) return kept.value;
        step();
      }
    },
    made: () => kept?.value,
    *making() {
      const begun = changes;
      while (kept === undefined && begun === changes) {
        step();
        yield;
      }
    },
    forget: () => {
      changes++;
      kept = undefined;
      underway = undefined;
    },
  };
}
