import { exportedKinds } from '../contract/block-kind.ts';
import type { Block, ProjectionBlock } from './block.ts';
import type { Catalog } from './catalog.ts';
import { writtenText } from './documented.ts';

/**
 * All blocks grouped by kind, each kind by name, projections after those they read (docs/language.md#looking-at-the-registry). Loading the
 * texts in this order from top to bottom gives the same registry.
 */
export function exportOrder(catalog: Catalog): readonly Block[] {
  return exportedKinds.flatMap((kind): readonly Block[] =>
    kind === 'projection' ? byDependency(catalog.blocks.projection) : catalog.blocks[kind],
  );
}

/** The text of EXPORT REGISTRY: the same bytes for the same definitions. */
export function exportRegistry(catalog: Catalog): string {
  return exportOrder(catalog)
    .map((block) => `${writtenText(block)}\n`)
    .join('\n');
}

/** Each projection after those it reads; there are no cycles. */
export function byDependency(projections: readonly ProjectionBlock[]): readonly ProjectionBlock[] {
  const waiting = new Map(projections.map((block) => [block.name, block]));
  const ordered: ProjectionBlock[] = [];
  const place = (block: ProjectionBlock): void => {
    if (!waiting.delete(block.name)) return;
    for (const reference of block.references) {
      const read = reference.startsWith('projection:') ? waiting.get(reference.slice('projection:'.length)) : undefined;
      if (read !== undefined) place(read);
    }
    ordered.push(block);
  };
  for (const block of projections) place(block);
  return ordered;
}
