import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { Environment } from '../environment/environment.ts';
import { readRelations } from '../typed/walk.ts';

/** Aggregates behind a query, directly or through projections, sorted. */
export function aggregatesRead(query: BoundQuery, environment: Environment): readonly string[] {
  const found = new Set<string>();
  for (const { source } of readRelations(query)) {
    if (source.kind === 'events' || source.kind === 'state') found.add(source.aggregate);
    if (source.kind !== 'projection') continue;
    const read = environment.find('projection', source.projection);
    if (read.status === 'found') for (const aggregate of read.block.aggregates) found.add(aggregate);
  }
  return Array.from(found).sort();
}
