/**
 * Describes how each SELECT of a query that reads events is answered, through the `$Agg` and projections that it names. Takes a bound query
 * and the catalog, gives one `AnswerPart` for each; printing (`emit/sqlite/`) uses the same `foldSelect`.
 */
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { someExpression } from '../../language/catalog/map-expression.ts';
import type {
  BoundBody,
  BoundNamedRelation,
  BoundQuery,
  BoundRelation,
  BoundSelect,
  SortKey,
} from '../../language/catalog/query.ts';
import type { Fold } from '../../language/plan/fold.ts';
import { foldSelect } from './fold-select.ts';

/** `part` is the enclosing definition and, for a common table, its name: `Board: sale`. */
export type AnswerPart = { readonly part: string } & (
  | { readonly by: 'fold'; readonly fold: Fold }
  /** `reads`: the event relations, as `Bike$Events`. */
  | { readonly by: 'scan'; readonly reads: readonly string[]; readonly why: string }
);

/** `kept`: the query is a definition of the registry; only definitions have their folds kept. */
export function answerParts(
  query: BoundQuery,
  catalog: Catalog,
  part: string,
  { kept }: { readonly kept: boolean },
): readonly AnswerPart[] {
  const parts: AnswerPart[] = [];
  const seen = new Set<string>([part]);

  const visitQuery = (inner: BoundQuery, label: string, own: boolean): void => {
    for (const table of inner.with) visitQuery(table.query, `${label}: ${table.name}`, own);
    visitBody(inner.body, inner.orderBy, label, own);
    for (const key of inner.orderBy) if (key.by === 'expression') visitExpression(key.expression, label, own);
  };

  const visitBody = (body: BoundBody, orderBy: readonly SortKey[], label: string, own: boolean): void => {
    switch (body.kind) {
      case 'select':
        visitSelect(body, orderBy, label, own);
        return;
      case 'set':
        visitBody(body.left, [], label, own);
        visitBody(body.right, [], label, own);
        return;
      case 'query':
        visitQuery(body.query, label, own);
        return;
      case 'values':
        for (const value of body.rows.flat()) visitExpression(value, label, own);
        return;
      default:
        body satisfies never;
    }
  };

  const visitSelect = (select: BoundSelect, orderBy: readonly SortKey[], label: string, own: boolean): void => {
    const reads = select.from === undefined ? [] : eventRelations(select.from);
    if (reads.length > 0) {
      const folded = foldSelect(select, orderBy, 'outer');
      if (typeof folded === 'string') parts.push({ part: label, by: 'scan', reads, why: folded });
      else if (own) parts.push({ part: label, by: 'fold', fold: folded.fold });
      else parts.push({ part: label, by: 'scan', reads, why: 'only $Agg and projections have their folds kept' });
    }
    if (select.from !== undefined) visitRelation(select.from, label, own);
    const { where, having } = select;
    for (const expression of [...select.items, ...select.groupBy, where, having])
      if (expression !== undefined) visitExpression(expression, label, own);
  };

  const visitRelation = (relation: BoundRelation, label: string, own: boolean): void => {
    if (relation.kind === 'derived') visitQuery(relation.query, label, own);
    else if (relation.kind === 'relation') visitDefinition(relation);
    else {
      visitRelation(relation.left, label, own);
      visitRelation(relation.right, label, own);
      if (relation.on !== undefined) visitExpression(relation.on, label, own);
    }
  };

  const visitDefinition = ({ source, store }: BoundNamedRelation): void => {
    if (store !== undefined || (source.kind !== 'state' && source.kind !== 'projection')) return;
    const name = source.kind === 'state' ? `${source.aggregate}$Agg` : source.projection;
    if (seen.has(name)) return;
    seen.add(name);
    const definition =
      source.kind === 'state'
        ? findBlock(catalog, 'aggregate', source.aggregate)?.state
        : findBlock(catalog, 'projection', source.projection)?.query;
    if (definition !== undefined) visitQuery(definition, name, true);
  };

  const visitExpression = (expression: TypedExpression, label: string, own: boolean): void => {
    someExpression(expression, (piece) => {
      if ('query' in piece) visitQuery(piece.query, label, own);
      return false;
    });
  };

  visitQuery(query, part, kept);
  return parts;
}

function eventRelations(relation: BoundRelation): readonly string[] {
  if (relation.kind === 'join') return [...eventRelations(relation.left), ...eventRelations(relation.right)];
  return relation.kind === 'relation' && relation.source.kind === 'events'
    ? [`${relation.source.aggregate}$Events`]
    : [];
}
