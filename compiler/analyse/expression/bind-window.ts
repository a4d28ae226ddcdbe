import type {
  AggregateName,
  BoundFrameBound,
  TypedExpression,
  WindowOnlyName,
  WindowShape,
} from '../../catalog/expression.ts';
import type { SortKey } from '../../catalog/query.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import { resolveAggregate } from '../../functions/aggregates.ts';
import type { FrameBound, FunctionCall, WindowFrame, WindowSpecification } from '../../syntax/ast.ts';
import { literalAs, readLiteral } from '../literal/read-literal.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindInnerOrder, orderRelation } from './bind-aggregate.ts';
import { bindCondition } from './bind-condition.ts';
import { bindExpression } from './bind-expression.ts';
import { givenArgument } from './call.ts';
import { convert } from './convert.ts';
import { countType, faulty, isFaulty, literal } from './typed.ts';

/** `f(…) OVER (…)`: computed last, over the rows of the result; it may hold aggregates but no windows. */
export function bindWindow(
  node: FunctionCall,
  over: WindowSpecification,
  name: AggregateName | WindowOnlyName,
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
  const inner: ExpressionContext = {
    ...context,
    site: { ...site, where: 'a window function', windows: false, sensitive: 'refused' },
  };
  const given = node.arguments.map((argument) => bindExpression(argument, inner));
  const filter = node.filter === undefined ? undefined : bindCondition(node.filter, inner, 'FILTER');
  const partitionBy = over.partitionBy.map((part) => bindExpression(part, inner));
  const orderBy = bindInnerOrder(over.orderBy, inner);
  const frame = over.frame === undefined ? undefined : bindFrame(node, over.frame, orderBy ?? [], inner);
  const relation = name === 'LAST' || name === 'FIRST' ? orderRelation(node, name, context) : undefined;
  const parts = [...given, ...partitionBy, ...(filter === undefined ? [] : [filter])];
  if (parts.some(isFaulty) || orderBy === undefined || frame === 'faulty' || relation === 'none') return faulty;
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
    function: name,
    arguments: converted,
    ...(filter === undefined ? {} : { filter }),
    partitionBy,
    orderBy,
    ...(frame === undefined ? {} : { frame }),
    ...(relation === undefined ? {} : { relation }),
    type: resolved.result,
    nullable: resolved.nullable(converted.map((argument) => argument.nullable)),
    sensitive: name !== 'COUNT' && converted.some((argument) => argument.sensitive),
  };
}

function shapeProblem(node: FunctionCall, name: string): string | undefined {
  if (node.star && name !== 'COUNT') return 'takes no *';
  if (!node.star && name === 'COUNT' && node.arguments.length === 0) return 'takes * or a value';
  if (node.distinct) return 'takes no DISTINCT with OVER';
  return node.orderBy.length > 0 ? 'takes its ORDER BY inside OVER' : undefined;
}

function bindFrame(
  call: FunctionCall,
  node: WindowFrame,
  orderBy: readonly SortKey[],
  context: ExpressionContext,
): WindowShape['frame'] | 'faulty' {
  const start = bindBound(node.start, context);
  const end = node.end === undefined ? undefined : bindBound(node.end, context);
  if (start === undefined || (node.end !== undefined && end === undefined)) return 'faulty';
  const problem = frameProblem(node, orderBy);
  if (problem !== undefined) {
    context.binding.report(diagnose('E0616', node.span, { function: call.name.text.toUpperCase(), problem }));
    return 'faulty';
  }
  return { unit: node.unit, start, ...(end === undefined ? {} : { end }) };
}

/** In the order in which they lie, so that a frame ends no earlier than it begins. */
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
  const distances = [node.start, node.end].some((bound) => bound !== undefined && 'offset' in bound);
  if (node.unit === 'ROWS' || !distances) return undefined;
  const [key, second] = orderBy;
  const kind = key?.by === 'expression' && second === undefined ? key.expression.type.kind : undefined;
  return kind === 'INT' || kind === 'BIGINT' || kind === 'DATE'
    ? undefined
    : 'takes distances in a RANGE only over one whole number, or one date (in days), to order by';
}

/** Distances are whole numbers that are written out. */
function bindBound(bound: FrameBound, { binding }: ExpressionContext): BoundFrameBound | undefined {
  if (bound.at !== 'PRECEDING' && bound.at !== 'FOLLOWING') return { at: bound.at };
  const written = readLiteral(bound.offset);
  const value = written === undefined || written.form === 'null' ? undefined : literalAs(countType, written);
  if (value !== undefined && !String(value).startsWith('-')) return { at: bound.at, offset: literal(value, countType) };
  binding.report(diagnose('E0611', bound.offset.span, { clause: bound.at }));
  return undefined;
}
