import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import { partsOf } from '../typed/walk.ts';

/** The parts that a call may have with the bodies of all functions written in: a query of such calls still has less than about 1 MiB of SQL. */
export const mostParts = 10_000;

const sizes = new WeakMap<TypedExpression, number>();

/** The parts of an expression with the bodies of functions in place of their calls, as SQL is printed. */
export function functionSize(expression: TypedExpression): number {
  const known = sizes.get(expression);
  if (known !== undefined) return known;
  const size = Math.min(expression.kind === 'apply' ? sizeOfCall(expression) : sizeOfParts(expression), enough);
  sizes.set(expression, size);
  return size;
}

/** Keeps sums of sizes exact. */
const enough = 1e12;

function sizeOfParts(expression: TypedExpression): number {
  return partsOf(expression).reduce((sum, part) => sum + functionSize(part), 1);
}

/** An argument with an aggregate or a window is printed as often as the body names it; any other at most once. */
function sizeOfCall({ parameters, arguments: given, body }: Extract<TypedExpression, { kind: 'apply' }>): number {
  return given.reduce((sum, argument, index) => {
    const repeated = someExpression(argument, (part) => part.kind === 'aggregate' || part.kind === 'window');
    const times = repeated ? Math.max(1, readings(body, parameters[index]?.name)) : 1;
    return sum + times * functionSize(argument);
  }, functionSize(body));
}

function readings(body: TypedExpression, name: string | undefined): number {
  let count = 0;
  someExpression(body, (part) => {
    if (part.kind === 'parameter' && part.name === name) count += 1;
    return false;
  });
  return count;
}
