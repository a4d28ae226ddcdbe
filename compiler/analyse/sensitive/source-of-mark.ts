import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { callerPartText } from '../../../language/contract/caller.ts';
import { writtenName } from '../../../language/catalog/distinct-names.ts';
import { walkExpression } from '../typed/walk.ts';
import { isMarked } from './mark.ts';

/** The first sensitive field or column that an expression reads, as written: `:password`, `hash`, `data.pin`. */
export function sourceOfMark(expression: TypedExpression): string {
  let found: string | undefined;
  walkExpression(expression, (part) => {
    if (found !== undefined || !isMarked(part)) return false;
    if (part.kind === 'argument') found = `:${part.name}`;
    if (part.kind === 'state') found = part.name;
    if (part.kind === 'caller') found = callerPartText(part.part);
    if (part.kind === 'column') found = writtenName(part.column);
    return true;
  });
  return found ?? 'a sensitive value';
}
