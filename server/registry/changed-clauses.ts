import type { Catalog } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';

/** The definitions of events whose clauses are new or read otherwise than before. */
export function changedClauses(domain: Domain, after: Catalog, before: Catalog): Domain['events'] {
  const known = new Set(before.blocks.event);
  const changed = after.blocks.event.filter((block) => block.upcasts !== undefined && !known.has(block));
  const names = new Set(changed.map(({ name }) => name));
  return domain.events.filter(({ name }) => names.has(name));
}
