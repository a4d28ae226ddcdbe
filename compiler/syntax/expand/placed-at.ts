import type { Span } from '../../../language/source/span.ts';
import type { CommandField, Expression, Name, TypeName } from '../ast.ts';

/**
 * A declaration given to a template, with its parameter's place: errors in it show the place in the template, and the declaration itself as
 * the applied text.
 */
export function placedAt(field: CommandField, span: Span): CommandField {
  const at = <N extends Name | TypeName | Expression>(node: N): N => ({
    ...node,
    span: { ...span, applied: node.span },
  });
  return {
    ...field,
    span: { ...span, applied: field.span },
    name: at(field.name),
    type: at(field.type),
    ...(field.default === undefined ? {} : { default: placeLiteral(field.default) }),
  };

  /** A default is a literal, or a sign before one. */
  function placeLiteral(node: Expression): Expression {
    return node.kind === 'Unary' ? { ...at(node), operand: at(node.operand) } : at(node);
  }
}
