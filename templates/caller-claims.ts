import type { CallerPart } from '../language/contract/caller.ts';
import type { RowClauses } from '../language/catalog/block.ts';
import type { TypedExpression } from '../language/catalog/expression.ts';

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
  readonly wholeFor?: readonly string[];
  readonly clear?: readonly CallerPart[];
} {
  const condition = visible === undefined || visible === 'all' ? undefined : visible.condition;
  const roles = condition === undefined ? [] : sufficientRoles(condition);
  return {
    ...(condition !== undefined && { visible: callerParts(condition) }),
    ...(roles.length > 0 && { wholeFor: roles }),
    ...(clear === undefined ? {} : { clear: callerParts(clear.condition) }),
  };
}

/** Roles of which each makes the condition TRUE by itself. */
function sufficientRoles(condition: TypedExpression): readonly string[] {
  if (condition.kind === 'caller') return condition.part.of === 'role' ? [condition.part.role] : [];
  const isOr = condition.kind === 'call' && condition.function === 'or';
  return isOr ? condition.arguments.flatMap(sufficientRoles) : [];
}

function isCallerPart(part: object): part is CallerPart {
  return 'of' in part && (part.of === 'subject' || part.of === 'role' || part.of === 'claim');
}
