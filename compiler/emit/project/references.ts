import { namedBy, type Block } from '../../../language/catalog/block.ts';
import { blockKinds } from '../../../language/contract/block-kind.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';

const known = new WeakMap<Catalog, (block: Block) => readonly Block[]>();

/** Gives all blocks that a block names, directly or not, itself first: its generated code depends on nothing else. */
export function createReferences(catalog: Catalog): (block: Block) => readonly Block[] {
  const references = known.get(catalog) ?? readReferences(catalog);
  known.set(catalog, references);
  return references;
}

function readReferences(catalog: Catalog): (block: Block) => readonly Block[] {
  const byName = new Map<string, Block>();
  for (const kind of blockKinds) for (const block of catalog.blocks[kind]) byName.set(`${kind}:${block.name}`, block);
  return (block) => {
    const found = new Set<Block>([block]);
    for (const next of found) {
      // An aggregate does not name its events, but they show in its relations.
      const landing = next.kind === 'aggregate' ? next.events.map((name) => `event:${name}`) : [];
      for (const reference of [...namedBy(next), ...landing]) {
        const referred = byName.get(reference);
        if (referred !== undefined) found.add(referred);
      }
    }
    return [...found];
  };
}
