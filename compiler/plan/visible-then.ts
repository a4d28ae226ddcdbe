/**
 * Rows of the past that a present caller may see (docs/callers.md#visible): conditions of visible rows without the parts that the present decides. Takes
 * a query with such conditions, gives it with parameters, and the queries of the present whose answers are the values of these.
 */
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import { mapExpression } from '../../language/catalog/map-expression.ts';
import type { BoundNamedRelation, BoundQuery } from '../../language/catalog/query.ts';
import { mostValues } from '../../language/values/aggregate.ts';
import type { Type } from '../../language/values/type.ts';
import { truthType } from '../analyse/typed/typed.ts';
import { idsOf, renumbered } from './renumbered.ts';
import { ofVisibleStream } from './visible-rows.ts';

/** A parameter that the present gives. */
export interface PresentSet {
  readonly name: string;
  /** `rows`: whether there is a row; else the list of its values. */
  readonly gives: 'values' | 'rows';
  readonly type: Type;
  /** Rows at most. */
  readonly most?: number;
  readonly query: BoundQuery;
}

export interface ThenPlan {
  readonly query: BoundQuery;
  readonly sets: readonly PresentSet[];
}

export function visibleThen(query: BoundQuery, catalog: Catalog): ThenPlan {
  const sets: PresentSet[] = [];
  const then = JSON.parse(JSON.stringify(query), (_key, part: Partial<BoundNamedRelation> | null) => {
    if (part?.kind !== 'relation' || part.visible === undefined) return part;
    // Bound queries are plain data, in which only relations have this kind.
    return { ...part, visible: withoutPresent(ofStreams(part as BoundNamedRelation, part.visible, catalog), sets) };
  }) as BoundQuery;
  return { query: then, sets };
}

/** The condition with parameters in place of its subqueries, which are added to the sets. */
export function withoutPresent(condition: TypedExpression, sets: PresentSet[]): TypedExpression {
  const given = (set: Omit<PresentSet, 'name'>): TypedExpression => {
    const name = `present ${sets.length}`;
    sets.push({ ...set, name });
    return { kind: 'argument', name, type: set.type, nullable: false, sensitive: false };
  };
  return mapExpression(condition, (part) => {
    if (part.kind === 'exists') return given({ gives: 'rows', type: truthType, query: part.query });
    if (part.kind !== 'in-query') return undefined;
    const [column] = part.query.columns;
    if (column === undefined) throw new Error('a query behind IN has a column');
    const list = given({
      gives: 'values',
      type: { kind: 'LIST', of: column.type },
      query: part.query,
      ...(part.bounded === true && { most: mostValues }),
    });
    const found = truth('any_equal', [withoutPresent(part.operand, sets), list]);
    return part.negated ? truth('not', [found]) : found;
  });
}

/** A state is visible if its stream is now; its past row does not count. */
function ofStreams({ id, source }: BoundNamedRelation, visible: TypedExpression, catalog: Catalog): TypedExpression {
  const block = source.kind === 'state' ? findBlock(catalog, 'aggregate', source.aggregate) : undefined;
  if (block === undefined) return visible;
  const now = idsOf(id) - 2;
  const condition = renumbered(visible, (own) => (own === id ? now : own));
  return ofVisibleStream(id, { block, id: now, condition }, 'aggregate_id');
}

function truth(name: string, given: readonly TypedExpression[]): TypedExpression {
  return { kind: 'call', function: name, arguments: given, type: truthType, nullable: true, sensitive: false };
}
