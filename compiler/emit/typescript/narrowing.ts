/**
 * TypeScript narrows the type of an input after a comparison with a literal, and refuses a second comparison that can
 * then never hold (`x = 'a' AND x = 'b'` is a legal guard that is never TRUE). Takes expressions and finds where that
 * would happen, so that they are printed with function calls, which do not narrow.
 */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { inputKey, isInput } from './nulls.ts';

/** Inputs compared with a literal, which TypeScript has narrowed to it. */
export type PinnedInputs = ReadonlySet<string>;

export const nothingPinned: PinnedInputs = new Set();

/** The inputs that TypeScript has narrowed when the expression is known to be TRUE (or FALSE). */
export function pinnedAfter(expression: TypedExpression, outcome: boolean): PinnedInputs {
  if (isInput(expression)) return new Set([inputKey(expression)]);
  if (expression.kind !== 'call') return nothingPinned;
  const { function: name, arguments: operands } = expression;
  if (name === 'and' || name === 'or') {
    const sides = operands.map((operand) => pinnedAfter(operand, outcome));
    return (name === 'and') === outcome ? union(sides) : intersection(sides);
  }
  if (name === 'not') return union(operands.map((operand) => pinnedAfter(operand, !outcome)));
  const inputs = operands.filter(isInput).map(inputKey);
  if (inputs.length === 0 || !operands.every((operand) => isInput(operand) || operand.kind === 'literal'))
    return nothingPinned;
  if (name === 'equal') return outcome && inputs.length < operands.length ? new Set(inputs) : nothingPinned;
  if (name === 'not_equal') return !outcome && inputs.length < operands.length ? new Set(inputs) : nothingPinned;
  if (name === 'is_null') return outcome ? new Set(inputs) : nothingPinned;
  return name.startsWith('is_') ? new Set(inputs) : nothingPinned;
}

/** Whether something in the expression would be compared after it was narrowed, or two literals with each other. */
export function comparesNarrowed(expression: TypedExpression, pinned: PinnedInputs): boolean {
  switch (expression.kind) {
    case 'call':
      return callComparesNarrowed(expression.function, expression.arguments, pinned);
    case 'apply':
      return expression.arguments.some((argument) => isPinned(argument, pinned) || comparesNarrowed(argument, pinned));
    case 'cast':
      return comparesNarrowed(expression.operand, pinned);
    case 'in-list': {
      const parts = [expression.operand, ...expression.list];
      return isPinned(expression.operand, pinned) || parts.some((part) => comparesNarrowed(part, pinned));
    }
    case 'case': {
      const { operand, branches, otherwise } = expression;
      if (operand !== undefined && (!isInput(operand) || isPinned(operand, pinned))) return true;
      let known = pinned;
      for (const { when, then } of branches) {
        const inside =
          operand === undefined
            ? pinnedAfter(when, true)
            : isInput(operand)
              ? new Set([inputKey(operand)])
              : nothingPinned;
        if (comparesNarrowed(when, known) || comparesNarrowed(then, union([known, inside]))) return true;
        known = union([known, operand === undefined ? pinnedAfter(when, false) : nothingPinned]);
      }
      return otherwise !== undefined && comparesNarrowed(otherwise, known);
    }
    default:
      return false;
  }
}

function callComparesNarrowed(name: string, operands: readonly TypedExpression[], pinned: PinnedInputs): boolean {
  if (name === 'and' || name === 'or') {
    let known = pinned;
    for (const operand of operands) {
      if (comparesNarrowed(operand, known)) return true;
      known = union([known, pinnedAfter(operand, name === 'and')]);
    }
    return false;
  }
  if (operands.length > 1 && operands.every((operand) => operand.kind === 'literal')) return true;
  return operands.some((operand) => isPinned(operand, pinned) || comparesNarrowed(operand, pinned));
}

function isPinned(expression: TypedExpression, pinned: PinnedInputs): boolean {
  return isInput(expression) && pinned.has(inputKey(expression));
}

function union(sets: readonly PinnedInputs[]): PinnedInputs {
  return new Set(sets.flatMap((set) => [...set]));
}

function intersection(sets: readonly PinnedInputs[]): PinnedInputs {
  const [first = nothingPinned, ...others] = sets;
  return new Set([...first].filter((input) => others.every((other) => other.has(input))));
}
