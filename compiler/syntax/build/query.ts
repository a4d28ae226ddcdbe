import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { CommonTable, Expression, Query, QueryBody, SetOperation, Values } from '../ast.ts';
import type {
  CommonTableCst,
  QueryCst,
  QueryTermCst,
  SetOperatorCst,
  SliceCst,
  SubqueryCst,
  ValuesCst,
} from '../grammar/cst.ts';
import { buildOrderBy } from './call.ts';
import { buildExpression } from './chain.ts';
import { first, spanOf, spanOfToken, type BuildContext } from './context.ts';
import { buildNameList, buildNameRule } from './name.ts';
import { buildSelect } from './select.ts';

/** A query that only contains another query in parentheses is that query. */
export function buildQuery(context: BuildContext, cst: QueryCst): Query {
  const { RECURSIVE, commonTable, queryTerm, setOperator, orderBy, slice, asOf } = cst.children;
  if (asOf !== undefined) context.report(diagnose('E0121', spanOf(context, first(asOf)), {}));
  const alone = commonTable === undefined && setOperator === undefined && orderBy === undefined && slice === undefined;
  const inner = alone ? first(queryTerm).children.subquery : undefined;
  if (inner !== undefined) return buildSubquery(context, first(inner));
  const limit = buildSlice(context, 'LIMIT', slice ?? []);
  const offset = buildSlice(context, 'OFFSET', slice ?? []);
  return {
    kind: 'Query',
    span: spanOf(context, cst),
    recursive: RECURSIVE !== undefined,
    with: (commonTable ?? []).map((table) => buildCommonTable(context, table)),
    body: buildBody(context, queryTerm, setOperator ?? []),
    orderBy: buildOrderBy(context, orderBy?.[0]),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  };
}

/** The query inside its parentheses. */
export function buildSubquery(context: BuildContext, cst: SubqueryCst): Query {
  return buildQuery(context, first(cst.children.query));
}

function buildSlice(
  context: BuildContext,
  clause: 'LIMIT' | 'OFFSET',
  slices: readonly SliceCst[],
): Expression | undefined {
  const found = slices.filter((slice) => slice.children[clause] !== undefined);
  const extra = found[1]?.children[clause];
  if (extra !== undefined) context.report(diagnose('E0114', spanOfToken(context, first(extra)), { what: clause }));
  return found[0] && buildExpression(context, first(found[0].children.expression));
}

function buildCommonTable(context: BuildContext, cst: CommonTableCst): CommonTable {
  const { name, nameList, subquery, query } = cst.children;
  return {
    kind: 'CommonTable',
    span: spanOf(context, cst),
    name: buildNameRule(context, first(name)),
    ...(nameList === undefined ? {} : { columns: buildNameList(context, first(nameList)) }),
    query: subquery === undefined ? buildQuery(context, first(query ?? [])) : buildSubquery(context, first(subquery)),
  };
}

/** A body and the range it was written in, its parentheses included. */
interface WrittenBody {
  readonly node: QueryBody;
  readonly start: number;
  readonly end: number;
}

/** INTERSECT binds tighter than UNION and EXCEPT; all associate to the left. */
function buildBody(
  context: BuildContext,
  terms: readonly QueryTermCst[],
  operators: readonly SetOperatorCst[],
): QueryBody {
  let outer: WrittenBody | undefined;
  let pending: SetOperatorCst | undefined;
  let inner = buildTerm(context, first(terms));
  operators.forEach((operator, index) => {
    const term = buildTerm(context, terms[index + 1] as QueryTermCst); // there is one more term than operators
    if (operator.children.INTERSECT !== undefined) {
      inner = combine(context, inner, operator, term);
      return;
    }
    outer = outer === undefined || pending === undefined ? inner : combine(context, outer, pending, inner);
    pending = operator;
    inner = term;
  });
  return (outer === undefined || pending === undefined ? inner : combine(context, outer, pending, inner)).node;
}

function combine(context: BuildContext, left: WrittenBody, cst: SetOperatorCst, right: WrittenBody): WrittenBody {
  const { UNION, INTERSECT, ALL } = cst.children;
  const operator = UNION !== undefined ? 'UNION' : INTERSECT !== undefined ? 'INTERSECT' : 'EXCEPT';
  const span = context.spanAt(left.start, right.end);
  const node: SetOperation = {
    kind: 'SetOperation',
    span,
    operator,
    all: ALL !== undefined,
    left: left.node,
    right: right.node,
  };
  return { node, start: left.start, end: right.end };
}

function buildTerm(context: BuildContext, cst: QueryTermCst): WrittenBody {
  const { select, values, subquery } = cst.children;
  const { startOffset: start, endOffset } = cst.location;
  let node: QueryBody;
  if (select !== undefined) node = buildSelect(context, first(select));
  else if (values !== undefined) node = buildValues(context, first(values));
  else node = buildSubquery(context, first(subquery ?? []));
  return { node, start, end: endOffset + 1 };
}

function buildValues(context: BuildContext, cst: ValuesCst): Values {
  return {
    kind: 'Values',
    span: spanOf(context, cst),
    rows: cst.children.valuesRow.map((row) => ({
      kind: 'ValuesRow',
      span: spanOf(context, row),
      values: row.children.expression.map((item) => buildExpression(context, item)),
    })),
  };
}
