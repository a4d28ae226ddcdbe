import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Expression } from '../../syntax/ast.ts';
import { numberAs, numberType, textAs } from '../literal/literal-value.ts';
import { readLiteral, showLiteral } from '../literal/read-literal.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { faulty, literal, nullOf, nullType, textType, truthType } from '../typed/typed.ts';

/** The type of a literal by its form (docs/language.md#types); texts and NULL take another type later, if their context has one. */
export function bindLiteral(node: Expression, { binding }: ExpressionContext): TypedExpression {
  const written = readLiteral(node);
  switch (written?.form) {
    case 'text':
      return literal(written.text, textType);
    case 'number':
      return numberLiteral(written.text, node, binding.report);
    case 'boolean':
      return literal(written.value, truthType);
    case 'null':
      return nullOf(nullType);
    case 'typed': {
      const type = { kind: written.type } as const;
      const value = textAs(type, written.text);
      if (value !== undefined) return literal(value, type);
      binding.report(diagnose('E0303', node.span, { literal: showLiteral(written), type: written.type }));
      return faulty;
    }
    case undefined:
      return faulty;
  }
}

function numberLiteral(
  text: string,
  node: Expression,
  report: ExpressionContext['binding']['report'],
): TypedExpression {
  const type = numberType(text);
  const value = type === undefined ? undefined : numberAs(type, text);
  if (type !== undefined && value !== undefined) return literal(value, type);
  report(diagnose('E0310', node.span, { text }));
  return faulty;
}
