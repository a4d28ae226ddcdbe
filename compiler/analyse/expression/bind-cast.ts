import { typeName } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { canCast } from '../../functions/cast.ts';
import type { Cast } from '../../syntax/ast.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { isMarked } from '../sensitive/mark.ts';
import { resolveType } from '../type/resolve-type.ts';
import { bindExpression } from './bind-expression.ts';
import { isUntyped, faulty, isFaulty, isNullLiteral, nullOf } from '../typed/typed.ts';
import { castsTo } from '../../functions/can-cast.ts';
import { valuesNear } from '../literal/near-value.ts';
import { recordValueUse } from '../literal/record-value-use.ts';
import { showLiteral } from '../literal/read-literal.ts';

/** `CAST(x AS T)` and `x::T`. A string literal that is not a value of T is an error here; any other value is checked at run time. */
export function bindCast(node: Cast, context: ExpressionContext): TypedExpression {
  const { binding } = context;
  const type = resolveType(node.type, binding);
  const operand = bindExpression(node.operand, context);
  if (type === undefined || isFaulty(operand)) return faulty;
  if (isNullLiteral(operand))
    return { kind: 'cast', operand: nullOf(type), mode: 'explicit', type, nullable: true, sensitive: false };
  const exact = type.kind === 'STRING' ? type.enum !== undefined : type.kind !== 'DECIMAL' && type.kind !== 'JSON';
  if (operand.kind === 'literal' && isUntyped(operand) && exact && !castsTo(type, String(operand.value))) {
    const literal = showLiteral({ form: 'text', text: String(operand.value) });
    binding.report(
      diagnose('E0303', node.operand.span, { literal, type: typeName(type), ...valuesNear(type, operand.value) }),
    );
    return faulty;
  }
  if (operand.kind === 'literal' && isUntyped(operand))
    recordValueUse(type, operand.value, node.operand.span, binding.environment);
  if (!canCast(operand.type, type, 'explicit')) {
    binding.report(diagnose('E0308', node.span, { from: typeName(operand.type), to: typeName(type) }));
    return faulty;
  }
  return { kind: 'cast', operand, mode: 'explicit', type, nullable: operand.nullable, sensitive: isMarked(operand) };
}
