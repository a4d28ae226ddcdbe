import type { Expression, Extract, FunctionCall } from '../ast.ts';
import type { ExtractCst, PositionCst, SubstringCst, TrimCst } from '../grammar/cst.ts';
import type { Token } from '../tokens/token.ts';
import { buildBound, buildExpression } from './chain.ts';
import { first, spanOf, type BuildContext } from './context.ts';
import { buildName, buildNameRule } from './name.ts';

/** The calls that SQL writes with words instead of commas; their arguments in plain order. */
export function buildExtract(context: BuildContext, cst: ExtractCst): Extract {
  const field = buildNameRule(context, first(cst.children.name)).text.toUpperCase();
  const operand = buildExpression(context, first(cst.children.expression));
  return { kind: 'Extract', span: spanOf(context, cst), field, operand };
}

/** POSITION(needle IN text), and POSITION as an ordinary call. */
export function buildPosition(context: BuildContext, cst: PositionCst): FunctionCall {
  const { POSITION, bound, IN, expression } = cst.children;
  const rest = (expression ?? []).map((item) => buildExpression(context, item));
  return call(context, cst, first(POSITION), [buildBound(context, first(bound)), ...rest], IN !== undefined);
}

/** SUBSTRING(x FROM a [FOR b]), and SUBSTRING as an ordinary call. */
export function buildSubstring(context: BuildContext, cst: SubstringCst): FunctionCall {
  const { SUBSTRING, expression, from } = cst.children;
  const parts = [...expression, ...(from ?? []), ...(cst.children.for ?? [])];
  const values = parts.map((item) => buildExpression(context, item));
  return call(context, cst, first(SUBSTRING), values, from !== undefined);
}

/** TRIM([LEADING | TRAILING | BOTH] [c] FROM x), and TRIM as an ordinary call. */
export function buildTrim(context: BuildContext, cst: TrimCst): FunctionCall {
  const { TRIM, LEADING, TRAILING, BOTH, expression, from } = cst.children;
  const values = [...(from ?? []), ...(expression ?? [])].map((item) => buildExpression(context, item));
  const side = LEADING?.[0] ?? TRAILING?.[0] ?? BOTH?.[0];
  const plain = call(context, cst, first(TRIM), values, from !== undefined || side !== undefined);
  if (side === undefined) return plain;
  return { ...plain, trim: side.image.toUpperCase() as 'LEADING' | 'TRAILING' | 'BOTH' }; // one of the three keywords
}

function call(
  context: BuildContext,
  cst: PositionCst | SubstringCst | TrimCst,
  name: Token,
  values: readonly Expression[],
  words: boolean,
): FunctionCall {
  return {
    kind: 'FunctionCall',
    span: spanOf(context, cst),
    name: buildName(context, name),
    arguments: values,
    form: words ? 'words' : 'plain',
    star: false,
    distinct: false,
    orderBy: [],
  };
}
