import type { DecisionContext, StateDefinition } from '../../language/contract/decision.ts';
import type { FoldLookup } from '../../language/contract/fold.ts';
import type { Value } from '../../language/values/type.ts';

/** A state whose folds, command and event rows have types of their own, as generated modules write it. */
export interface TypedState extends Omit<StateDefinition, 'folds' | 'compose' | 'emptyKey'> {
  readonly folds?: readonly TypedLookup[];
  readonly compose?: (command: never, folds: never, context: DecisionContext) => readonly Value[] | null;
  readonly emptyKey?: Omit<NonNullable<StateDefinition['emptyKey']>, 'id'> & {
    readonly id: (command: never, context: DecisionContext) => Value;
  };
}
interface TypedLookup extends Omit<FoldLookup, 'key'> {
  readonly key: (command: never, folds: never, context: DecisionContext) => readonly Value[] | null;
}

/** Erases the types: the engine calls each function with the results of its own lookup, decoder and event rows. */
export function defineState(state: TypedState): StateDefinition {
  return state as unknown as StateDefinition;
}
