import type { PrintedArgument, PrintedCall } from './entry.ts';

/** The two operands of a binary operator; the analyser has checked their number. */
export function twoOperands(call: PrintedCall): readonly [PrintedArgument, PrintedArgument] {
  const [a, b] = call.arguments;
  if (a === undefined || b === undefined) throw new TypeError('an operator with two operands has less');
  return [a, b];
}

/** The first argument; the analyser has checked their number. */
export function firstArgument(call: PrintedCall): PrintedArgument {
  const [first] = call.arguments;
  if (first === undefined) throw new TypeError('a call that needs an argument has none');
  return first;
}
