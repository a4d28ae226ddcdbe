import type { CallerPart } from '../language/contract/caller.ts';
import type { RowClauses } from '../language/catalog/block.ts';

/** The parts of the caller that parts of the catalog read, each once, in the order in which they are written. */
export function callerParts(within: unknown): readonly CallerPart[] {
  const parts = new Map<string, CallerPart>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (isCallerPart(part)) parts.set(JSON.stringify(part), part);
    else Object.values(part).forEach(look);
  };
  look(within);
  return [...parts.values()];
}

/** The claims that parts of the catalog read, sorted; undefined if they do not read the caller at all. */
export function callerClaims(within: unknown): readonly string[] | undefined {
  const parts = callerParts(within);
  return parts.length === 0 ? undefined : parts.flatMap((part) => (part.of === 'claim' ? [part.claim] : [])).sort();
}

/** The parts of the caller that the clauses of a relation read; a clause that shows all rows is none. */
export function clauseParts({ visible, clear }: RowClauses): {
  readonly visible?: readonly CallerPart[];
  readonly clear?: readonly CallerPart[];
} {
  return {
    ...(visible === undefined || visible === 'all' ? {} : { visible: callerParts(visible.condition) }),
    ...(clear === undefined ? {} : { clear: callerParts(clear.condition) }),
  };
}

function isCallerPart(part: object): part is CallerPart {
  return 'of' in part && (part.of === 'subject' || part.of === 'role' || part.of === 'claim');
}
