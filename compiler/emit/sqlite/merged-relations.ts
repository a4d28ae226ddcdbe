import { findBlock } from '../../../language/catalog/catalog.ts';
import type { BoundQuery, BoundRelation } from '../../../language/catalog/query.ts';
import type { Printer } from './printer.ts';

/** The most relations that SQLite joins. */
const most = 64;

/**
 * Whether a FROM would have too many relations for SQLite after SQLite has merged its queries into it. A merged query
 * adds its own relations; one that groups or counts its rows is never merged.
 */
export function mergesTooMany(printer: Printer, from: BoundRelation): boolean {
  return from.kind === 'join' && countMerged(printer, from, most) > most;
}

/** Stops counting past `limit`. */
function countMerged(printer: Printer, relation: BoundRelation, limit: number): number {
  switch (relation.kind) {
    case 'join': {
      const left = countMerged(printer, relation.left, limit);
      return left > limit ? left : left + countMerged(printer, relation.right, limit - left);
    }
    case 'derived':
      return countQuery(printer, relation.query, limit);
    case 'relation': {
      const { source } = relation;
      if (source.kind === 'projection' && printer.shared.isShared(source.projection)) return 1;
      const query =
        source.kind === 'projection'
          ? findBlock(printer.catalog, 'projection', source.projection)?.query
          : source.kind === 'common'
            ? printer.commonTables.get(source.table)
            : undefined;
      return query === undefined ? 1 : countQuery(printer, query, limit);
    }
  }
}

function countQuery(printer: Printer, { body, limit: cut, offset }: BoundQuery, limit: number): number {
  if (body.kind !== 'select' || body.aggregated || body.distinct || cut !== undefined || offset !== undefined) return 1;
  return body.from === undefined ? 1 : countMerged(printer, body.from, limit);
}
