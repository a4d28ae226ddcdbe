import type { Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';

/** Whether a value computed from an expression derives from a SENSITIVE field; a STRUCT carries its marks leaf by leaf in its type. */
export function isMarked(expression: TypedExpression): boolean {
  return expression.sensitive || (expression.kind !== 'mask' && hasMarkedLeaf(expression.type));
}

export function hasMarkedLeaf(type: Type): boolean {
  return type.kind === 'STRUCT' && type.fields.some((field) => field.sensitive === true);
}
