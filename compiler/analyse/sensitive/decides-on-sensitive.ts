import type { DecisionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { walkExpression, walkQuery } from '../typed/walk.ts';
import { isMarked } from './mark.ts';

/**
 * Whether the outcome of a decision can depend on a SENSITIVE value: its STATE, a guard or the stream of an event reads one. Such a decision
 * can be asked again and again until its outcomes tell the value.
 */
export function decidesOnSensitive({ state, stateDefaults, branches }: DecisionBlock): boolean {
  let found = false;
  const visit = (expression: TypedExpression): boolean => {
    found ||= isMarked(expression);
    return !found;
  };
  if (state !== undefined) walkQuery(state, visit);
  if (stateDefaults !== undefined) walkExpression(stateDefaults.key, visit);
  for (const { guard, emits } of branches) {
    if (guard !== undefined) walkExpression(guard, visit);
    for (const { stream } of emits) if (stream !== undefined) walkExpression(stream, visit);
  }
  return found;
}
