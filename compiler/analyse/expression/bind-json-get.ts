import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { ColumnReference, JsonGet, Name } from '../../syntax/ast.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindColumn } from './bind-column.ts';
import { bindExpression } from './bind-expression.ts';
import { call } from './call.ts';
import { faulty, isFaulty, textType } from '../typed/typed.ts';

/** `data->>'field'` is `data.field` as text (docs/language.md#queries); of JSON values, a member or an element. */
export function bindJsonGet(node: JsonGet, context: ExpressionContext): TypedExpression {
  const { binding } = context;
  const operand = bindExpression(node.operand, context);
  if (isFaulty(operand)) return faulty;
  if (operand.type.kind === 'STRUCT') {
    if (node.key.kind !== 'StringLiteral') {
      binding.report(diagnose('E0312', node.key.span, {}));
      return faulty;
    }
    if (node.operand.kind === 'ColumnReference' && node.operator === '->>') {
      return asText(bindColumn(fieldReference(node.operand, node.key.value, node.key.span), context));
    }
  } else if (operand.type.kind !== 'JSON' && operand.type.kind !== 'STRING' && operand.type.kind !== 'NULL') {
    binding.report(diagnose('E0311', node.operand.span, { type: operand.type.kind }));
    return faulty;
  }
  const key = bindExpression(node.key, context);
  return call(node.operator === '->' ? 'json_get' : 'json_get_text', [operand, key], node.span, binding);
}

function fieldReference(operand: ColumnReference, field: string, span: Name['span']): ColumnReference {
  const name: Name = { kind: 'Name', span, text: field, quoted: true };
  return { ...operand, path: [...operand.path, name] };
}

function asText(leaf: TypedExpression): TypedExpression {
  if (isFaulty(leaf) || leaf.type.kind === 'STRING') return leaf;
  return {
    kind: 'cast',
    operand: leaf,
    mode: 'explicit',
    type: textType,
    nullable: leaf.nullable,
    sensitive: leaf.sensitive,
  };
}
