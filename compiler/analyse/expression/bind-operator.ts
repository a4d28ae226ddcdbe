import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Between, Binary, BinaryOperator, Expression, InList, IsTest, Like, Unary } from '../../syntax/ast.ts';
import { commonType } from '../../functions/typing.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindExpression } from './bind-expression.ts';
import { bindLiteral } from './bind-literal.ts';
import { call, givenArgument } from './call.ts';
import { comparedOf } from './common-type.ts';
import { asStreamIds } from './stream-id.ts';
import { convert } from './convert.ts';
import { reportTextAgainstNumber } from './text-against-number.ts';
import { lookupFunction } from '../../functions/catalogue.ts';
import { isVolatileCall } from '../../functions/properties-of-call.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import { faulty, isFaulty, isUntyped, textType, truthType } from '../typed/typed.ts';

/** The catalogue's entries for operators. */
const entries: Readonly<Record<BinaryOperator, string>> = {
  OR: 'or',
  AND: 'and',
  '=': 'equal',
  '<>': 'not_equal',
  '<': 'less',
  '<=': 'less_equal',
  '>': 'greater',
  '>=': 'greater_equal',
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '||': 'concat',
  'IS DISTINCT FROM': 'is_distinct',
  'IS NOT DISTINCT FROM': 'is_not_distinct',
};

const comparisons: ReadonlySet<BinaryOperator> = new Set(['=', '<>', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM']);

/** Left-associative operators are bound in a loop: `a AND b AND c …` may be long without being nested. */
export function bindBinary(node: Binary, context: ExpressionContext): TypedExpression {
  const spine: Binary[] = [node];
  for (let left = node.left; left.kind === 'Binary'; left = left.left) spine.push(left);
  const innermost = spine.at(-1) ?? node;
  let bound = bindExpression(innermost.left, context);
  for (const part of spine.reverse()) {
    const isCompared = comparisons.has(part.operator) && part.right.kind === 'ColumnReference';
    const right = bindExpression(part.right, isCompared ? { ...context, isCompared } : context);
    bound = call(
      entries[part.operator],
      asStreamIds([bound, right], part.operator, context.binding),
      part.span,
      context.binding,
    );
  }
  return bound;
}

export function bindUnary(node: Unary, context: ExpressionContext): TypedExpression {
  const number = signedNumber(node);
  if (number !== undefined) return bindLiteral(number, context);
  const operand = bindExpression(node.operand, context);
  switch (node.operator) {
    case 'NOT':
      return call('not', [operand], node.span, context.binding);
    case '-':
      return call('negate', [operand], node.span, context.binding);
    case '+':
      // Only values that can be negated have a sign.
      return isFaulty(call('negate', [operand], node.span, context.binding)) ? faulty : operand;
  }
}

/** A number with its signs. Two minuses cancel before the number has a type, as in PostgreSQL: `- -2147483648` is a BIGINT. */
function signedNumber(node: Unary): Expression | undefined {
  let signed: Expression = node;
  while (signed.kind === 'Unary' && signed.operator === '-' && signed.operand.kind === 'Unary') {
    if (signed.operand.operator !== '-') return undefined;
    signed = signed.operand.operand;
  }
  const number = signed.kind === 'Unary' && signed.operator !== 'NOT' ? signed.operand : signed;
  return number.kind === 'NumberLiteral' ? signed : undefined;
}

const tests = { NULL: 'is_null', TRUE: 'is_true', FALSE: 'is_false', UNKNOWN: 'is_unknown' } as const;

export function bindIsTest(node: IsTest, context: ExpressionContext): TypedExpression {
  const operand = bindExpression(node.operand, context);
  const test = call(tests[node.test], [operand], node.span, context.binding);
  return negatedIf(node.negated, test, node, context);
}

export function bindBetween(node: Between, context: ExpressionContext): TypedExpression {
  const operand = bindExpression(node.operand, context);
  const ends = [bindExpression(node.low, context), bindExpression(node.high, context)] as const;
  if (node.symmetric === true) {
    const within = call('between_symmetric', [operand, ...ends], node.span, context.binding);
    return negatedIf(node.negated, within, node, context);
  }
  if (isEvaluatedOnce(operand))
    return negatedIf(node.negated, call('between', [operand, ...ends], node.span, context.binding), node, context);
  const low = call('greater_equal', [operand, ends[0]], node.span, context.binding);
  const high = call('less_equal', [operand, ends[1]], node.span, context.binding);
  return negatedIf(node.negated, call('and', [low, high], node.span, context.binding), node, context);
}

/**
 * Whether an expression must not be written twice: random values, queries, and large expressions, which would double with every level when
 * nested.
 */
function isEvaluatedOnce(expression: TypedExpression): boolean {
  let nodes = 0;
  return someExpression(
    expression,
    (part) => (nodes += 1) > 32 || isVolatileCall(part) || 'query' in part || part.kind === 'window',
  );
}

export function bindLike(node: Like, context: ExpressionContext): TypedExpression {
  const parts = [node.operand, node.pattern, ...(node.escape === undefined ? [] : [node.escape])];
  const bound = parts.map((part) => bindExpression(part, context));
  const like = call(node.caseInsensitive ? 'ilike' : 'like', bound, node.span, context.binding);
  return negatedIf(node.negated, like, node, context);
}

/** `x IN (a, b)`: all of one type, found as for `x = a OR x = b`. */
export function bindInList(node: InList, context: ExpressionContext): TypedExpression {
  const { binding } = context;
  const operand = bindExpression(node.operand, context);
  const list = node.list.map((part) => bindExpression(part, context));
  const all = [operand, ...list];
  if (all.some(isFaulty)) return faulty;
  const clash = list.find(
    (part) => commonType([operand, part].flatMap((e) => (isUntyped(e) ? [] : [e.type]))) === undefined,
  );
  const equal = lookupFunction('equal');
  if (
    clash !== undefined &&
    equal !== undefined &&
    reportTextAgainstNumber(equal, [operand, clash], node.span, binding)
  )
    return faulty;
  const common = comparedOf(all.map(givenArgument), 'IN', node.span, binding.report);
  const type = common.kind === 'NULL' && !isFaulty({ type: common }) ? textType : common;
  if (type.kind === 'JSON' || type.kind === 'STRUCT' || type.kind === 'LIST') {
    binding.report(diagnose('E0304', node.span, { problem: `IN cannot compare ${type.kind} values` }));
    return faulty;
  }
  const converted = all.map((part) => convert(part, type, binding));
  const [first, ...rest] = converted;
  if (first === undefined || converted.some(isFaulty)) return faulty;
  return {
    kind: 'in-list',
    operand: first,
    list: rest,
    negated: node.negated,
    type: truthType,
    nullable: converted.some((part) => part.nullable),
    sensitive: binding.sensitivity === 'masks' && converted.some((part) => part.sensitive),
  };
}

function negatedIf(
  negated: boolean,
  bound: TypedExpression,
  node: { readonly span: Binary['span'] },
  context: ExpressionContext,
): TypedExpression {
  return negated ? call('not', [bound], node.span, context.binding) : bound;
}
