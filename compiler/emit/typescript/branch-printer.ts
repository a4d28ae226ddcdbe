import { joinedCode } from '../../../templates/code.ts';
import type { BranchPrinter } from '../../../templates/expression-printer.ts';
import { propertyAccess, stringLiteral } from '../../../templates/literal.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { comparesNarrowed, nothingPinned, pinnedAfter } from './narrowing.ts';
import { nothingKnown, type InputExpression } from './nulls.ts';
import { withoutParentheses } from './parentheses.ts';
import { printCondition } from './print-condition.ts';
import { functionName, printFunctions } from './print-function.ts';
import { mayBeNull, printValue, printValueCode, type PrintScope } from './print-expression.ts';

/**
 * The printer of one branch of a decision or a reaction: the values after its guard may use what the guard has tested.
 * `given`: the parameter whose properties `:field` names.
 */
export function createBranchPrinter(owner: string, given: 'command' | 'event' = 'command'): BranchPrinter {
  let known = nothingKnown;
  let pinned = nothingPinned;
  const scopeOf = (expression: TypedExpression): PrintScope => ({
    input: (expression) => input(expression, given),
    functionName,
    known,
    careful: comparesNarrowed(expression, pinned),
  });
  return {
    guard: (expression) => {
      const scope = scopeOf(expression);
      const printed = printCondition(expression, scope);
      known = printed.known;
      pinned = pinnedAfter(expression, true);
      return joinedCode('&&', printed.items);
    },
    value: (expression) => printValueCode(expression, scopeOf(expression)),
    streamId: (expression) => printStreamId(owner, expression, scopeOf(expression)),
    functions: (within) => printFunctions(within, functionName),
  };
}

function input(read: InputExpression, given: string): string {
  if (read.kind === 'column') throw new Error(`column ${read.column} is outside a query`);
  if (read.kind === 'parameter') throw new Error(`parameter ${read.name} is outside its function`);
  return propertyAccess(read.kind === 'argument' ? given : 'state', read.name);
}

function printStreamId(decision: string, expression: TypedExpression, scope: PrintScope): string {
  const text = withoutParentheses(printValue(expression, scope));
  if (mayBeNull(expression, scope)) return `sql.streamId(${stringLiteral(decision)}, ${text})`;
  return expression.type.kind === 'STRING' || expression.type.kind === 'UUID' ? text : `String(${text})`;
}
