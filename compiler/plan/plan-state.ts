/**
 * Plans how a decision finds its state: as folds looked up by key, at a cost that does not grow with history, or as a scan.
 * Takes a bound STATE query and the catalog, gives a `StatePlan`; changes nothing and reads no events.
 */
import { findBlock, type Catalog } from '../catalog/catalog.ts';
import type { TypedExpression } from '../catalog/expression.ts';
import { conjunction, conjuncts, mapExpression, someExpression } from '../catalog/map-expression.ts';
import type { BoundNamedRelation, BoundQuery, BoundRelation } from '../catalog/query.ts';
import type { FoldLookup, StatePlan } from './fold.ts';
import { foldQuery, type FoldedQuery } from './fold-query.ts';
import { FOLD_ROW, isGiven } from './fold-select.ts';

export function planState(query: BoundQuery | undefined, catalog: Catalog): StatePlan {
  if (query === undefined) return { kind: 'none' };
  const planner = createPlanner(catalog);
  const composed = planner.compose(query);
  if (typeof composed === 'string') return { kind: 'scan', why: composed };
  const present = conjunction(composed.conditions);
  return {
    kind: 'folds',
    lookups: planner.lookups,
    items: composed.items,
    ...(present === undefined ? {} : { present }),
  };
}

interface Composed {
  readonly items: readonly TypedExpression[];
  /** What must be TRUE for the row to exist, besides the lookups that must exist. */
  readonly conditions: readonly TypedExpression[];
}

function createPlanner(catalog: Catalog) {
  const lookups: FoldLookup[] = [];

  /** Adds a lookup and gives the folded query's outputs over its slots. */
  function lookUp(
    folded: FoldedQuery,
    key: readonly TypedExpression[],
    mustExist: boolean,
  ): readonly TypedExpression[] {
    const index = lookups.push({ fold: folded.fold, key, mustExist }) - 1;
    return folded.outputs.map((output) =>
      mapExpression(output, (part) => {
        if (part.kind !== 'column' || part.relation !== FOLD_ROW) return undefined;
        return part.column.startsWith('k') ? key[Number(part.column.slice(1))] : { ...part, relation: index };
      }),
    );
  }

  function compose(query: BoundQuery): Composed | string {
    if (query.with.length > 0) return 'it has a WITH';
    if (query.limit !== undefined || query.offset !== undefined) return 'it has LIMIT or OFFSET';
    const { body } = query;
    if (body.kind !== 'select') return 'it is not a plain SELECT';
    if (body.aggregated) return composeAggregate(query);
    if (body.from === undefined) return composeItems(body.items, body.where, new Map());
    return composeRelations(body.items, body.where, body.from);
  }

  function composeAggregate(query: BoundQuery): Composed | string {
    const folded = foldQuery(query);
    if (typeof folded === 'string') return folded;
    const key: TypedExpression[] = [];
    for (const given of folded.given) {
      if (given === undefined) return 'it has a row for each of several groups';
      key.push(given);
    }
    return { items: lookUp(folded, key, !folded.always), conditions: [] };
  }

  /** FROM relations that are each one row, found by a key that the WHERE or ON gives. */
  function composeRelations(
    items: readonly TypedExpression[],
    where: TypedExpression | undefined,
    from: BoundRelation,
  ): Composed | string {
    const pool = [...conjuncts(where)];
    const relations: BoundNamedRelation[] = [];
    const problem = collect(from, relations, pool);
    if (problem !== undefined) return problem;
    const columns = new Map<number, ReadonlyMap<string, TypedExpression>>();
    for (const relation of relations) {
      const found = bindRelation(relation, pool, columns);
      if (typeof found === 'string') return found;
      columns.set(relation.id, found);
    }
    return composeItems(items, conjunction(pool), columns);
  }

  function collect(
    relation: BoundRelation,
    relations: BoundNamedRelation[],
    pool: TypedExpression[],
  ): string | undefined {
    if (relation.kind === 'derived') return 'it reads a subquery in FROM';
    if (relation.kind === 'relation') {
      relations.push(relation);
      return undefined;
    }
    if (relation.type !== 'INNER' && relation.type !== 'CROSS') return `it has a ${relation.type} JOIN`;
    pool.push(...conjuncts(relation.on));
    return collect(relation.left, relations, pool) ?? collect(relation.right, relations, pool);
  }

  /** Looks the relation up by the equalities of `pool` on its key columns, and takes those out of the pool. */
  function bindRelation(
    relation: BoundNamedRelation,
    pool: TypedExpression[],
    bound: ReadonlyMap<number, ReadonlyMap<string, TypedExpression>>,
  ): ReadonlyMap<string, TypedExpression> | string {
    const query = definition(relation);
    if (typeof query === 'string') return query;
    const folded = foldQuery(query);
    if (typeof folded === 'string') return `${relationName(relation)}: ${folded}`;
    const keyed = new Map<number, TypedExpression>();
    for (let index = pool.length - 1; index >= 0; index--) {
      const condition = pool[index];
      const part = condition === undefined ? undefined : keyGiven(condition, relation, query, folded, bound);
      if (part === undefined || keyed.has(part.part)) continue;
      keyed.set(part.part, part.given);
      pool.splice(index, 1);
    }
    const key: TypedExpression[] = [];
    for (const part of folded.fold.key.keys()) {
      const given = keyed.get(part);
      if (given === undefined) return `no equality gives the key of ${relationName(relation)}`;
      key.push(given);
    }
    const outputs = lookUp(folded, key, !folded.always);
    return new Map(outputs.map((output, index) => [query.columns[index]?.name.toLowerCase() ?? '', output]));
  }

  function definition(relation: BoundNamedRelation): BoundQuery | string {
    if (relation.store !== undefined) return 'it reads another store';
    const { source } = relation;
    if (source.kind === 'state')
      return findBlock(catalog, 'aggregate', source.aggregate)?.state ?? 'it reads an unknown aggregate';
    if (source.kind === 'projection')
      return findBlock(catalog, 'projection', source.projection)?.query ?? 'it reads an unknown projection';
    return `it reads ${relationName(relation)} row by row`;
  }

  function composeItems(
    items: readonly TypedExpression[],
    where: TypedExpression | undefined,
    columns: ReadonlyMap<number, ReadonlyMap<string, TypedExpression>>,
  ): Composed | string {
    let problem: string | undefined;
    const substitute = (expression: TypedExpression): TypedExpression =>
      mapExpression(expression, (part) => {
        if (part.kind === 'column') {
          const found = columns.get(part.relation)?.get(part.column.toLowerCase());
          if (found === undefined) problem ??= `it reads ${part.column} of an outer row`;
          return found ?? part;
        }
        if (part.kind === 'scalar-query') {
          const inner = composeScalar(part.query);
          if (typeof inner !== 'string') return inner;
          problem ??= `a subquery in it: ${inner}`;
        } else if (part.kind === 'exists' || part.kind === 'in-query' || part.kind === 'window')
          problem ??= 'it holds a subquery';
        return undefined;
      });
    const conditions = conjuncts(where).map(substitute);
    const composed = items.map(substitute);
    return problem ?? { items: composed, conditions };
  }

  /** A scalar subquery in place: only one that always has its row, so that no presence has to be asked. */
  function composeScalar(query: BoundQuery): TypedExpression | string {
    const { body } = query;
    if (body.kind !== 'select' || !body.aggregated || body.groupBy.length > 0) return 'it may have no row';
    const composed = compose(query);
    if (typeof composed === 'string') return composed;
    return composed.items[0] ?? 'it has no column';
  }

  return { lookups, compose };
}

/** The key part that `condition` gives a value, with outer columns already spelled out. */
function keyGiven(
  condition: TypedExpression,
  relation: BoundNamedRelation,
  query: BoundQuery,
  folded: FoldedQuery,
  bound: ReadonlyMap<number, ReadonlyMap<string, TypedExpression>>,
): { part: number; given: TypedExpression } | undefined {
  if (condition.kind !== 'call' || condition.function !== 'equal') return undefined;
  const [left, right] = condition.arguments;
  if (left === undefined || right === undefined) return undefined;
  for (const [side, other] of [[left, right] as const, [right, left] as const]) {
    if (side.kind !== 'column' || side.relation !== relation.id) continue;
    const at = query.columns.findIndex((column) => column.name.toLowerCase() === side.column.toLowerCase());
    const output = folded.outputs[at];
    if (output?.kind !== 'column' || output.relation !== FOLD_ROW || !output.column.startsWith('k')) continue;
    const given = mapExpression(other, (part) =>
      part.kind === 'column' ? bound.get(part.relation)?.get(part.column.toLowerCase()) : undefined,
    );
    const single = !someExpression(given, (part) => part.kind === 'column');
    if (single && isGiven(given)) return { part: Number(output.column.slice(1)), given };
  }
  return undefined;
}

function relationName(relation: BoundNamedRelation): string {
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
