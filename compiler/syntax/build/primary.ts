import type { Case, Cast, Expression } from '../ast.ts';
import type { CaseCst, CastCst, NamedCst, OperandCst } from '../grammar/cst.ts';
import { buildPosition, buildExtract, buildSubstring, buildTrim } from './call-with-words.ts';
import { buildCall } from './call.ts';
import { buildExpression, type Written } from './chain.ts';
import { first, spanOf, spanOfToken, type BuildContext } from './context.ts';
import { buildNumber, buildPlaceholder, buildString, buildTypedLiteral } from './literal.ts';
import { buildBindName, buildName, buildTypeName } from './name.ts';
import { buildSubquery } from './query.ts';

/** The operand without the NOT, `-` and `+` before it. */
export function buildPrimary(context: BuildContext, cst: OperandCst): Written {
  const { LParen, RParen, expression } = cst.children;
  if (expression !== undefined && LParen !== undefined && RParen !== undefined) {
    const node = buildExpression(context, first(expression));
    return { node, start: first(LParen).startOffset, end: first(RParen).endOffset + 1 };
  }
  const node = buildToken(context, cst) ?? buildRule(context, cst);
  return { node, start: node.span.start, end: node.span.end };
}

function buildToken(context: BuildContext, { children }: OperandCst): Expression | undefined {
  const { Number, String, Bind, TRUE, FALSE, NULL, Placeholder } = children;
  if (Number !== undefined) return buildNumber(context, first(Number));
  if (String !== undefined) return buildString(context, first(String));
  if (Placeholder !== undefined) return buildPlaceholder(context, first(Placeholder));
  const token = Bind?.[0] ?? TRUE?.[0] ?? FALSE?.[0] ?? NULL?.[0];
  if (token === undefined) return undefined;
  const span = spanOfToken(context, token);
  if (Bind !== undefined) {
    const name = buildBindName(context, token);
    return context.literalOf?.(name.text, span) ?? { kind: 'BindParameter', span, name };
  }
  return NULL === undefined
    ? { kind: 'BooleanLiteral', span, value: TRUE !== undefined }
    : { kind: 'NullLiteral', span };
}

function buildRule(context: BuildContext, { children }: OperandCst): Expression {
  const { typedLiteral, subquery, exists, extract, position, substring, trim, named } = children;
  if (named !== undefined) return buildNamed(context, first(named));
  if (typedLiteral !== undefined) return buildTypedLiteral(context, first(typedLiteral));
  if (subquery !== undefined) {
    const span = spanOf(context, first(subquery));
    return { kind: 'ScalarSubquery', span, query: buildSubquery(context, first(subquery)) };
  }
  if (exists !== undefined) {
    const span = spanOf(context, first(exists));
    return { kind: 'Exists', span, query: buildSubquery(context, first(first(exists).children.subquery)) };
  }
  if (extract !== undefined) return buildExtract(context, first(extract));
  if (position !== undefined) return buildPosition(context, first(position));
  if (substring !== undefined) return buildSubstring(context, first(substring));
  if (trim !== undefined) return buildTrim(context, first(trim));
  if (children.cast !== undefined) return buildCast(context, first(children.cast));
  return buildCase(context, first(children.case ?? []));
}

function buildCast(context: BuildContext, cst: CastCst): Cast {
  const operand = buildExpression(context, first(cst.children.expression));
  const type = buildTypeName(context, first(cst.children.typeName));
  return { kind: 'Cast', span: spanOf(context, cst), operand, type, form: 'CAST' };
}

function buildCase(context: BuildContext, cst: CaseCst): Case {
  const { expression, caseBranch, otherwise } = cst.children;
  return {
    kind: 'Case',
    span: spanOf(context, cst),
    ...(expression === undefined ? {} : { operand: buildExpression(context, first(expression)) }),
    branches: caseBranch.map((branch) => ({
      kind: 'CaseBranch',
      span: spanOf(context, branch),
      when: buildExpression(context, first(branch.children.when)),
      then: buildExpression(context, first(branch.children.then)),
    })),
    ...(otherwise === undefined ? {} : { otherwise: buildExpression(context, first(otherwise)) }),
  };
}

/** SQL's functions that are called without parentheses. */
const bareFunctions: ReadonlySet<string> = new Set(['CURRENT_TIMESTAMP', 'CURRENT_DATE']);

/** A call, a column, or a function that needs no parentheses. */
function buildNamed(context: BuildContext, cst: NamedCst): Expression {
  if (cst.children.arguments !== undefined) return buildCall(context, cst);
  const span = spanOf(context, cst);
  const path = [...cst.children.Name, ...(cst.children.Word ?? [])].map((token) => buildName(context, token));
  const name = first(path);
  if (path.length > 1 || name.quoted || !bareFunctions.has(name.text.toUpperCase())) {
    return { kind: 'ColumnReference', span, path };
  }
  const none = { arguments: [], star: false, distinct: false, orderBy: [] };
  return { kind: 'FunctionCall', span, name, form: 'bare', ...none };
}
