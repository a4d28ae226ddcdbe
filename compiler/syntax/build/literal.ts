import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Expression, StringLiteral, TemplateValue, TypedLiteral } from '../ast.ts';
import { describeValue } from '../expand/describe-value.ts';
import type { LiteralCst, TypedLiteralCst } from '../grammar/cst.ts';
import type { Token } from '../tokens/token.ts';
import { first, spanOf, spanOfToken, type BuildContext } from './context.ts';

/** The value of a string token. */
export function stringValue(token: Token): string {
  return token.text ?? token.image.slice(1, -1).replaceAll("''", "'");
}

/** The digits of a number token. */
export function numberText(token: Token): string {
  return token.image.replaceAll('_', '');
}

export function buildString(context: BuildContext, token: Token): StringLiteral {
  return { kind: 'StringLiteral', span: spanOfToken(context, token), value: stringValue(token) };
}

export function buildNumber(context: BuildContext, token: Token): Expression {
  return { kind: 'NumberLiteral', span: spanOfToken(context, token), text: numberText(token) };
}

export function buildTypedLiteral(context: BuildContext, cst: TypedLiteralCst): TypedLiteral {
  const { DATE, TIMESTAMP, String } = cst.children;
  const type = DATE !== undefined ? 'DATE' : TIMESTAMP !== undefined ? 'TIMESTAMP' : 'INTERVAL';
  return { kind: 'TypedLiteral', span: spanOf(context, cst), type, value: stringValue(first(String)) };
}

/** A placeholder in the place of one literal. */
export function buildPlaceholder(context: BuildContext, token: Token): Expression {
  const span = spanOfToken(context, token);
  const { filling } = token;
  if (filling === undefined) return { kind: 'NullLiteral', span };
  const literal = filling.assignments ? undefined : valueLiteral(filling.value, span);
  if (literal !== undefined) return literal;
  const found = filling.assignments ? 'a list of assignments' : describeValue(filling.value);
  context.report(diagnose('E0508', span, { name: filling.parameter, expected: 'one literal', found }));
  return { kind: 'NullLiteral', span };
}

function valueLiteral(value: TemplateValue, span: Span): Expression | undefined {
  switch (value.type) {
    case 'string':
      return { kind: 'StringLiteral', span, value: value.text };
    case 'number': {
      if (!value.text.startsWith('-')) return { kind: 'NumberLiteral', span, text: value.text };
      const operand: Expression = { kind: 'NumberLiteral', span, text: value.text.slice(1) };
      return { kind: 'Unary', span, operator: '-', operand };
    }
    case 'boolean':
      return { kind: 'BooleanLiteral', span, value: value.value };
    case 'null':
      return { kind: 'NullLiteral', span };
    case 'fields':
      return undefined;
  }
}

/** `literal`: a signed number is a `Unary` over its digits, as in any expression. */
export function buildLiteral(context: BuildContext, cst: LiteralCst): Expression {
  const { Minus, Plus, Number, String, TRUE, FALSE, typedLiteral, Placeholder } = cst.children;
  const span = spanOf(context, cst);
  if (Number !== undefined) {
    const operand = buildNumber(context, first(Number));
    if (Minus === undefined && Plus === undefined) return operand;
    return { kind: 'Unary', span, operator: Minus === undefined ? '+' : '-', operand };
  }
  if (String !== undefined) return buildString(context, first(String));
  if (TRUE !== undefined || FALSE !== undefined) return { kind: 'BooleanLiteral', span, value: TRUE !== undefined };
  if (typedLiteral !== undefined) return buildTypedLiteral(context, first(typedLiteral));
  if (Placeholder !== undefined) return buildPlaceholder(context, first(Placeholder));
  return { kind: 'NullLiteral', span };
}
