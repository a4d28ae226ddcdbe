/**
 * Decides which projections SQLite computes once for a statement, into a table, instead of at each use. SQLite prepares
 * a view by expanding it at each use, so that in a chain of projections which each read the one before twice the time
 * would double with every one; with some of them in tables it is proportional to the length of the chain. Takes a
 * catalog; decides the same for every statement.
 */
import { expansionOf } from '../../analyse/query/expansion.ts';
import { readRelations } from '../../analyse/typed/walk.ts';
import { findBlock, type Catalog } from '../../../language/catalog/catalog.ts';
import { byDependency } from '../../../language/catalog/export-order.ts';

/**
 * The most relations in the expansion of a projection, not counting those inside tables; past it the projection gets a
 * table.
 */
const mostWrittenOut = 64;

export interface SharedProjections {
  readonly isShared: (projection: string) => boolean;
  /** The projections that a projection reads directly. */
  readonly readBy: (projection: string) => ReadonlySet<string>;
  /** The shared projections to fill before a statement reads these relations, each after those that it reads itself. */
  readonly behind: (relations: Iterable<string>) => readonly string[];
}

const known = new WeakMap<Catalog, SharedProjections>();

export function sharedProjections(catalog: Catalog): SharedProjections {
  const found = known.get(catalog) ?? find(catalog);
  known.set(catalog, found);
  return found;
}

function find(catalog: Catalog): SharedProjections {
  /** Size of the expansion of each projection without a table. */
  const writtenOut = new Map<string, number>();
  const reads = new Map<string, ReadonlySet<string>>();
  const shared: string[] = [];
  for (const { name, query, expansion } of byDependency(catalog.blocks.projection)) {
    const sources = readRelations(query).map(({ source }) => source);
    reads.set(name, new Set(sources.flatMap((source) => (source.kind === 'projection' ? [source.projection] : []))));
    if (expansion <= mostWrittenOut) {
      writtenOut.set(name, expansion);
      continue;
    }
    const count = expansionOf(query, (source) => {
      if (source.kind === 'projection') return writtenOut.get(source.projection) ?? 0;
      const block = source.kind === 'state' ? findBlock(catalog, 'aggregate', source.aggregate) : undefined;
      return block === undefined ? 0 : expansionOf(block.state, () => 0);
    });
    if (count > mostWrittenOut) shared.push(name);
    else writtenOut.set(name, count);
  }
  const isShared = (projection: string): boolean => reads.has(projection) && !writtenOut.has(projection);
  return {
    isShared,
    readBy: (projection) => reads.get(projection) ?? new Set(),
    behind: (relations) => {
      if (shared.length === 0) return [];
      const needed = new Set<string>();
      const pending = [...relations];
      for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
        if (needed.has(name)) continue;
        needed.add(name);
        pending.push(...(reads.get(name) ?? []));
      }
      return shared.filter((name) => needed.has(name));
    },
  };
}
