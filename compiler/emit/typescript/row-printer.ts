import { joinedCode, type Code } from '../../../templates/code.ts';
import type { RowPrinter, RowSource } from '../../../templates/expression-printer.ts';
import { propertyAccess } from '../../../templates/literal.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import { breakText } from './break-text.ts';
import { comparesNarrowed, nothingPinned } from './narrowing.ts';
import { nothingKnown, type InputExpression } from './nulls.ts';
import { withoutParentheses } from './parentheses.ts';
import { printCondition } from './print-condition.ts';
import { foldFunctionName, printFunctions } from './print-function.ts';
import { printValue, printValueCode, type PrintScope } from './print-expression.ts';

/** The printer of the expressions of folds. */
export function createRowPrinter(): RowPrinter {
  return {
    condition: (expression, source) => joinedCode('&&', printCondition(expression, scopeOf(expression, source)).items),
    value: (expression, source) => printValueCode(expression, scopeOf(expression, source)),
    operand: (expression, source) => operandCode(expression, scopeOf(expression, source)),
    slots: readSlots,
    functions: (within) => printFunctions(within, foldFunctionName),
  };
}

function scopeOf(expression: TypedExpression, source: RowSource): PrintScope {
  return {
    input: (input) => inputText(input, source),
    functionName: foldFunctionName,
    known: nothingKnown,
    careful: comparesNarrowed(expression, nothingPinned),
  };
}

/** A value that is more than a name or a call is in parentheses, which may be broken. */
function operandCode(expression: TypedExpression, scope: PrintScope): Code {
  const text = printValue(expression, scope);
  if (withoutParentheses(text) === text) return breakText(text);
  return {
    open: '(',
    items: [printValueCode(expression, scope)],
    close: ')',
    separator: '',
    padding: '',
    trailing: '',
  };
}

function inputText(input: InputExpression, source: RowSource): string {
  if (input.kind === 'argument' && source !== 'event') return propertyAccess('command', input.name);
  if (input.kind === 'column' && source === 'event') return propertyAccess('event', input.column);
  if (input.kind === 'column' && source !== 'event') return source(input.relation, slotIndex(input.column));
  throw new Error(`${input.kind} is not allowed in a fold`);
}

function readSlots(
  expressions: readonly TypedExpression[],
): readonly { readonly lookup: number; readonly slot: number }[] {
  const found = new Map<string, { readonly lookup: number; readonly slot: number }>();
  for (const expression of expressions) {
    someExpression(expression, (part) => {
      if (part.kind === 'column') {
        found.set(`${part.relation} ${part.column}`, { lookup: part.relation, slot: slotIndex(part.column) });
      }
      return false;
    });
  }
  return [...found.values()].sort((a, b) => a.lookup - b.lookup || a.slot - b.slot);
}

/** A slot's column is `s<n>`. */
function slotIndex(column: string): number {
  return Number(column.slice(1));
}
