/** Walks over bound queries and expressions, subqueries included. `visit` answers whether to go into the parts. */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type {
  BoundBody,
  BoundCommonTable,
  BoundNamedRelation,
  BoundQuery,
  BoundRelation,
  SortKey,
} from '../../../language/catalog/query.ts';

export type Visit = (expression: TypedExpression) => boolean;

export function walkExpression(expression: TypedExpression, visit: Visit): void {
  if (!visit(expression)) return;
  const { parts, keys, query } = insideOf(expression);
  for (const part of parts) if (part !== undefined) walkExpression(part, visit);
  if (keys !== undefined) walkSortKeys(keys, visit);
  if (query !== undefined) walkQuery(query, visit);
}

/** The expressions directly inside one, without those of the queries in it. */
export function partsOf(expression: TypedExpression): readonly TypedExpression[] {
  const { parts, keys = [] } = insideOf(expression);
  const sorted = keys.flatMap((key) => (key.by === 'expression' ? [key.expression] : []));
  return [...parts.filter((part) => part !== undefined), ...sorted];
}

interface Inside {
  readonly parts: readonly (TypedExpression | undefined)[];
  readonly keys?: readonly SortKey[];
  readonly query?: BoundQuery;
}

function insideOf(expression: TypedExpression): Inside {
  switch (expression.kind) {
    case 'call':
    case 'apply': // its body has neither columns nor values that change
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
    case 'caller':
    case 'state':
    case 'parameter':
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

/** The names in a query, including those of its subqueries. */
export interface Named {
  /** Relations in a FROM, except those inside common tables. */
  readonly relations: readonly BoundNamedRelation[];
  readonly tables: readonly BoundCommonTable[];
}

export function namedIn(query: BoundQuery): Named {
  const relations: BoundNamedRelation[] = [];
  const tables: BoundCommonTable[] = [];
  const inExpression = (expression: TypedExpression | undefined): void => {
    if (expression === undefined) return;
    const { parts, keys = [], query: inner } = insideOf(expression);
    parts.forEach(inExpression);
    inKeys(keys);
    if (inner !== undefined) inQuery(inner);
  };
  const inKeys = (keys: readonly SortKey[]): void => {
    for (const key of keys) if (key.by === 'expression') inExpression(key.expression);
  };
  const inRelation = (relation: BoundRelation): void => {
    if (relation.kind === 'relation') relations.push(relation);
    else if (relation.kind === 'derived') inQuery(relation.query);
    else {
      inRelation(relation.left);
      inRelation(relation.right);
      inExpression(relation.on);
    }
  };
  const inBody = (body: BoundBody): void => {
    switch (body.kind) {
      case 'query':
        inQuery(body.query);
        return;
      case 'set':
        inBody(body.left);
        inBody(body.right);
        return;
      case 'values':
        body.rows.flat().forEach(inExpression);
        return;
      case 'select':
        if (body.from !== undefined) inRelation(body.from);
        [...body.items, body.where, ...body.groupBy, body.having].forEach(inExpression);
    }
  };
  const inQuery = (part: BoundQuery): void => {
    tables.push(...part.with);
    inBody(part.body);
    inKeys(part.orderBy);
  };
  inQuery(query);
  return { relations, tables };
}

/** Every named relation that a query reads, those of subqueries and common tables included. */
export function readRelations(query: BoundQuery): readonly BoundNamedRelation[] {
  const { relations, tables } = namedIn(query);
  return [...relations, ...tables.flatMap((table) => readRelations(table.query))];
}
