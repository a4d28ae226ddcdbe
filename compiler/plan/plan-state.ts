/**
 * Plans how a decision reads its state: as folds looked up by key, at a cost that does not grow with history, or as a scan. Takes a bound
 * STATE query and the catalog, gives a `StatePlan`; changes nothing and reads no events. One rule covers all shapes: a query with at most
 * one row is made of others with at most one row, by joins, nesting or EXISTS, and at the bottom are folds whose key is given by arguments,
 * literals or the columns of earlier rows.
 */
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import { writtenName } from '../../language/catalog/distinct-names.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { conjunction, conjuncts, mapExpression, someExpression } from '../../language/catalog/map-expression.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import type { Column } from '../../language/contract/query.ts';
import { isVolatileCall } from '../functions/properties-of-call.ts';
import { expressionSize } from './expression-size.ts';
import { foldOf, type FoldLookup, type StatePlan } from '../../language/plan/fold.ts';
import { foldQuery, type FoldedQuery } from './fold-state-query.ts';
import { FOLD_ROW } from './fold-select.ts';
import { columnIn, givenBy, relationName, takeKey, type Scope } from './given-key.ts';
import { joinedRelations, type JoinedRelation, type LeafRelation } from './joined-relations.ts';
import { slotNames } from './slot-names.ts';
import { countRows, hasRows, leavesFirstRow, truth, when } from './row-presence.ts';

export function planState(query: BoundQuery | undefined, catalog: Catalog): StatePlan {
  if (query === undefined) return { kind: 'none' };
  const planner = createPlanner(catalog);
  const composed = planner.compose(query, { columns: new Map(), tables: new Map() }, 'required');
  if (typeof composed === 'string') return { kind: 'scan', why: composed };
  const present = conjunction(composed.conditions);
  return {
    kind: 'folds',
    lookups: planner.lookups,
    items: composed.items,
    ...(present === undefined ? {} : { present }),
  };
}

/** A query of at most one row, over the command's arguments and lookups' slots. */
interface Composed {
  readonly items: readonly TypedExpression[];
  /** Conditions for the row to exist, in addition to the lookups that must exist. */
  readonly conditions: readonly TypedExpression[];
}

/** Without a row of a `required` query there is no state at all; the row of an `optional` one has conditions that say whether it exists. */
type Need = 'required' | 'optional';

/** Maximum number of queries in a plan; those behind projections count each time they are read. Beyond it the state is a scan. */
const mostQueries = 500;
/** Maximum number of parts of an expression of the state, with its columns' expressions written in. */
const mostParts = 2_000;

function createPlanner(catalog: Catalog) {
  const lookups: FoldLookup[] = [];
  let queries = 0;

  /** The row of a folded query under a key. */
  function lookUp(
    folded: FoldedQuery,
    shown: readonly Column[],
    key: readonly TypedExpression[],
    { columns }: Scope,
    need: Need,
  ): Composed | string {
    const index = lookups.length;
    const counted = need === 'optional' && !folded.always ? countRows(folded.fold.slots) : undefined;
    const { id: _, ...content } = folded.fold;
    const fold = counted === undefined ? folded.fold : foldOf({ ...content, slots: counted.slots });
    lookups.push({
      fold,
      slotNames: slotNames(folded, shown),
      key,
      mustExist: need === 'required' && !folded.always,
    });
    let problem: string | undefined;
    const found = (output: TypedExpression): TypedExpression =>
      mapExpression(output, (part) => {
        if (part.kind !== 'column') return undefined;
        if (part.relation !== FOLD_ROW) {
          const outer = columnIn(columns, part);
          if (outer === undefined) problem ??= `it reads ${writtenName(part.column)} of an outer row`;
          return outer;
        }
        return part.column.startsWith('k') ? key[Number(part.column.slice(1))] : { ...part, relation: index };
      });
    const items = folded.outputs.map(found);
    const having = conjuncts(folded.having).map(found);
    return problem ?? { items, conditions: counted === undefined ? having : [hasRows(index, counted.at), ...having] };
  }

  function compose(query: BoundQuery, scope: Scope, need: Need): Composed | string {
    queries += 1;
    if (queries > mostQueries) return 'it is made of too many queries';
    if (query.recursive) return 'it has a recursive WITH';
    if (query.offset !== undefined || !leavesFirstRow(query.limit)) return 'it has LIMIT or OFFSET';
    const { body } = query;
    const tables = new Map(scope.tables);
    for (const table of query.with) tables.set(table.id, table.query);
    const inner = { ...scope, tables };
    if (body.kind === 'query') return compose(body.query, inner, need);
    if (body.kind !== 'select') return 'it is not a plain SELECT';
    if (body.aggregated)
      return composeAggregate({ ...query, with: [], body: { ...body, distinct: false } }, inner, need);
    if (body.from === undefined) return composeItems(body.items, conjuncts(body.where), inner, query.columns);
    const joined = joinedRelations(body.from);
    if (typeof joined === 'string') return joined;
    const asked = [...joined.conditions, ...conjuncts(body.where)];
    return composeRelations({ items: body.items, columns: query.columns }, joined.relations, asked, inner, need);
  }

  function composeAggregate({ limit: _, ...query }: BoundQuery, scope: Scope, need: Need): Composed | string {
    const folded = foldQuery(query);
    if (typeof folded === 'string') return folded;
    const key: TypedExpression[] = [];
    for (const given of folded.given) {
      if (given === undefined) return 'it has a row for each of several groups';
      const known = givenBy(given, scope);
      if (known === undefined) return 'its key is given by a row that may be one of several';
      key.push(known);
    }
    return lookUp(folded, query.columns, key, scope, need);
  }

  /** FROM with relations of at most one row each, bound in an order in which each finds its key. */
  function composeRelations(
    selected: { readonly items: readonly TypedExpression[]; readonly columns: readonly Column[] },
    joined: readonly JoinedRelation[],
    asked: readonly TypedExpression[],
    scope: Scope,
    need: Need,
  ): Composed | string {
    const pool = [...asked];
    const waiting = [...joined];
    const conditions: TypedExpression[] = [];
    const columns = new Map(scope.columns);
    const inner = { ...scope, columns };
    while (waiting.length > 0) {
      let problem: string | undefined;
      const bound = waiting.findIndex((each) => {
        const row =
          each.on === undefined
            ? bindRow(each.relation, pool, inner, need)
            : bindOptional(each.relation, each.on, inner);
        if (typeof row === 'string') {
          problem ??= row;
          return false;
        }
        columns.set(each.relation.id, row.columns);
        conditions.push(...row.conditions);
        return true;
      });
      if (bound < 0) return problem ?? 'it reads nothing';
      waiting.splice(bound, 1);
    }
    const composed = composeItems(selected.items, pool, inner, selected.columns);
    if (typeof composed === 'string') return composed;
    return { items: composed.items, conditions: [...conditions, ...composed.conditions] };
  }

  /** The relation's row, which must exist; the equalities of `pool` that give its key are removed from it. */
  function bindRow(relation: LeafRelation, pool: TypedExpression[], scope: Scope, need: Need): BoundRow | string {
    const query = definition(relation, scope);
    if (typeof query === 'string') return query;
    const before = lookups.length;
    const row = rowOf(relation, query, pool, scope, need);
    if (typeof row !== 'string') return { columns: named(query, row.items), conditions: row.conditions };
    lookups.length = before;
    return row;
  }

  function rowOf(
    relation: LeafRelation,
    query: BoundQuery,
    pool: TypedExpression[],
    scope: Scope,
    need: Need,
  ): Composed | string {
    const folded = foldQuery(query);
    // A relation does not see the relations next to it.
    const own = { columns: new Map(), tables: scope.tables };
    if (typeof folded === 'string') {
      const composed = compose(query, own, need);
      const twice = typeof composed !== 'string' && composed.items.some((item) => someExpression(item, isVolatileCall));
      return twice ? 'it may compute a random value twice' : composed;
    }
    const left = [...pool];
    const key: TypedExpression[] = [];
    for (const [part, inside] of folded.given.entries()) {
      const given = inside === undefined ? takeKey(left, relation, query, folded, part, scope) : givenBy(inside, own);
      if (given === undefined) return `no equality gives the key of ${relationName(relation)}`;
      key.push(given);
    }
    const row = lookUp(folded, query.columns, key, own, need);
    if (typeof row !== 'string') pool.splice(0, pool.length, ...left);
    return row;
  }

  /** The relation's row with NULLs if it does not exist. */
  function bindOptional(relation: LeafRelation, on: readonly TypedExpression[], scope: Scope): BoundRow | string {
    const pool = [...on];
    const row = bindRow(relation, pool, scope, 'optional');
    if (typeof row === 'string') return row;
    const asked = composeItems([], pool, {
      ...scope,
      columns: new Map([...scope.columns, [relation.id, row.columns]]),
    });
    if (typeof asked === 'string') return asked;
    const present = conjunction([...row.conditions, ...asked.conditions]);
    if (present === undefined) return row;
    if (someExpression(present, isVolatileCall)) return 'it may compute a random value twice';
    return {
      columns: new Map([...row.columns].map(([name, column]) => [name, when(present, column)])),
      conditions: [],
    };
  }

  function definition(relation: LeafRelation, scope: Scope): BoundQuery | string {
    if (relation.kind === 'derived') return relation.query;
    if (relation.store !== undefined) return 'it reads another store';
    const { source } = relation;
    switch (source.kind) {
      case 'state':
        return findBlock(catalog, 'aggregate', source.aggregate)?.state ?? 'it reads an unknown aggregate';
      case 'projection':
        return findBlock(catalog, 'projection', source.projection)?.query ?? 'it reads an unknown projection';
      case 'common':
        return scope.tables.get(source.table) ?? `it reads ${source.name} of a recursive WITH`;
      default:
        return `it reads ${relationName(relation)} row by row`;
    }
  }

  function composeItems(
    items: readonly TypedExpression[],
    where: readonly TypedExpression[],
    scope: Scope,
    columns: readonly Column[] = [],
  ): Composed | string {
    let problem: string | undefined;
    const replaced = (part: TypedExpression, shownAs?: Column): TypedExpression | string | undefined => {
      switch (part.kind) {
        case 'column':
          return columnIn(scope.columns, part) ?? `it reads ${writtenName(part.column)} of an outer row`;
        case 'scalar-query':
          return composeScalar(part.query, scope, shownAs);
        case 'exists':
          return composeExists(part.query, scope);
        case 'in-query':
          return composeIn(part, scope);
        case 'window':
          return 'it holds a window function';
        default:
          return undefined;
      }
    };
    const substitute = (expression: TypedExpression, shownAs?: Column): TypedExpression =>
      mapExpression(expression, (part) => {
        const other = replaced(part, shownAs);
        if (typeof other !== 'string') return other;
        problem ??= other;
        return part;
      });
    const conditions = where.map((condition) => substitute(condition));
    const composed = items.map((item, at) => substitute(item, columns[at]));
    if ([...conditions, ...composed].some((part) => expressionSize(part) > mostParts))
      return 'an expression in it grows too large once the expressions of its columns are written in';
    return problem ?? { items: composed, conditions };
  }

  /** The scalar is named for the column that it is written in: `(SELECT COUNT(*) …) AS known`. */
  function composeScalar(query: BoundQuery, scope: Scope, shownAs?: Column): TypedExpression | string {
    const columns = query.columns.map((column) => (shownAs === undefined ? column : { ...column, name: shownAs.name }));
    const composed = compose({ ...query, columns }, scope, 'optional');
    if (typeof composed === 'string') return `a subquery in it: ${composed}`;
    const [item] = composed.items;
    if (item === undefined) return 'a subquery in it: it has no column';
    const present = conjunction(composed.conditions);
    return present === undefined ? item : when(present, item);
  }

  function composeExists(query: BoundQuery, scope: Scope): TypedExpression | string {
    const composed = compose(query, scope, 'optional');
    if (typeof composed === 'string') return `a subquery in it: ${composed}`;
    return when(conjunction(composed.conditions) ?? truth(true), truth(true), truth(false));
  }

  function composeIn(
    { operand, query, negated }: TypedExpression & { readonly kind: 'in-query' },
    scope: Scope,
  ): TypedExpression | string {
    const composed = compose(query, scope, 'optional');
    if (typeof composed === 'string') return `a subquery in it: ${composed}`;
    const own = composeItems([operand], [], scope);
    if (typeof own === 'string') return own;
    const [[left], [right]] = [own.items, composed.items];
    if (left === undefined || right === undefined) return 'a subquery in it: it has no column';
    if (JSON.stringify(left.type) !== JSON.stringify(right.type)) return 'it compares different types by IN';
    const facts = { type: truth(true).type, nullable: true, sensitive: false } as const;
    const equal = {
      ...facts,
      kind: 'call',
      function: negated ? 'not_equal' : 'equal',
      arguments: [left, right],
    } as const;
    return when(conjunction(composed.conditions) ?? truth(true), equal, truth(negated));
  }

  return { lookups, compose };
}

interface BoundRow {
  readonly columns: ReadonlyMap<string, TypedExpression>;
  readonly conditions: readonly TypedExpression[];
}

function named(query: BoundQuery, items: readonly TypedExpression[]): ReadonlyMap<string, TypedExpression> {
  return new Map(items.map((item, index) => [query.columns[index]?.name.toLowerCase() ?? '', item]));
}
