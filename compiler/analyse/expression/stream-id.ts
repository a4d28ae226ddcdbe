import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BinaryOperator } from '../../syntax/ast.ts';
import type { Binding } from '../query/binding.ts';
import { textType } from '../typed/typed.ts';

const comparisons: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>([
  '=',
  '<>',
  'IS DISTINCT FROM',
  'IS NOT DISTINCT FROM',
]);

/**
 * A numeric stream id is stored and compared as its canonical text (docs/language.md#command): the command's own id becomes text when
 * compared with a stream_id or aggregate_id.
 */
export function asStreamIds(
  [left, right]: readonly [TypedExpression, TypedExpression],
  operator: BinaryOperator,
  binding: Binding,
): readonly [TypedExpression, TypedExpression] {
  if (!comparisons.has(operator)) return [left, right];
  if (isStreamColumn(left) && isNumericId(right, binding)) return [left, asText(right)];
  return isStreamColumn(right) && isNumericId(left, binding) ? [asText(left), right] : [left, right];
}

function isStreamColumn(expression: TypedExpression): boolean {
  if (expression.kind !== 'column' || expression.type.kind !== 'STRING') return false;
  const name = expression.column.toLowerCase();
  return name === 'stream_id' || name === 'aggregate_id';
}

function isNumericId(expression: TypedExpression, { command }: Binding): boolean {
  if (expression.kind !== 'argument' || command === undefined || command === 'unknown') return false;
  return (
    expression.name === command.streamField && (expression.type.kind === 'INT' || expression.type.kind === 'BIGINT')
  );
}

function asText(expression: TypedExpression): TypedExpression {
  const { nullable, sensitive } = expression;
  return { kind: 'cast', operand: expression, mode: 'explicit', type: textType, nullable, sensitive };
}
