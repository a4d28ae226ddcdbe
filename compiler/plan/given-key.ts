import type { TypedExpression } from '../../language/catalog/expression.ts';
import { mapExpression, someExpression } from '../../language/catalog/map-expression.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import type { FoldedQuery } from './fold-state-query.ts';
import { FOLD_ROW, shapeProblem } from './fold-select.ts';
import { isKeyOf } from './key-type.ts';
import type { LeafRelation } from './joined-relations.ts';

/** The names in a query: columns of relations by relation and name, and common tables. */
export interface Scope {
  readonly columns: ReadonlyMap<number, ReadonlyMap<string, TypedExpression>>;
  readonly tables: ReadonlyMap<number, BoundQuery>;
}

/** The expression of a column over arguments and slots; undefined if it is not known. */
export function columnIn(
  columns: Scope['columns'],
  { relation, column }: TypedExpression & { readonly kind: 'column' },
): TypedExpression | undefined {
  return columns.get(relation)?.get(column.toLowerCase());
}

/** Removes from `pool` the equality that gives the key part a value; undefined if none does. */
export function takeKey(
  pool: TypedExpression[],
  relation: LeafRelation,
  query: BoundQuery,
  { outputs }: FoldedQuery,
  part: number,
  scope: Scope,
): TypedExpression | undefined {
  const isPart = (side: TypedExpression): boolean => {
    if (side.kind !== 'column' || side.relation !== relation.id) return false;
    const at = query.columns.findIndex((column) => column.name.toLowerCase() === side.column.toLowerCase());
    const output = isState(relation) ? idBehind(outputs[at]) : outputs[at];
    return output?.kind === 'column' && output.relation === FOLD_ROW && output.column === `k${part}`;
  };
  for (const [at, condition] of pool.entries()) {
    if (condition.kind !== 'call' || condition.function !== 'equal') continue;
    const [left, right] = condition.arguments;
    if (left === undefined || right === undefined || !isKeyOf(left.type, right.type)) continue;
    const other = isPart(left) ? right : isPart(right) ? left : undefined;
    const given = other === undefined ? undefined : givenBy(other, scope);
    if (given === undefined) continue;
    pool.splice(at, 1);
    return isState(relation) ? idText(given) : given;
  }
  return undefined;
}

function isState(relation: LeafRelation): boolean {
  return relation.kind === 'relation' && relation.source.kind === 'state';
}

/** The stream's id behind a state's KEY field, which is a cast of it: an id has one text for each value of these types (`command-rules.ts`). */
function idBehind(output: TypedExpression | undefined): TypedExpression | undefined {
  return output?.kind === 'cast' && idTypes.has(output.type.kind) ? output.operand : output;
}

const idTypes: ReadonlySet<string> = new Set(['INT', 'BIGINT', 'UUID', 'STRING']);

/** A value compared with a stream's id, as the id's text. */
function idText(given: TypedExpression): TypedExpression {
  if (given.type.kind === 'STRING' || given.type.kind === 'UUID') return given;
  const { nullable, sensitive } = given;
  return { kind: 'cast', operand: given, mode: 'explicit', type: { kind: 'STRING' }, nullable, sensitive };
}

/** An expression for a key, over arguments and slots; undefined if it reads unknown columns, or is not plain. */
export function givenBy(expression: TypedExpression, { columns }: Scope): TypedExpression | undefined {
  const unfit = someExpression(
    expression,
    (part) =>
      part.kind === 'aggregate' ||
      shapeProblem(part) !== undefined ||
      (part.kind === 'column' && columnIn(columns, part) === undefined),
  );
  if (unfit) return undefined;
  const known = mapExpression(expression, (part) => (part.kind === 'column' ? columnIn(columns, part) : undefined));
  // The expression behind a column may contain parts that a key cannot, above all the clock.
  return someExpression(known, (part) => shapeProblem(part) !== undefined) ? undefined : known;
}

/** The name that EXPLAIN shows. */
export function relationName(relation: LeafRelation): string {
  if (relation.kind === 'derived') return 'a subquery in FROM';
  const { source } = relation;
  switch (source.kind) {
    case 'events':
      return `${source.aggregate}$Events`;
    case 'state':
      return `${source.aggregate}$Agg`;
    case 'projection':
      return source.projection;
    case 'meta':
      return source.relation;
    case 'session':
      return source.table;
    case 'common':
      return source.name;
    default:
      return source satisfies never;
  }
}
