import { allBlocks, type Catalog } from '../../../language/catalog/catalog.ts';
import { callerParts } from '../../../templates/caller-claims.ts';

/** The roles that `HAS_ROLE` names anywhere in a catalog, sorted. */
export function rolesNamed(catalog: Catalog): readonly string[] {
  const naming = allBlocks(catalog).filter(({ text }) => /has_role/i.test(text));
  return [...new Set(naming.flatMap(callerParts).flatMap((part) => (part.of === 'role' ? [part.role] : [])))].sort();
}
