/** One walk over bound queries and expressions, subqueries included. `visit` answers whether to go into the parts. */
import type { TypedExpression } from '../../catalog/expression.ts';
import type { BoundBody, BoundQuery, BoundRelation, SortKey } from '../../catalog/query.ts';

export type Visit = (expression: TypedExpression) => boolean;

export function walkExpression(expression: TypedExpression, visit: Visit): void {
  if (!visit(expression)) return;
  const { parts, keys, query } = insideOf(expression);
  for (const part of parts) if (part !== undefined) walkExpression(part, visit);
  if (keys !== undefined) walkSortKeys(keys, visit);
  if (query !== undefined) walkQuery(query, visit);
}

interface Inside {
  readonly parts: readonly (TypedExpression | undefined)[];
  readonly keys?: readonly SortKey[];
  readonly query?: BoundQuery;
}

function insideOf(expression: TypedExpression): Inside {
  switch (expression.kind) {
    case 'call':
      return { parts: expression.arguments };
    case 'case': {
      const branches = expression.branches.flatMap((branch) => [branch.when, branch.then]);
      return { parts: [expression.operand, ...branches, expression.otherwise] };
    }
    case 'cast':
      return { parts: [expression.operand] };
    case 'in-list':
      return { parts: [expression.operand, ...expression.list] };
    case 'in-query':
      return { parts: [expression.operand], query: expression.query };
    case 'aggregate':
      return { parts: [...expression.arguments, expression.filter], keys: expression.orderBy };
    case 'window':
      return {
        parts: [...expression.arguments, ...expression.partitionBy, expression.filter],
        keys: expression.orderBy,
      };
    case 'scalar-query':
    case 'exists':
      return { parts: [], query: expression.query };
    case 'mask':
      return { parts: expression.of };
    case 'literal':
    case 'argument':
    case 'state':
    case 'column':
      return { parts: [] };
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
      walkQuery(body.query, visit);
      break;
    case 'set':
      walkBody(body.left, visit);
      walkBody(body.right, visit);
      break;
    case 'values':
      for (const row of body.rows) for (const value of row) walkExpression(value, visit);
      break;
    case 'select':
      if (body.from !== undefined) walkRelation(body.from, visit);
      for (const part of [...body.items, body.where, ...body.groupBy, body.having]) {
        if (part !== undefined) walkExpression(part, visit);
      }
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
