import type { Span } from '../../../language/source/span.ts';
import type { AnyComparison, Expression, IsTest } from '../ast.ts';
import type { AnyCst, BetweenCst, InListCst, IsTestCst, LikeCst } from '../grammar/cst.ts';
import { buildBound, buildExpression, signOf, type Operation } from './chain.ts';
import { first, second, type BuildContext } from './context.ts';
import { buildSubquery } from './query.ts';

/** A test after an expression: ANY, IS, IN, BETWEEN, LIKE. */
export function buildPredicate(
  context: BuildContext,
  operand: Expression,
  operation: Operation,
  span: Span,
): Expression {
  const { any, isTest, inList, between, like, Comparison, NOT } = operation.children;
  const negated = NOT !== undefined;
  if (any !== undefined) {
    const operator = signOf(first(Comparison ?? [])) as AnyComparison['operator']; // only comparisons go with ANY
    return buildAny(context, operator, operand, first(any), span);
  }
  if (isTest !== undefined) return buildIsTest(operand, first(isTest), span);
  if (inList !== undefined) return buildIn(context, operand, first(inList), negated, span);
  if (between !== undefined) return buildBetween(context, operand, first(between), negated, span);
  return buildLike(context, operand, first(like ?? []), negated, span);
}

function buildAny(
  context: BuildContext,
  operator: AnyComparison['operator'],
  left: Expression,
  cst: AnyCst,
  span: Span,
): Expression {
  const { ALL, subquery, expression } = cst.children;
  if (subquery !== undefined) {
    const query = buildSubquery(context, first(subquery));
    const all = ALL !== undefined;
    if (operator === (all ? '<>' : '='))
      return { kind: 'InQuery', span, operand: left, query, negated: all, compared: true };
    return { kind: 'AnyQuery', span, operator, quantifier: all ? 'ALL' : 'ANY', left, query };
  }
  const list = buildExpression(context, first(expression ?? []));
  return { kind: 'AnyComparison', span, operator, left, list };
}

function buildIsTest(operand: Expression, cst: IsTestCst, span: Span): Expression {
  const { NOT, TRUE, FALSE, UNKNOWN } = cst.children;
  let test: IsTest['test'] = 'NULL';
  if (TRUE !== undefined) test = 'TRUE';
  else if (FALSE !== undefined) test = 'FALSE';
  else if (UNKNOWN !== undefined) test = 'UNKNOWN';
  return { kind: 'IsTest', span, operand, test, negated: NOT !== undefined };
}

function buildIn(context: BuildContext, operand: Expression, cst: InListCst, negated: boolean, span: Span): Expression {
  const { subquery, expression } = cst.children;
  if (subquery !== undefined) {
    return { kind: 'InQuery', span, operand, query: buildSubquery(context, first(subquery)), negated };
  }
  const list = (expression ?? []).map((item) => buildExpression(context, item));
  return { kind: 'InList', span, operand, list, negated };
}

function buildBetween(
  context: BuildContext,
  operand: Expression,
  cst: BetweenCst,
  negated: boolean,
  span: Span,
): Expression {
  const low = buildBound(context, first(cst.children.bound));
  const high = buildBound(context, second(cst.children.bound));
  const symmetric = cst.children.SYMMETRIC === undefined ? {} : ({ symmetric: true } as const);
  return { kind: 'Between', span, operand, low, high, negated, ...symmetric };
}

function buildLike(context: BuildContext, operand: Expression, cst: LikeCst, negated: boolean, span: Span): Expression {
  const { bound, ESCAPE, ILIKE } = cst.children;
  return {
    kind: 'Like',
    span,
    operand,
    pattern: buildBound(context, first(bound)),
    ...(ESCAPE === undefined ? {} : { escape: buildBound(context, second(bound)) }),
    caseInsensitive: ILIKE !== undefined,
    negated,
  };
}
