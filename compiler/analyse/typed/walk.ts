/** Walks over bound queries and expressions, subqueries included. `visit` answers whether to go into the parts. */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type {
  BoundBody,
  BoundCommonTable,
  BoundDerived,
  BoundNamedRelation,
  BoundQuery,
  BoundRelation,
  BoundSelect,
  SortKey,
} from '../../../language/catalog/query.ts';

export type Visit = (expression: TypedExpression) => boolean;

/** The reactions to the parts of a query; `expression` and `table` answer whether to go into the parts. */
export interface Visitor {
  readonly expression: Visit;
  readonly select?: (select: BoundSelect) => void;
  readonly relation?: (relation: BoundNamedRelation | BoundDerived) => void;
  readonly table?: (table: BoundCommonTable) => boolean;
}

export function walkExpression(expression: TypedExpression, visit: Visit): void {
  visitExpression(expression, { expression: visit });
}

export function walkQuery(query: BoundQuery, visit: Visit): void {
  visitQuery(query, { expression: visit });
}

export function visitExpression(expression: TypedExpression | undefined, visitor: Visitor): void {
  if (expression === undefined || !visitor.expression(expression)) return;
  const { parts, keys = [], query } = insideOf(expression);
  for (const part of parts) visitExpression(part, visitor);
  visitSortKeys(keys, visitor);
  if (query !== undefined) visitQuery(query, visitor);
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

export function visitQuery(query: BoundQuery, visitor: Visitor): void {
  for (const table of query.with) if (visitor.table?.(table) !== false) visitQuery(table.query, visitor);
  visitBody(query.body, visitor);
  visitSortKeys(query.orderBy, visitor);
  for (const part of [query.limit, query.offset]) visitExpression(part, visitor);
}

function visitBody(body: BoundBody, visitor: Visitor): void {
  switch (body.kind) {
    case 'query':
      visitQuery(body.query, visitor);
      break;
    case 'set':
      visitBody(body.left, visitor);
      visitBody(body.right, visitor);
      break;
    case 'values':
      for (const row of body.rows) for (const value of row) visitExpression(value, visitor);
      break;
    case 'select':
      visitor.select?.(body);
      if (body.from !== undefined) visitRelation(body.from, visitor);
      for (const part of [...body.items, body.where, ...body.groupBy, body.having]) visitExpression(part, visitor);
  }
}

function visitRelation(relation: BoundRelation, visitor: Visitor): void {
  if (relation.kind === 'join') {
    visitRelation(relation.left, visitor);
    visitRelation(relation.right, visitor);
    visitExpression(relation.on, visitor);
    return;
  }
  visitor.relation?.(relation);
  if (relation.kind === 'derived') visitQuery(relation.query, visitor);
}

function visitSortKeys(keys: readonly SortKey[], visitor: Visitor): void {
  for (const key of keys) if (key.by === 'expression') visitExpression(key.expression, visitor);
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
  visitQuery(query, {
    expression: () => true,
    relation: (relation) => {
      if (relation.kind === 'relation') relations.push(relation);
    },
    table: (table) => {
      tables.push(table);
      return false;
    },
  });
  return { relations, tables };
}

/** Every named relation that a query reads, those of subqueries and common tables included. */
export function readRelations(query: BoundQuery): readonly BoundNamedRelation[] {
  const { relations, tables } = namedIn(query);
  return [...relations, ...tables.flatMap((table) => readRelations(table.query))];
}
