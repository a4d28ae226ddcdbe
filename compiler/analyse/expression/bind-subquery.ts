import type { TypedExpression } from '../../catalog/expression.ts';
import type { BoundQuery } from '../../catalog/query.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { AnyComparison, Exists, InQuery, Query, ScalarSubquery } from '../../syntax/ast.ts';
import { bindQuery } from '../query/bind-query.ts';
import type { ExpressionContext } from '../query/binding.ts';
import type { Scope } from '../query/scope.ts';
import { castBody, untypedColumns } from '../query/cast-body.ts';
import { bindExpression } from './bind-expression.ts';
import { call, givenArgument } from './call.ts';
import { commonOf } from './common-type.ts';
import { convert } from './convert.ts';
import { faulty, isFaulty, settled, truthType } from './typed.ts';

/** A subquery that stands for a value: one column, no row is NULL, a second row an error when it runs. */
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
  const { binding } = context;
  const filtering: ExpressionContext = {
    ...context,
    site: { ...context.site, where: 'IN (SELECT …)', sensitive: 'refused' },
  };
  const operand = bindExpression(node.operand, filtering);
  const query = bindOneColumn(node.query, filtering);
  const [column] = query?.columns ?? [];
  if (query === undefined || column === undefined || isFaulty(column) || isFaulty(operand)) return faulty;
  if (column.sensitive && refuseSensitive(column.name, node, filtering)) return faulty;
  const given = [givenArgument(operand), { type: column.type, untyped: untypedColumns(query.body).has(0) }];
  const type = settled(commonOf(given, 'IN', node.span, binding.report));
  const left = convert(operand, type, binding);
  if (isFaulty(left) || isFaulty({ type })) return faulty;
  return {
    kind: 'in-query',
    operand: left,
    query: { ...query, columns: [{ ...column, type }], body: castBody(query.body, [type], binding) },
    negated: node.negated,
    type: truthType,
    nullable: operand.nullable || column.nullable,
    sensitive: false,
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
  const list = bindExpression(node.list, context);
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

/** What a subquery sees around it. */
function around({ scope, site }: ExpressionContext): Scope {
  return { ...scope, holder: site };
}

function mayHoldQuery(node: Pick<Query, 'span'>, { site, binding }: ExpressionContext): boolean {
  if (!site.queries) binding.report(diagnose('E0412', node.span, { where: site.where }));
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
