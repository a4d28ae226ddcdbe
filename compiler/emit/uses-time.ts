import type { Catalog } from '../../language/catalog/catalog.ts';
import type { AggregateBlock, ProjectionBlock } from '../../language/catalog/block.ts';
import { byDependency } from '../../language/catalog/export-order.ts';
import { findBlock } from '../../language/catalog/catalog.ts';
import type { BoundQuery, RelationSource } from '../../language/catalog/query.ts';
import { readRelations, walkQuery } from '../analyse/typed/walk.ts';
import { isStableCall } from '../functions/properties-of-call.ts';

/** Whether a query, or a state or projection behind it, reads the current time (`CompiledQuery.usesTime`). */
export function usesTime(query: BoundQuery, catalog: Catalog): boolean {
  return asksForTime(query) || readRelations(query).some(({ source }) => followsTime(source, catalog));
}

function followsTime(source: RelationSource, catalog: Catalog): boolean {
  if (source.kind === 'projection') return timedProjections(catalog).has(source.projection);
  const block = source.kind === 'state' ? findBlock(catalog, 'aggregate', source.aggregate) : undefined;
  return block !== undefined && ownFacts(block, block.state).asksForTime;
}

const timed = new WeakMap<Catalog, ReadonlySet<string>>();

/**
 * Computed once for a catalog, each projection after those that it reads, so that a long chain is no deep recursion.
 */
function timedProjections(catalog: Catalog): ReadonlySet<string> {
  const known = timed.get(catalog);
  if (known !== undefined) return known;
  const found = new Set<string>();
  timed.set(catalog, found);
  for (const block of byDependency(catalog.blocks.projection)) {
    const { asksForTime: asks, sources } = ownFacts(block, block.query);
    if (asks || sources.some((source) => followsTime(source, catalog))) found.add(block.name);
  }
  return found;
}

interface OwnFacts {
  readonly asksForTime: boolean;
  readonly sources: readonly RelationSource[];
}

/** Blocks are immutable: the facts of a block hold in every catalog that contains it. */
const facts = new WeakMap<AggregateBlock | ProjectionBlock, OwnFacts>();

function ownFacts(block: AggregateBlock | ProjectionBlock, query: BoundQuery): OwnFacts {
  const known = facts.get(block);
  if (known !== undefined) return known;
  const own = { asksForTime: asksForTime(query), sources: readRelations(query).map(({ source }) => source) };
  facts.set(block, own);
  return own;
}

function asksForTime(query: BoundQuery): boolean {
  let found = false;
  walkQuery(query, (part) => {
    found ||= isStableCall(part);
    return !found;
  });
  return found;
}
