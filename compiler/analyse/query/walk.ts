/** One walk over bound queries and expressions, subqueries included. `visit` answers whether to go into the parts. */
import type { TypedExpression } from '../../catalog/expression.ts';
import type { BoundBody, BoundQuery, BoundRelation, SortKey } from '../../catalog/query.ts';

export type Visit = (expression: TypedExpression) => boolean;

export function walkExpression(expression: TypedExpression, visit: Visit): void {
  if (!visit(expression)) return;
  const each = (parts: readonly TypedExpression[]): void => parts.forEach((part) => walkExpression(part, visit));
  const maybe = (part: TypedExpression | undefined): void => {
    if (part !== undefined) walkExpression(part, visit);
  };
  switch (expression.kind) {
    case 'call':
      return each(expression.arguments);
    case 'case':
      maybe(expression.operand);
      for (const branch of expression.branches) each([branch.when, branch.then]);
      return maybe(expression.otherwise);
    case 'cast':
      return walkExpression(expression.operand, visit);
    case 'in-list':
      return each([expression.operand, ...expression.list]);
    case 'in-query':
      walkExpression(expression.operand, visit);
      return walkQuery(expression.query, visit);
    case 'aggregate':
      each(expression.arguments);
      maybe(expression.filter);
      return walkSortKeys(expression.orderBy, visit);
    case 'window':
      each([...expression.arguments, ...expression.partitionBy]);
      maybe(expression.filter);
      return walkSortKeys(expression.orderBy, visit);
    case 'scalar-query':
    case 'exists':
      return walkQuery(expression.query, visit);
    case 'mask':
      return each(expression.of);
    case 'literal':
    case 'argument':
    case 'state':
    case 'column':
      return;
    default:
      return expression satisfies never;
  }
}

export function walkQuery(query: BoundQuery, visit: Visit): void {
  for (const table of query.with) walkQuery(table.query, visit);
  walkBody(query.body, visit);
  walkSortKeys(query.orderBy, visit);
}

function walkBody(body: BoundBody, visit: Visit): void {
  switch (body.kind) {
    case 'query':
      return walkQuery(body.query, visit);
    case 'set':
      walkBody(body.left, visit);
      return walkBody(body.right, visit);
    case 'values':
      return body.rows.forEach((row) => row.forEach((value) => walkExpression(value, visit)));
    case 'select':
      if (body.from !== undefined) walkRelation(body.from, visit);
      for (const part of [...body.items, body.where, ...body.groupBy, body.having]) {
        if (part !== undefined) walkExpression(part, visit);
      }
      return;
    default:
      return body satisfies never;
  }
}

function walkRelation(relation: BoundRelation, visit: Visit): void {
  if (relation.kind === 'derived') walkQuery(relation.query, visit);
  if (relation.kind !== 'join') return;
  walkRelation(relation.left, visit);
  walkRelation(relation.right, visit);
  if (relation.on !== undefined) walkExpression(relation.on, visit);
}

function walkSortKeys(keys: readonly SortKey[], visit: Visit): void {
  for (const key of keys) if (key.by === 'expression') walkExpression(key.expression, visit);
}

/** Every named relation that a query reads, subqueries included. */
export function readRelations(query: BoundQuery): readonly BoundNamed[] {
  const found: BoundNamed[] = [];
  const inRelation = (relation: BoundRelation): void => {
    if (relation.kind === 'relation') found.push(relation);
    if (relation.kind === 'derived') inQuery(relation.query);
    if (relation.kind !== 'join') return;
    inRelation(relation.left);
    inRelation(relation.right);
  };
  const inBody = (body: BoundBody): void => {
    if (body.kind === 'query') inQuery(body.query);
    if (body.kind === 'select' && body.from !== undefined) inRelation(body.from);
    if (body.kind !== 'set') return;
    inBody(body.left);
    inBody(body.right);
  };
  const inQuery = (part: BoundQuery): void => {
    for (const table of part.with) inQuery(table.query);
    inBody(part.body);
  };
  inQuery(query);
  walkQuery(query, (expression) => {
    if (expression.kind === 'in-query' || expression.kind === 'scalar-query' || expression.kind === 'exists') {
      inQuery(expression.query);
    }
    return true;
  });
  return found;
}
type BoundNamed = Extract<BoundRelation, { kind: 'relation' }>;
