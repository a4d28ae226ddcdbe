import { blockKinds, createCatalog, type Catalog } from './catalog.ts';
import type { Block } from './block.ts';

/**
 * The blocks that name nothing missing, directly or through others; the catalog itself when all are. A block that waits for a
 * forward name is checked but neither run nor logged (language.md section 4).
 */
export function completeCatalog(catalog: Catalog): Catalog {
  let blocks: Block[] = blockKinds.flatMap((kind): readonly Block[] => catalog.blocks[kind]);
  for (;;) {
    const known = new Set(blocks.map((block) => `${block.kind}:${block.name}`));
    const complete = blocks.filter((block) => block.references.every((reference) => known.has(reference)));
    if (complete.length === blocks.length) break;
    blocks = complete;
  }
  const size = blockKinds.reduce((sum, kind) => sum + catalog.blocks[kind].length, 0);
  return blocks.length === size ? catalog : createCatalog(blocks);
}
