import type { Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { AnyComparison, AnyQuery, Exists, Expression, InQuery, Query, ScalarSubquery } from '../../syntax/ast.ts';
import { isWide } from '../../functions/typing.ts';
import { bindQuery } from '../query/bind-query.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Binding, Column, ExpressionContext } from '../query/binding.ts';
import type { Scope } from '../query/scope.ts';
import { castBody, untypedColumns, untypedLiteral } from '../query/cast-body.ts';
import { bindCallerCall } from './bind-caller.ts';
import { bindExpression } from './bind-expression.ts';
import { call, givenArgument } from './call.ts';
import { comparedOf } from './common-type.ts';
import { convert } from './convert.ts';
import { columnOf, faulty, isFaulty, literal, resultType, truthType } from '../typed/typed.ts';

/** A subquery used as a value: one column; no row gives NULL, a second row is an error at run time. */
export function bindScalarSubquery(node: ScalarSubquery, context: ExpressionContext): TypedExpression {
  const query = bindOneColumn(node.query, context);
  const [column] = query?.columns ?? [];
  if (query === undefined || column === undefined || isFaulty(column)) return faulty;
  if (column.sensitive && refuseSensitive(column.name, node, context)) return faulty;
  return {
    kind: 'scalar-query',
    query,
    type: column.type,
    nullable: column.nullable || !alwaysOneRow(query),
    sensitive: column.sensitive,
  };
}

export function bindExists(node: Exists, context: ExpressionContext): TypedExpression {
  if (!mayHoldQuery(node, context)) return faulty;
  const { query, open } = bindQuery(node.query, context.binding, around(context), { ordered: false });
  if (open) return faulty;
  return { kind: 'exists', query, type: truthType, nullable: false, sensitive: false };
}

export function bindInQuery(node: InQuery, context: ExpressionContext): TypedExpression {
  const compared = bindCompared(node.operand, node.query, node.span, 'IN', context);
  if (compared === undefined) return faulty;
  const { operand, query, nullable } = compared;
  return { kind: 'in-query', operand, query, negated: node.negated, type: truthType, nullable, sensitive: false };
}

/** `x < ANY (SELECT …)` and the like, through a list of the values; `x < ALL` is the negation of `x >= ANY`. */
export function bindAnyQuery(node: AnyQuery, context: ExpressionContext): TypedExpression {
  const { binding } = context;
  const compared = bindCompared(node.left, node.query, node.span, node.quantifier, context);
  if (compared === undefined) return faulty;
  const list = listOf(compared.query, binding);
  const all = node.quantifier === 'ALL';
  const operator = all ? opposites[node.operator] : node.operator;
  const any = call(comparisons[operator], [compared.operand, list], node.span, binding);
  return all ? call('not', [any], node.span, binding) : any;
}

const opposites = { '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

/** The values of a query's only column as a list, empty for no row. */
function listOf(query: BoundQuery, binding: Binding): TypedExpression {
  const [column] = query.columns;
  if (column === undefined) return faulty;
  const type: Type = { kind: 'LIST', of: column.type };
  const facts = { type, nullable: true, sensitive: false } as const;
  const id = binding.nextId();
  const gathered: TypedExpression = {
    ...facts,
    kind: 'aggregate',
    function: 'ARRAY_AGG',
    arguments: [columnOf(id, column)],
    distinct: false,
    orderBy: [],
  };
  const list: BoundQuery = {
    columns: [{ ...facts, name: 'list' }],
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: [gathered],
      from: { kind: 'derived', id, query },
      groupBy: [],
      aggregated: true,
    },
    orderBy: [],
  };
  const found: TypedExpression = { ...facts, kind: 'scalar-query', query: list };
  return { ...facts, kind: 'call', function: 'COALESCE', arguments: [found, literal('[]', type)], nullable: false };
}

interface Compared {
  readonly operand: TypedExpression;
  readonly query: BoundQuery;
  readonly nullable: boolean;
}

/** A value and the only column of a query, in their common type. */
function bindCompared(
  left: Expression,
  inner: Query,
  span: Span,
  word: string,
  context: ExpressionContext,
): Compared | undefined {
  const { binding } = context;
  const filtering: ExpressionContext = {
    ...context,
    site: { ...context.site, where: `${word} (SELECT …)`, sensitive: 'refused' },
  };
  const bound = bindExpression(left, filtering);
  const query = bindOneColumn(inner, filtering);
  const [column] = query?.columns ?? [];
  if (query === undefined || column === undefined || isFaulty(column) || isFaulty(bound)) return undefined;
  if (column.sensitive && refuseSensitive(column.name, { span }, filtering)) return undefined;
  const given = [givenArgument(bound), { type: column.type, ...untypedLiteral(untypedColumns(query.body), 0) }];
  const type = resultType(comparedOf(given, word, span, binding.report));
  const operand = convert(bound, type, binding);
  if (isFaulty(operand) || isFaulty({ type })) return undefined;
  return {
    operand,
    query: isWide(type) ? widened(query, column, type, binding) : converted(query, column, type, binding),
    nullable: bound.nullable || column.nullable,
  };
}

function converted(query: BoundQuery, column: Column, type: Type, binding: Binding): BoundQuery {
  return { ...query, columns: [{ ...column, type }], body: castBody(query.body, [type], binding) };
}

/** The query's rows are sorted and compared before they get a type that only `=` supports. */
function widened(query: BoundQuery, column: Column, type: Type, binding: Binding): BoundQuery {
  const id = binding.nextId();
  return {
    columns: [{ ...column, type }],
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: [convert(columnOf(id, column), type, binding)],
      from: { kind: 'derived', id, query },
      groupBy: [],
      aggregated: false,
    },
    orderBy: [],
  };
}

const comparisons = {
  '=': 'any_equal',
  '<>': 'any_not_equal',
  '<': 'any_less',
  '<=': 'any_less_equal',
  '>': 'any_greater',
  '>=': 'any_greater_equal',
} as const;

/** `x = ANY(tags)`. */
export function bindAnyComparison(node: AnyComparison, context: ExpressionContext): TypedExpression {
  const left = bindExpression(node.left, context);
  const isCall = node.list.kind === 'FunctionCall';
  const claim = isCall ? bindCallerCall(node.list, context, node.operator === '=') : undefined;
  const list = claim ?? bindExpression(node.list, context);
  return call(comparisons[node.operator], [left, list], node.span, context.binding);
}

function bindOneColumn(node: Query, context: ExpressionContext): BoundQuery | undefined {
  if (!mayHoldQuery(node, context)) return undefined;
  const { query, open } = bindQuery(node, context.binding, around(context), { ordered: false });
  if (open) return undefined;
  if (query.columns.length === 1) return query;
  context.binding.report(diagnose('E0607', node.span, { columns: query.columns.length }));
  return undefined;
}

/** The scope that a subquery sees around it. */
function around({ scope, site }: ExpressionContext): Scope {
  return { ...scope, holder: site };
}

function mayHoldQuery(node: Pick<Query, 'span'>, { site, binding }: ExpressionContext): boolean {
  if (!site.queries)
    binding.report(diagnose('E0412', node.span, { where: site.where, decision: site.aggregates === 'decision' }));
  return site.queries;
}

function refuseSensitive(column: string, node: Pick<Query, 'span'>, { site, binding }: ExpressionContext): boolean {
  if (binding.sensitivity !== 'masks' || site.sensitive !== 'refused') return false;
  binding.report(diagnose('E0702', node.span, { column, where: site.where }));
  return true;
}

/** An aggregation without GROUP BY has one row, whatever it reads. */
export function alwaysOneRow(query: BoundQuery): boolean {
  const { body, limit, offset } = query;
  if (limit !== undefined || offset !== undefined) return false;
  if (body.kind === 'query') return alwaysOneRow(body.query);
  if (body.kind === 'values') return body.rows.length === 1;
  if (body.kind !== 'select' || body.having !== undefined) return false;
  return (body.aggregated && body.groupBy.length === 0) || (body.from === undefined && body.where === undefined);
}
