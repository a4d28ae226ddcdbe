/**
 * Flat chains of operators to trees, by precedence. Takes `operand { operation }` as the grammar read it; the depth of the tree may grow
 * with the chain, the depth of this code does not.
 */
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Span } from '../../../language/source/span.ts';
import type { BinaryOperator, Expression } from '../ast.ts';
import { binaryPrecedence, precedence } from '../precedence.ts';
import type { NodeContext, ReadToken } from './words.ts';

/** A node and the range it was written in, its parentheses included. */
export interface Written<N = Expression> {
  readonly node: N;
  readonly start: number;
  readonly end: number;
}

/** A primary expression and the NOT, `-` and `+` before it. */
export interface Operand extends Written {
  readonly prefixes: readonly ReadToken[];
}

/** The part behind an operand: its level says how tightly it binds. `join` and `test` make the node of the expression before it. */
export type Operation = { readonly level: number; readonly comparison?: ReadToken } & (
  | { readonly operand: Operand; readonly join: (span: Span, left: Expression, right: Expression) => Expression }
  | {
      readonly operand?: undefined;
      readonly end: number;
      readonly test: (span: Span, tested: Expression) => Expression;
    }
);

type Operator = BinaryOperator | '->' | '->>';

/** The operator of a sign; `!=` is another spelling of `<>`. */
export function operatorOf({ image }: ReadToken): Operator {
  const sign = image.toUpperCase();
  return (sign === '!=' ? '<>' : sign) as Operator; // the grammar takes no other sign
}

/** An operator with the operand after it. */
export function binary(operator: Operator, operand: Operand): Operation {
  if (operator === '->' || operator === '->>')
    return {
      level: precedence.other,
      operand,
      join: (span, left, key) => ({ kind: 'JsonGet', span, operator, operand: left, key }),
    };
  return {
    level: binaryPrecedence[operator],
    operand,
    join: (span, left, right) => ({ kind: 'Binary', span, operator, left, right }),
  };
}

/** The tree of a chain. */
export function chained(operand: Operand, operations: readonly Operation[], context: NodeContext): Expression {
  const { spanAt, report } = context;
  let next = 0;
  return climb(prefixed(operand), 0).node;

  /** Joins the following operations to `left`, while they bind at least as tightly as `least`. */
  function climb(left: Written, least: number): Written {
    let result = left;
    for (let found = operations[next]; found !== undefined && found.level >= least; found = operations[next]) {
      next++;
      result = joined(result, found);
      if (found.comparison !== undefined) checkChained();
    }
    return result;
  }
  /** An operand under its NOT, `-` and `+`, the nearest first; each takes everything that binds tighter. */
  function prefixed(written: Operand): Written {
    let result: Written = written;
    for (const token of written.prefixes.toReversed()) {
      const operator = token.image.toUpperCase() as 'NOT' | '-' | '+'; // the grammar takes no other prefix
      result = climb(result, operator === 'NOT' ? precedence.not : precedence.unary);
      const span = spanAt(token.startOffset, result.end);
      result = { node: { kind: 'Unary', span, operator, operand: result.node }, start: span.start, end: span.end };
    }
    return result;
  }
  function joined({ node: left, start }: Written, operation: Operation): Written {
    if (operation.operand === undefined) {
      const { end } = operation;
      return { node: operation.test(spanAt(start, end), left), start, end };
    }
    const { node: right, end } = climb(prefixed(operation.operand), operation.level + 1);
    return { node: operation.join(spanAt(start, end), left, right), start, end };
  }
  /** A comparison must not directly follow another. */
  function checkChained(): void {
    const sign = operations[next]?.comparison;
    if (sign === undefined) return;
    const span = spanAt(sign.startOffset, (sign.endOffset ?? sign.startOffset) + 1);
    report(diagnose('E0115', span, {}));
  }
}
