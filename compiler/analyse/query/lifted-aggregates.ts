import type { Column } from '../../../language/contract/query.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery, BoundSelect, SortKey } from '../../../language/catalog/query.ts';
import type { Binding } from './binding.ts';
import { sameExpression } from './same-expression.ts';

/**
 * The aggregates of a SELECT that are written inside its subqueries: they read only columns of that SELECT, so they are over its rows
 * (docs/language.md#queries). In the subquery each is replaced by a column of `relation`.
 */
export interface LiftedAggregates {
  /** The groups of the SELECT as a relation; set with the first aggregate. */
  relation: number | undefined;
  readonly aggregates: TypedExpression[];
}

export function createLiftedAggregates(): LiftedAggregates {
  return { relation: undefined, aggregates: [] };
}

/** Lifts an aggregate out of a subquery; gives its replacement there. */
export function lift(aggregate: TypedExpression, lifted: LiftedAggregates, binding: Binding): TypedExpression {
  lifted.relation ??= binding.nextId();
  return standIn(aggregate, lifted.relation, aggregateName(indexIn(lifted.aggregates, aggregate)));
}

export interface SelectOverGroups {
  readonly select: BoundSelect;
  readonly orderBy: readonly SortKey[];
}

/**
 * The SELECT as one over a derived table of its groups, which has a column for each grouping expression and each aggregate, so that a
 * subquery can read them like any outer column. Without lifted aggregates it is unchanged.
 */
export function overGroups(
  select: BoundSelect,
  orderBy: readonly SortKey[],
  lifted: LiftedAggregates,
  binding: Binding,
): SelectOverGroups {
  const { relation } = lifted;
  if (relation === undefined) return { select, orderBy };
  const aggregates = [...lifted.aggregates];
  const grouped = <T>(value: T): T =>
    replaceWithin(value, (part, inQuery) => {
      const group = select.groupBy.findIndex((key) => sameExpression(key, part));
      if (group >= 0) return standIn(part, relation, groupName(group));
      if (part.kind !== 'aggregate' || inQuery) return undefined;
      return standIn(part, relation, aggregateName(indexIn(aggregates, part)));
    });
  const items = select.items.map((item) => {
    const over = grouped(item);
    const span = binding.spans.get(item);
    if (span !== undefined) binding.spans.set(over, span);
    return over;
  });
  const where = grouped(select.having);
  const keys = grouped(orderBy);
  return {
    select: {
      kind: 'select',
      distinct: select.distinct,
      items,
      from: { kind: 'derived', id: relation, query: groupsOf(select, aggregates) },
      ...(where === undefined ? {} : { where }),
      groupBy: [],
      aggregated: false,
    },
    orderBy: keys,
  };
}

function groupsOf({ from, where, groupBy }: BoundSelect, aggregates: readonly TypedExpression[]): BoundQuery {
  const column = (name: string, { type, nullable, sensitive }: TypedExpression): Column => ({
    name,
    type,
    nullable,
    sensitive,
  });
  return {
    columns: [
      ...groupBy.map((key, index) => column(groupName(index), key)),
      ...aggregates.map((aggregate, index) => column(aggregateName(index), aggregate)),
    ],
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: [...groupBy, ...aggregates],
      ...(from === undefined ? {} : { from }),
      ...(where === undefined ? {} : { where }),
      groupBy,
      aggregated: true,
    },
    orderBy: [],
  };
}

function standIn({ type, nullable, sensitive }: TypedExpression, relation: number, column: string): TypedExpression {
  return { kind: 'column', relation, column, type, nullable, sensitive };
}

/** Its index among the aggregates; it is added if it is not among them. */
function indexIn(aggregates: TypedExpression[], aggregate: TypedExpression): number {
  const known = aggregates.findIndex((other) => sameExpression(other, aggregate));
  return known >= 0 ? known : aggregates.push(aggregate) - 1;
}

function groupName(index: number): string {
  return `group${index + 1}`;
}
function aggregateName(index: number): string {
  return `aggregate${index + 1}`;
}

/** `inQuery`: inside a subquery of the given expression. */
type Replace = (expression: TypedExpression, inQuery: boolean) => TypedExpression | undefined;

/**
 * A copy of an expression, a query or anything made of them, in which `replace` may replace any expression, outermost first; also inside
 * subqueries.
 */
function replaceWithin<T>(value: T, replace: Replace): T {
  return copy(value, replace, false) as T; // expressions are replaced by expressions, all else keeps its shape
}

function copy(value: unknown, replace: Replace, inQuery: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => copy(part, replace, inQuery));
  const replaced = isExpression(value) ? replace(value, inQuery) : undefined;
  if (replaced !== undefined) return replaced;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, copy(part, replace, inQuery || key === 'query')]),
  );
}

/** Bound trees are plain data: only expressions have both `kind` and `nullable`. */
function isExpression(value: object): value is TypedExpression {
  return 'kind' in value && 'nullable' in value;
}
