import { joinedCode } from '../../../templates/code.ts';
import type { RowPrinter, RowSource } from '../../../templates/expression-printer.ts';
import { slotLocal } from '../../../templates/fold.ts';
import { propertyAccess } from '../../../templates/literal.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import { comparesNarrowed, nothingPinned } from './narrowing.ts';
import { nothingKnown, type InputExpression } from './nulls.ts';
import { printCondition } from './print-condition.ts';
import { printValue, printValueCode, type PrintScope } from './print-expression.ts';

/** The printer of what folds compute. */
export function createRowPrinter(): RowPrinter {
  return {
    condition: (expression, source) => joinedCode('&&', printCondition(expression, scopeOf(expression, source)).items),
    value: (expression, source) => printValueCode(expression, scopeOf(expression, source)),
    operand: (expression, source) => printValue(expression, scopeOf(expression, source)),
    slots: readSlots,
  };
}

function scopeOf(expression: TypedExpression, source: RowSource): PrintScope {
  return {
    input: (input) => inputText(input, source),
    known: nothingKnown,
    careful: comparesNarrowed(expression, nothingPinned),
  };
}

function inputText(input: InputExpression, source: RowSource): string {
  if (input.kind === 'argument' && source !== 'event') return propertyAccess('command', input.name);
  if (input.kind === 'column' && source === 'event') return propertyAccess('event', input.column);
  if (input.kind === 'column' && source === 'slots') return slotLocal(input.relation, slotIndex(input.column));
  throw new Error(`${input.kind} cannot stand in a fold`);
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
