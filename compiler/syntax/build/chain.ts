/**
 * Flat chains of operators to trees, by precedence. Takes `operand { operation }` as the grammar read it; the depth of the tree may grow
 * with the chain, the depth of this code does not.
 */
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { BinaryOperator, Expression } from '../ast.ts';
import type { BoundCst, ExpressionCst, OperandCst, OperationCst } from '../grammar/cst.ts';
import { binaryPrecedence, precedence } from '../precedence.ts';
import type { Token } from '../tokens/token.ts';
import { first, inOrder, spanOfToken, type BuildContext } from './context.ts';
import { buildTypeName } from './name.ts';
import { buildPredicate } from './predicate.ts';
import { buildPrimary } from './primary.ts';

/** An expression and the range it was written in, its parentheses included. */
export interface Written {
  readonly node: Expression;
  readonly start: number;
  readonly end: number;
}

/** `operation` of the grammar, or the subset of `boundOperation`. */
export type Operation = Pick<OperationCst, 'children' | 'location'>;
type Operator = BinaryOperator | '->' | '->>';

export function buildExpression(context: BuildContext, cst: ExpressionCst): Expression {
  return buildChain(context, first(cst.children.operand), cst.children.operation ?? []).node;
}

export function buildBound(context: BuildContext, cst: BoundCst): Expression {
  return buildChain(context, first(cst.children.operand), cst.children.boundOperation ?? []).node;
}

function buildChain(context: BuildContext, operand: OperandCst, operations: readonly Operation[]): Written {
  let next = 0;
  return climb(prefixed(operand), 0);

  /** Joins the following operations to `left`, while they bind at least as tightly as `least`. */
  function climb(left: Written, least: number): Written {
    let result = left;
    for (let found = operations[next]; found !== undefined && precedenceOf(found) >= least; found = operations[next]) {
      next++;
      result = joined(result, found);
      if (found.children.Comparison !== undefined) checkChained();
    }
    return result;
  }
  /** An operand under its NOT, `-` and `+`, the nearest first; each takes everything that binds tighter. */
  function prefixed(cst: OperandCst): Written {
    const prefixes = inOrder(cst.children.NOT, cst.children.Minus, cst.children.Plus);
    let result = buildPrimary(context, cst);
    for (const token of prefixes.toReversed()) {
      const operator = token.image.toUpperCase() as 'NOT' | '-' | '+'; // the grammar takes no other prefix
      result = climb(result, operator === 'NOT' ? precedence.not : precedence.unary);
      const span = context.spanAt(token.startOffset, result.end);
      result = { node: { kind: 'Unary', span, operator, operand: result.node }, start: span.start, end: span.end };
    }
    return result;
  }
  function joined(left: Written, operation: Operation): Written {
    const operator = operatorOf(operation);
    const zone = operation.children.atTimeZone?.[0]?.children.operand;
    if (zone !== undefined) return inZone(left, first(zone));
    const right = operation.children.operand ?? operation.children.isTest?.[0]?.children.operand;
    if (operator !== undefined && right !== undefined) return joinedBy(operator, left, first(right));
    const end = operation.location.endOffset + 1;
    const span = context.spanAt(left.start, end);
    const { typeName } = operation.children;
    const node: Expression =
      typeName === undefined
        ? buildPredicate(context, left.node, operation, span)
        : { kind: 'Cast', span, operand: left.node, type: buildTypeName(context, first(typeName)), form: '::' };
    return { node, start: left.start, end };
  }
  function inZone(operand: Written, zone: OperandCst): Written {
    const right = climb(prefixed(zone), precedence.zone + 1);
    const span = context.spanAt(operand.start, right.end);
    const node: Expression = { kind: 'AtTimeZone', span, operand: operand.node, zone: right.node };
    return { node, start: operand.start, end: right.end };
  }
  function joinedBy(operator: Operator, left: Written, operand: OperandCst): Written {
    const right = climb(prefixed(operand), levelOf(operator) + 1);
    const span = context.spanAt(left.start, right.end);
    const node: Expression =
      operator === '->' || operator === '->>'
        ? { kind: 'JsonGet', span, operator, operand: left.node, key: right.node }
        : { kind: 'Binary', span, operator, left: left.node, right: right.node };
    return { node, start: left.start, end: right.end };
  }
  /** A comparison must not directly follow another. */
  function checkChained(): void {
    const sign = operations[next]?.children.Comparison;
    if (sign !== undefined) context.report(diagnose('E0115', spanOfToken(context, first(sign)), {}));
  }
}

/** The binary operator of an operation; `undefined` for `::`, predicates and tests. */
function operatorOf({ children }: Operation): Operator | undefined {
  const sign = children.Arithmetic ?? children.Logical ?? children.Comparison;
  if (sign !== undefined) return signOf(first(sign));
  const test = children.isTest?.[0]?.children;
  if (test?.operand === undefined) return undefined;
  return test.NOT === undefined ? 'IS DISTINCT FROM' : 'IS NOT DISTINCT FROM';
}

/** The operator of a sign; `!=` is another spelling of `<>`. */
export function signOf(token: Token): Operator {
  const image = token.image.toUpperCase();
  return (image === '!=' ? '<>' : image) as Operator; // the grammar takes no other sign
}

function levelOf(operator: Operator): number {
  return operator === '->' || operator === '->>' ? precedence.other : binaryPrecedence[operator];
}

function precedenceOf(operation: Operation): number {
  if (operation.children.DoubleColon !== undefined) return precedence.cast;
  if (operation.children.atTimeZone !== undefined) return precedence.zone;
  const operator = operatorOf(operation);
  if (operator !== undefined) return levelOf(operator);
  return operation.children.isTest === undefined ? precedence.predicate : precedence.is;
}
