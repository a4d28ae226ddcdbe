import type { UpcastPrinter } from '../../../templates/expression-printer.ts';
import { propertyAccess } from '../../../templates/literal.ts';
import { comparesNarrowed, nothingPinned } from './narrowing.ts';
import { nothingKnown, type InputExpression } from './nulls.ts';
import { functionName, printFunctions } from './print-function.ts';
import { printValueCode } from './print-expression.ts';

/** The printer of the expressions of UPCAST clauses. */
export const upcastPrinter: UpcastPrinter = {
  value: (expression) => {
    const careful = comparesNarrowed(expression, nothingPinned);
    return printValueCode(expression, { input, functionName, known: nothingKnown, careful });
  },
  functions: (within) => printFunctions(within, functionName),
};

function input(given: InputExpression): string {
  if (given.kind === 'column') return propertyAccess('stored', given.column);
  if (given.kind === 'argument') return propertyAccess('event', given.name);
  throw new Error(`${given.kind} is not allowed in an UPCAST clause`);
}
