import { eventRowColumns } from '../../language/contract/fold.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { someExpression } from '../../language/catalog/map-expression.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import { EVENT_ROW, type Fold } from '../../language/plan/fold.ts';
import { foldSelect } from './fold-select.ts';

/** A whole query as a fold looked up by key: nothing remains to compute over the row but its HAVING. */
export interface FoldedQuery {
  readonly fold: Fold;
  /** The other side of each key part that a WHERE fixes by an equality (`stream_id = :id`); none for GROUP BY parts. */
  readonly given: readonly (TypedExpression | undefined)[];
  /**
   * An expression per output column: over slots (`s<n>`) and key parts (`k<n>`) as columns of relation `FOLD_ROW`,
   * and columns of outer queries.
   */
  readonly outputs: readonly TypedExpression[];
  /** Its HAVING, over the same: the row exists only if it is TRUE. */
  readonly having?: TypedExpression;
  /** True for an aggregation without GROUP BY: it has a row even if nothing matches. */
  readonly always: boolean;
}

/** The query as a fold, or a sentence that says why it is not a fold. */
export function foldQuery(query: BoundQuery): FoldedQuery | string {
  const { body } = query;
  if (query.with.length > 0) return 'it has a WITH';
  if (body.kind !== 'select') return 'it is not a plain SELECT';
  if (query.limit !== undefined || query.offset !== undefined) return 'it has LIMIT or OFFSET';
  if (!body.aggregated) return 'it lists single events';
  if (body.distinct) return 'it has DISTINCT';
  const folded = foldSelect(body, [], 'anywhere');
  if (typeof folded === 'string') return folded;
  const { fold, given, items, having, always } = folded;
  const unknown = unknownColumn(fold);
  if (unknown !== undefined) return `it reads ${unknown} of events`;
  return { fold, given, outputs: items, always, ...(having === undefined ? {} : { having }) };
}

const known: ReadonlySet<string> = new Set(eventRowColumns);

/** A column whose value an event does not have yet when it is appended, which is when states evolve. */
function unknownColumn({ key, where, slots }: Fold): string | undefined {
  let found: string | undefined;
  const expressions = [...key, where, ...slots.flatMap(({ argument, filter }) => [argument, filter])];
  for (const expression of expressions)
    if (expression !== undefined)
      someExpression(expression, (part) => {
        if (part.kind === 'column' && part.relation === EVENT_ROW && !isKnown(part.column)) found = part.column;
        return found !== undefined;
      });
  return found;
}

function isKnown(column: string): boolean {
  return column.startsWith('data.') || known.has(column);
}
