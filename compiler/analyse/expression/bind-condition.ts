import { typeName } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Expression } from '../../syntax/ast.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindExpression } from './bind-expression.ts';
import { convert } from './convert.ts';
import { faulty, isFaulty, isNullLiteral, truthType } from '../typed/typed.ts';

/** A condition, which must be BOOLEAN. A NULL literal is accepted, and is never true. */
export function bindCondition(
  node: Expression,
  context: ExpressionContext,
  where = context.site.where,
): TypedExpression {
  return asCondition(bindExpression(node, context), node, where, context);
}

export function asCondition(
  bound: TypedExpression,
  node: Expression,
  where: string,
  { binding }: ExpressionContext,
): TypedExpression {
  if (isFaulty(bound) || bound.type.kind === 'BOOLEAN') return bound;
  if (isNullLiteral(bound)) return convert(bound, truthType, binding);
  binding.report(diagnose('E0306', node.span, { where, type: typeName(bound.type) }));
  return faulty;
}
