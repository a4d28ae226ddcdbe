import type {
  Expression,
  FrameBound,
  FrameExclusion,
  FunctionCall,
  Name,
  OrderItem,
  WindowDefinition,
  WindowFrame,
  WindowSpecification,
} from '../ast.ts';
import type {
  ExclusionCst,
  FrameBoundCst,
  FrameCst,
  NamedCst,
  OrderByCst,
  OverCst,
  WindowDefinitionCst,
  WindowSpecificationCst,
} from '../grammar/cst.ts';
import { buildBound, buildExpression } from './chain.ts';
import { first, second, spanOf, type BuildContext } from './context.ts';
import { buildName, buildNameRule } from './name.ts';

/** `name ( … ) [FILTER (WHERE …)] [OVER (…)]`. */
export function buildCall(context: BuildContext, cst: NamedCst): FunctionCall {
  const inner = first(cst.children.arguments ?? []).children;
  const { filter, over } = cst.children;
  return {
    kind: 'FunctionCall',
    span: spanOf(context, cst),
    name: buildName(context, first(cst.children.Name)),
    arguments: buildAll(context, inner.expression),
    form: 'plain',
    star: inner.Star !== undefined,
    distinct: inner.DISTINCT !== undefined,
    orderBy: buildOrderBy(context, inner.orderBy?.[0]),
    ...(filter === undefined ? {} : { filter: buildExpression(context, first(first(filter).children.expression)) }),
    ...(over === undefined ? {} : { over: buildOver(context, first(over)) }),
  };
}

function buildAll(
  context: BuildContext,
  list: WindowSpecificationCst['children']['expression'],
): readonly Expression[] {
  return (list ?? []).map((item) => buildExpression(context, item));
}

function buildOver(context: BuildContext, cst: OverCst): WindowSpecification | Name {
  const { name, windowSpecification } = cst.children;
  return name === undefined
    ? buildWindow(context, first(windowSpecification ?? []))
    : buildNameRule(context, first(name));
}

export function buildWindowDefinition(context: BuildContext, cst: WindowDefinitionCst): WindowDefinition {
  return {
    kind: 'WindowDefinition',
    span: spanOf(context, cst),
    name: buildNameRule(context, first(cst.children.name)),
    specification: buildWindow(context, first(cst.children.windowSpecification)),
  };
}

function buildWindow(context: BuildContext, cst: WindowSpecificationCst): WindowSpecification {
  const { name, expression, orderBy, frame } = cst.children;
  return {
    kind: 'WindowSpecification',
    span: spanOf(context, cst),
    ...(name === undefined ? {} : { base: buildNameRule(context, first(name)) }),
    partitionBy: buildAll(context, expression),
    orderBy: buildOrderBy(context, orderBy?.[0]),
    ...(frame === undefined ? {} : { frame: buildFrame(context, first(frame)) }),
  };
}

function buildFrame(context: BuildContext, cst: FrameCst): WindowFrame {
  const { ROWS, RANGE, BETWEEN, frameBound, exclusion } = cst.children;
  const exclude = exclusion === undefined ? undefined : exclusionOf(first(exclusion));
  return {
    kind: 'WindowFrame',
    span: spanOf(context, cst),
    unit: ROWS !== undefined ? 'ROWS' : RANGE !== undefined ? 'RANGE' : 'GROUPS',
    start: buildFrameBound(context, first(frameBound ?? [])),
    ...(BETWEEN === undefined ? {} : { end: buildFrameBound(context, second(frameBound ?? [])) }),
    ...(exclude === undefined ? {} : { exclude }),
  };
}

function exclusionOf({ children: { CURRENT, GROUP, TIES } }: ExclusionCst): FrameExclusion {
  if (CURRENT !== undefined) return 'CURRENT ROW';
  if (GROUP !== undefined) return 'GROUP';
  return TIES === undefined ? 'NO OTHERS' : 'TIES';
}

function buildFrameBound(context: BuildContext, cst: FrameBoundCst): FrameBound {
  const { CURRENT, UNBOUNDED, PRECEDING, bound } = cst.children;
  if (CURRENT !== undefined) return { at: 'CURRENT ROW' };
  const side = PRECEDING === undefined ? 'FOLLOWING' : 'PRECEDING';
  if (UNBOUNDED !== undefined) return { at: `UNBOUNDED ${side}` };
  return { at: side, offset: buildBound(context, first(bound ?? [])) };
}

export function buildOrderBy(context: BuildContext, cst: OrderByCst | undefined): readonly OrderItem[] {
  return (cst?.children.orderItem ?? []).map((item) => {
    const { expression, ASC, DESC, FIRST, LAST } = item.children;
    const direction = ASC === undefined ? DESC && 'DESC' : 'ASC';
    const nulls = FIRST === undefined ? LAST && 'LAST' : 'FIRST';
    return {
      kind: 'OrderItem',
      span: spanOf(context, item),
      expression: buildExpression(context, first(expression)),
      ...(direction === undefined ? {} : { direction }),
      ...(nulls === undefined ? {} : { nulls }),
    };
  });
}
