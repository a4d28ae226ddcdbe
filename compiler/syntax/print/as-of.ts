import type { AsOf, Expression } from '../ast.ts';
import type { Doc } from './doc.ts';
import { expressionDoc } from './expression.ts';

export function asOfDoc({ unit, position, time }: AsOf): Doc {
  if (unit === 'position') return `AS OF POSITION ${position ?? 0}`;
  if (time === undefined) return 'AS OF EACH';
  return [opensWithTimestamp(time) ? 'AS OF ' : 'AS OF TIMESTAMP ', expressionDoc(time)];
}

/** The word before a literal at the beginning is that of the clause as well. */
function opensWithTimestamp(expression: Expression): boolean {
  switch (expression.kind) {
    case 'TypedLiteral':
      return expression.type === 'TIMESTAMP';
    case 'Binary':
      return opensWithTimestamp(expression.left);
    case 'Cast':
      return expression.form === '::' && opensWithTimestamp(expression.operand);
    default:
      return false;
  }
}
