import type { AggregateBlock, ProjectionBlock } from '../../../language/catalog/block.ts';
import type { BoundQuery, RelationSource } from '../../../language/catalog/query.ts';
import type { Environment } from '../environment/environment.ts';
import { readRelations } from '../typed/walk.ts';

/** Aggregates behind a query, directly or through projections, sorted. */
export function aggregatesRead(query: BoundQuery, environment: Environment): readonly string[] {
  const found = new Set<string>();
  for (const { source } of readRelations(query)) {
    if (source.kind === 'events' || source.kind === 'state') found.add(source.aggregate);
    const read = source.kind === 'projection' ? blockBehind(source, environment) : undefined;
    if (read?.kind === 'projection') for (const aggregate of read.aggregates) found.add(aggregate);
  }
  return Array.from(found).sort();
}

/** The block whose relation a query reads; undefined for other relations, and if the block has errors. */
export function blockBehind(
  source: RelationSource,
  { find }: Environment,
): AggregateBlock | ProjectionBlock | undefined {
  const found =
    source.kind === 'projection'
      ? find('projection', source.projection)
      : source.kind === 'events' || source.kind === 'state'
        ? find('aggregate', source.aggregate)
        : undefined;
  return found?.status === 'found' ? found.block : undefined;
}
