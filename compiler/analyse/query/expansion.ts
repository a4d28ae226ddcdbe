/**
 * The size of a query once everything it reads is written out in place, which is how SQLite prepares it. Takes a bound query and the sizes
 * of the relations that it names; gives a count.
 */
import type { BoundQuery, RelationSource } from '../../../language/catalog/query.ts';
import { namedIn } from '../typed/walk.ts';

/** Maximum number of relations that a definition may name, written out. */
export const mostReferences = 4_096;

/** Counting stops here: each projection of a chain may double the count. */
const mostCounted = Number.MAX_SAFE_INTEGER;

/**
 * The number of relations that the query names, written out: each relation counts one plus `within` for it, a common table one plus its own
 * query, each time it is named. Counts up to `mostCounted`.
 */
export function expansionOf(query: BoundQuery, within: (source: RelationSource) => number): number {
  const definitions = new Map<number, BoundQuery>();
  const counted = new Map<number, number>();
  const countTable = (id: number): number => {
    const known = counted.get(id);
    if (known !== undefined) return known;
    const definition = definitions.get(id);
    counted.set(id, 0); // a recursive table names itself
    const count = definition === undefined ? 0 : countQuery(definition);
    counted.set(id, count);
    return count;
  };
  const countQuery = (part: BoundQuery): number => {
    const { relations, tables } = namedIn(part);
    for (const table of tables) definitions.set(table.id, table.query);
    const counts = relations.map(({ source }) =>
      source.kind === 'common' ? countTable(source.table) : within(source),
    );
    return Math.min(
      counts.reduce((sum, count) => sum + 1 + count, 0),
      mostCounted,
    );
  };
  return countQuery(query);
}
