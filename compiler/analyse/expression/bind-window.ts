import type { Type } from '../../../language/values/type.ts';
import type {
  BoundFrameBound,
  TypedExpression,
  WindowOnlyName,
  WindowShape,
} from '../../../language/catalog/expression.ts';
import type { SortKey } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { computedAggregate, resolveAggregate, type WrittenAggregate } from '../../functions/aggregates.ts';
import { maximumPrecision } from '../../functions/typing.ts';
import type { FrameBound, FunctionCall, Name, WindowFrame, WindowSpecification } from '../../syntax/ast.ts';
import { literalAs, readLiteral } from '../literal/read-literal.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindInnerOrder, orderRelation } from './bind-aggregate.ts';
import { bindCondition } from './bind-condition.ts';
import { bindExpression } from './bind-expression.ts';
import { givenArgument } from './call.ts';
import { convert } from './convert.ts';
import { writtenOut } from './named-window.ts';
import { countType, faulty, isFaulty, literal } from '../typed/typed.ts';

/** `f(…) OVER (…)`: computed last, over the rows of the result; it may contain aggregates but no windows. */
export function bindWindow(
  node: FunctionCall,
  over: WindowSpecification | Name,
  name: WrittenAggregate | WindowOnlyName,
  context: ExpressionContext,
): TypedExpression {
  const { binding, site } = context;
  if (!site.windows) {
    binding.report(diagnose('E0604', node.span, { function: name, where: site.where }));
    return faulty;
  }
  const problem = shapeProblem(node, name);
  if (problem !== undefined) {
    binding.report(diagnose('E0616', node.span, { function: name, problem }));
    return faulty;
  }
  const inner = insideWindow(context);
  const given = node.arguments.map((argument) => bindExpression(argument, inner));
  const filter = node.filter === undefined ? undefined : bindCondition(node.filter, inner, 'FILTER');
  const window = bindSpecification(over, name, context);
  const relation = name === 'LAST' || name === 'FIRST' ? orderRelation(node, name, context) : undefined;
  const parts = [...given, ...(filter === undefined ? [] : [filter])];
  if (parts.some(isFaulty) || window === undefined || relation === 'none') return faulty;
  const resolved = resolveAggregate(name, given.map(givenArgument), false);
  if ('problem' in resolved) {
    binding.report(diagnose('E0304', node.span, { problem: resolved.problem }));
    return faulty;
  }
  const converted = given.map((argument, index) =>
    convert(argument, resolved.parameters[index] ?? argument.type, binding),
  );
  return {
    kind: 'window',
    function: computedAggregate(name),
    arguments: converted,
    ...(filter === undefined ? {} : { filter }),
    ...window,
    ...(relation === undefined ? {} : { relation }),
    type: resolved.result,
    nullable: resolved.nullable(converted.map((argument) => argument.nullable)),
    sensitive: name !== 'COUNT' && converted.some((argument) => argument.sensitive),
  };
}

function insideWindow(context: ExpressionContext): ExpressionContext {
  const site = { ...context.site, where: 'a window function', windows: false, sensitive: 'refused' } as const;
  return { ...context, site };
}

/** The specification after OVER; undefined if it has errors, which are reported for `what`. */
export function bindSpecification(
  over: WindowSpecification | Name,
  what: string,
  context: ExpressionContext,
): Pick<WindowShape, 'partitionBy' | 'orderBy' | 'frame'> | undefined {
  const written = writtenOut(over, what, context);
  if (written === undefined) return undefined;
  const inner = insideWindow(context);
  const partitionBy = written.partitionBy.map((part) => bindExpression(part, inner));
  const orderBy = bindInnerOrder(written.orderBy, inner);
  if (orderBy === undefined || partitionBy.some(isFaulty)) return undefined;
  if (written.frame === undefined) return { partitionBy, orderBy };
  const frame = bindFrame(what, written.frame, orderBy, inner);
  return frame === 'faulty' ? undefined : { partitionBy, orderBy, frame };
}

function shapeProblem(node: FunctionCall, name: string): string | undefined {
  if (node.star && name !== 'COUNT') return 'takes no *';
  if (!node.star && name === 'COUNT' && node.arguments.length === 0) return 'takes * or a value';
  if (node.distinct) return 'takes no DISTINCT with OVER';
  return node.orderBy.length > 0 ? 'takes its ORDER BY inside OVER' : undefined;
}

function bindFrame(
  what: string,
  node: WindowFrame,
  orderBy: readonly SortKey[],
  context: ExpressionContext,
): NonNullable<WindowShape['frame']> | 'faulty' {
  const problem = frameProblem(node, orderBy);
  if (problem !== undefined) {
    context.binding.report(diagnose('E0616', node.span, { function: what, problem }));
    return 'faulty';
  }
  const distance = distanceType(node, orderBy);
  const start = bindBound(node.start, distance, context);
  const end = node.end === undefined ? undefined : bindBound(node.end, distance, context);
  if (start === undefined || (node.end !== undefined && end === undefined)) return 'faulty';
  const { unit, exclude } = node;
  return { unit, start, ...(end === undefined ? {} : { end }), ...(exclude === undefined ? {} : { exclude }) };
}

/** In the order of their position, so that a frame ends no earlier than it begins. */
const bounds: readonly FrameBound['at'][] = [
  'UNBOUNDED PRECEDING',
  'PRECEDING',
  'CURRENT ROW',
  'FOLLOWING',
  'UNBOUNDED FOLLOWING',
];

function frameProblem(node: WindowFrame, orderBy: readonly SortKey[]): string | undefined {
  const from = bounds.indexOf(node.start.at);
  const to = bounds.indexOf(node.end?.at ?? 'CURRENT ROW');
  if (from > to || from === bounds.length - 1 || to === 0) return 'has a frame that ends before it begins';
  if (node.unit === 'GROUPS' && orderBy.length === 0) return 'takes GROUPS only with an ORDER BY';
  const distances = [node.start, node.end].some((bound) => bound !== undefined && 'offset' in bound);
  if (node.unit !== 'RANGE' || !distances) return undefined;
  const [key, second] = orderBy;
  const kind = key?.by === 'expression' && second === undefined ? key.expression.type.kind : undefined;
  return kind === 'INT' || kind === 'BIGINT' || kind === 'DECIMAL' || kind === 'DATE'
    ? undefined
    : 'takes distances in a RANGE only over one whole number, one DECIMAL, or one date (in days), to order by';
}

/** A distance in a RANGE over a DECIMAL has its scale; any other is a whole number. */
function distanceType({ unit }: WindowFrame, [key]: readonly SortKey[]): Type {
  const type = unit === 'RANGE' && key?.by === 'expression' ? key.expression.type : countType;
  return type.kind === 'DECIMAL' ? { kind: 'DECIMAL', precision: maximumPrecision, scale: type.scale } : countType;
}

/** Distances are literal numbers. */
function bindBound(bound: FrameBound, type: Type, { binding }: ExpressionContext): BoundFrameBound | undefined {
  if (bound.at !== 'PRECEDING' && bound.at !== 'FOLLOWING') return { at: bound.at };
  const written = readLiteral(bound.offset);
  const value = written === undefined || written.form === 'null' ? undefined : literalAs(type, written);
  if (value !== undefined && !String(value).startsWith('-')) return { at: bound.at, offset: literal(value, type) };
  if (type.kind === 'DECIMAL') {
    const problem = `takes no more fraction digits here than the ORDER BY has: ${type.scale}`;
    binding.report(diagnose('E0616', bound.offset.span, { function: bound.at, problem }));
  } else binding.report(diagnose('E0611', bound.offset.span, { clause: bound.at }));
  return undefined;
}
