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

/** The printer of one branch of a decision: the values after its guard may use what the guard has tested. */
export function createBranchPrinter(decision: string): BranchPrinter {
  let known = nothingKnown;
  let pinned = nothingPinned;
  const scopeOf = (expression: TypedExpression): PrintScope => ({
    input,
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
    streamId: (expression) => printStreamId(decision, expression, scopeOf(expression)),
    functions: (within) => printFunctions(within, functionName),
  };
}

function input(given: InputExpression): string {
  if (given.kind === 'column') throw new Error(`column ${given.column} is outside a query`);
  if (given.kind === 'parameter') throw new Error(`parameter ${given.name} is outside its function`);
  return propertyAccess(given.kind === 'argument' ? 'command' : 'state', given.name);
}

function printStreamId(decision: string, expression: TypedExpression, scope: PrintScope): string {
  const text = withoutParentheses(printValue(expression, scope));
  if (mayBeNull(expression, scope)) return `sql.streamId(${stringLiteral(decision)}, ${text})`;
  return expression.type.kind === 'STRING' || expression.type.kind === 'UUID' ? text : `String(${text})`;
}
