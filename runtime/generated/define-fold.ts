import type { FoldDefinition } from '../../language/contract/fold.ts';
import type { Value } from '../../language/values/type.ts';

/** A fold whose accumulator and event rows have types of their own, as generated modules write it. */
export interface TypedFold<S extends object, E> extends Omit<FoldDefinition<S>, 'key' | 'evolve'> {
  readonly key: (event: E) => readonly Value[] | null;
  readonly evolve: (fold: S, event: E) => void;
}

/**
 * Checks that the parts of a fold fit together, and erases their types: the engine calls `key` and `evolve` with the
 * event's row.
 */
export function defineFold<S extends object, E>(fold: TypedFold<S, E>): FoldDefinition<object> {
  return fold as unknown as FoldDefinition<object>;
}
