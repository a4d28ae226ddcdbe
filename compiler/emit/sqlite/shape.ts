import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundBody, BoundQuery, BoundRelation, BoundSelect, SortKey } from '../../../language/catalog/query.ts';

/** The expressions directly inside one, without those of the queries in it. */
export function partsOf(expression: TypedExpression): readonly TypedExpression[] {
  switch (expression.kind) {
    case 'literal':
    case 'argument':
    case 'caller':
    case 'state':
    case 'parameter':
    case 'column':
    case 'scalar-query':
    case 'exists':
      return [];
    case 'call':
    case 'apply':
      return expression.arguments;
    case 'case': {
      const branches = expression.branches.flatMap((branch) => [branch.when, branch.then]);
      return [expression.operand, ...branches, expression.otherwise].filter((part) => part !== undefined);
    }
    case 'cast':
      return [expression.operand];
    case 'in-list':
      return [expression.operand, ...expression.list];
    case 'in-query':
      return [expression.operand];
    case 'aggregate':
      return [...expression.arguments, ...optional(expression.filter), ...sorted(expression.orderBy)];
    case 'window': {
      const bounds = [expression.frame?.start, expression.frame?.end].flatMap((at) =>
        at && 'offset' in at ? [at.offset] : [],
      );
      const over = [...expression.partitionBy, ...sorted(expression.orderBy), ...bounds];
      return [...expression.arguments, ...optional(expression.filter), ...over];
    }
    case 'mask':
      return expression.of;
  }
}

/** The queries directly inside an expression. */
export function queriesOf(expression: TypedExpression): readonly BoundQuery[] {
  return 'query' in expression ? [expression.query] : [];
}

function optional(expression: TypedExpression | undefined): readonly TypedExpression[] {
  return expression === undefined ? [] : [expression];
}
function sorted(keys: readonly SortKey[]): readonly TypedExpression[] {
  return keys.flatMap((key) => (key.by === 'expression' ? [key.expression] : []));
}

/** Whether it contains a query. */
export function containsQuery(expression: TypedExpression): boolean {
  return queriesOf(expression).length > 0 || partsOf(expression).some(containsQuery);
}

/** Whether `holds` is true for any expression of the query, including those of inner queries. */
export function holdsAnywhere(query: BoundQuery, holds: (expression: TypedExpression) => boolean): boolean {
  const inExpression = (expression: TypedExpression): boolean =>
    holds(expression) || partsOf(expression).some(inExpression);
  return innerQueries(query).some((inner) => expressionsOf(inner).some(inExpression));
}

/** The relation instances of the columns in an expression, without those of inner queries. */
export function freeRelationsOf(expression: TypedExpression): ReadonlySet<number> {
  const inner = queriesWithin(expression).flatMap(innerQueries);
  const named = [expression, ...inner.flatMap(expressionsOf)].flatMap(columnRelations);
  const brought = new Set(
    inner.flatMap(selectsIn).flatMap(({ from }) => (from === undefined ? [] : instancesOf(from))),
  );
  return new Set(named.filter((id) => !brought.has(id)));
}

/** The queries in an expression, without those in them. */
function queriesWithin(expression: TypedExpression): readonly BoundQuery[] {
  return [...queriesOf(expression), ...partsOf(expression).flatMap(queriesWithin)];
}

/** The relation instances of the columns in an expression, ignoring queries in it. */
export function columnRelations(expression: TypedExpression): readonly number[] {
  return expression.kind === 'column' ? [expression.relation] : partsOf(expression).flatMap(columnRelations);
}

/** The relation instances of a FROM, from left to right. */
export function instancesOf(relation: BoundRelation): readonly number[] {
  return relation.kind === 'join' ? [...instancesOf(relation.left), ...instancesOf(relation.right)] : [relation.id];
}

function selectsIn({ body }: BoundQuery): readonly BoundSelect[] {
  return bodiesOf(body).flatMap((part) => (part.kind === 'select' ? [part] : []));
}

/** Every SELECT of a query, including those of inner queries. */
export function selectsOf(query: BoundQuery): readonly BoundSelect[] {
  return innerQueries(query).flatMap(selectsIn);
}

/** The query and all inner queries, at any depth. */
function innerQueries(query: BoundQuery): readonly BoundQuery[] {
  const own = [
    ...query.with.map((table) => table.query),
    ...bodiesOf(query.body).flatMap((body) => {
      if (body.kind === 'query') return [body.query];
      return body.kind === 'select' && body.from !== undefined ? derivedQueries(body.from) : [];
    }),
    ...expressionsOf(query).flatMap(queriesWithin),
  ];
  return [query, ...own.flatMap(innerQueries)];
}

/** A body and, of a set operation, all its sides. */
function bodiesOf(body: BoundBody): readonly BoundBody[] {
  return body.kind === 'set' ? [...bodiesOf(body.left), ...bodiesOf(body.right)] : [body];
}

function derivedQueries(relation: BoundRelation): readonly BoundQuery[] {
  if (relation.kind === 'derived') return [relation.query];
  return relation.kind === 'join' ? [...derivedQueries(relation.left), ...derivedQueries(relation.right)] : [];
}

function conditionsOf(relation: BoundRelation | undefined): readonly TypedExpression[] {
  if (relation?.kind !== 'join') return [];
  return [...optional(relation.on), ...conditionsOf(relation.left), ...conditionsOf(relation.right)];
}

/** The expressions directly in a query. */
function expressionsOf({ body, orderBy, limit, offset }: BoundQuery): readonly TypedExpression[] {
  const inBodies = bodiesOf(body).flatMap((part) => {
    if (part.kind === 'values') return part.rows.flat();
    if (part.kind !== 'select') return [];
    return [
      ...part.items,
      ...conditionsOf(part.from),
      ...optional(part.where),
      ...part.groupBy,
      ...optional(part.having),
    ];
  });
  return [...inBodies, ...sorted(orderBy), ...optional(limit), ...optional(offset)];
}

/** Whether the query provably gives at most one row. */
export function givesOneRowAtMost(query: BoundQuery): boolean {
  if (query.limit?.kind === 'literal' && (query.limit.value === 1 || query.limit.value === '1')) return true;
  const body = query.body;
  switch (body.kind) {
    case 'select':
      return body.from === undefined || (body.aggregated && body.groupBy.length === 0);
    case 'values':
      return body.rows.length === 1;
    case 'query':
      return givesOneRowAtMost(body.query);
    case 'set':
      return false;
  }
}
