import type { CallerPart } from '../language/contract/caller.ts';

/** The claims that parts of the catalog read, sorted; undefined if they do not read the caller at all. */
export function callerClaims(within: unknown): readonly string[] | undefined {
  const claims = new Set<string>();
  let isRead = false;
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (isCallerPart(part)) {
      isRead = true;
      if (part.of === 'claim') claims.add(part.claim);
    } else Object.values(part).forEach(look);
  };
  look(within);
  return isRead ? [...claims].sort() : undefined;
}

function isCallerPart(part: object): part is CallerPart {
  return 'of' in part && (part.of === 'subject' || part.of === 'role' || part.of === 'claim');
}
