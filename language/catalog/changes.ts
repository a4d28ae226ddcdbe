import { blockKey, type BlockKey } from '../contract/block-kind.ts';
import type { Block } from './block.ts';
import { allBlocks, type Catalog } from './catalog.ts';
import { writtenText } from './documented.ts';

/** A difference between two catalogs, as the log records it. */
export interface CatalogChange {
  readonly change: 'put' | 'drop';
  readonly block: Block['kind'];
  readonly name: string;
  readonly text?: string;
  readonly template?: string;
  readonly instance?: string;
  readonly instances?: readonly { readonly name: string; readonly parameters: string }[];
}

/** The changes from `before` to `after`, changed doc comments included: first the definitions, in the given `order` (an export loads top to bottom), then the drops. */
export function catalogChanges(before: Catalog, after: Catalog, order: readonly Block[]): readonly CatalogChange[] {
  const known = new Map(allBlocks(before).map((block) => [keyOf(block), block]));
  const kept = new Set(allBlocks(after).map(keyOf));
  const puts = order.filter((block) => !sameDefinition(known.get(keyOf(block)), block)).map(putOf);
  const drops = [...known.values()].filter((block) => !kept.has(keyOf(block)));
  return [...puts, ...drops.map(({ kind, name }): CatalogChange => ({ change: 'drop', block: kind, name }))];
}

function keyOf({ kind, name }: Block): BlockKey {
  return blockKey(kind, name);
}

function sameDefinition(a: Block | undefined, b: Block): boolean {
  if (a === b) return true;
  if (a === undefined || writtenText(a) !== writtenText(b)) return false;
  return JSON.stringify(provenance(a)) === JSON.stringify(provenance(b));
}

/** The template that made a block, and for a template its instances. */
function provenance(block: Block): Pick<CatalogChange, 'template' | 'instance' | 'instances'> {
  const { stamp } = block;
  return {
    ...(stamp === undefined ? {} : { template: stamp.template, instance: stamp.instance }),
    ...(block.kind === 'template' && block.instances.length > 0 ? { instances: block.instances } : {}),
  };
}

function putOf(block: Block): CatalogChange {
  return { change: 'put', block: block.kind, name: block.name, text: writtenText(block), ...provenance(block) };
}
