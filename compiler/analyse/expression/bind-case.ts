import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { commonTypeOf, comparedType } from '../../functions/typing.ts';
import type { Case } from '../../syntax/ast.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindCondition } from './bind-condition.ts';
import { bindExpression } from './bind-expression.ts';
import { call, givenArgument } from './call.ts';
import { commonOf } from './common-type.ts';
import { convert } from './convert.ts';
import { faulty, isFaulty } from '../typed/typed.ts';

/** CASE in both forms. Its values share a type. A mark on a condition is dropped, a mark on a value is kept (docs/language.md#sensitive-values). */
export function bindCase(node: Case, outer: ExpressionContext): TypedExpression {
  const { binding } = outer;
  const context: ExpressionContext = { ...outer, site: { ...outer.site, where: 'CASE', sensitive: 'refused' } };
  const operand = node.operand === undefined ? undefined : bindExpression(node.operand, context);
  const whens = node.branches.map((branch) =>
    operand === undefined ? bindCondition(branch.when, context, 'WHEN') : bindExpression(branch.when, context),
  );
  const thens = node.branches.map((branch) => bindExpression(branch.then, context));
  const otherwise = node.otherwise === undefined ? undefined : bindExpression(node.otherwise, context);
  const matched = operand === undefined ? { operand, whens } : matchOperand(node, operand, whens, context);
  const values = otherwise === undefined ? thens : [...thens, otherwise];
  const type = commonOf(values.map(givenArgument), 'CASE', node.span, binding.report);
  if (matched === undefined || isFaulty({ type }) || matched.whens.some(isFaulty)) return faulty;
  const converted = values.map((value) => convert(value, type, binding));
  if (converted.some(isFaulty)) return faulty;
  const last = otherwise === undefined ? undefined : converted.at(-1);
  return {
    kind: 'case',
    ...(matched.operand === undefined ? {} : { operand: matched.operand }),
    // Both lists come from the branches, so they have equal lengths.
    branches: matched.whens.map((when, index) => ({ when, then: converted[index] as TypedExpression })),
    ...(last === undefined ? {} : { otherwise: last }),
    type,
    nullable: last === undefined || converted.some((value) => value.nullable),
    sensitive: converted.some((value) => value.sensitive),
  };
}

/** `CASE x WHEN a`: x and every a get one type; errors are reported as for the comparison x = a. */
function matchOperand(
  node: Case,
  operand: TypedExpression,
  whens: readonly TypedExpression[],
  { binding }: ExpressionContext,
): { operand: TypedExpression; whens: readonly TypedExpression[] } | undefined {
  if (isFaulty(operand) || whens.some(isFaulty)) return undefined;
  const compared = whens.map((when, index) =>
    call('equal', [operand, when], node.branches[index]?.span ?? node.span, binding),
  );
  if (compared.some(isFaulty)) return undefined;
  const given = [operand, ...whens].map(givenArgument);
  const type = comparedType(commonTypeOf(given) ?? operand.type, given);
  const converted = whens.map((when) => convert(when, type, binding));
  const subject = convert(operand, type, binding);
  return converted.some(isFaulty) || isFaulty(subject) ? undefined : { operand: subject, whens: converted };
}
