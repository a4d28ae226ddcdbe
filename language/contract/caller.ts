import type { Type, Value } from '../values/type.ts';

/** A part of a caller that the language can name: `CURRENT_USER`, `HAS_ROLE('clerk')`, `CLAIM(clinic)`. */
export type CallerPart =
  | { readonly of: 'subject' }
  | { readonly of: 'role'; readonly role: string }
  | { readonly of: 'claim'; readonly claim: string };

/** The part as it is written. */
export function callerPartText(part: CallerPart): string {
  if (part.of === 'subject') return 'CURRENT_USER';
  return part.of === 'role' ? `HAS_ROLE('${part.role.replaceAll("'", "''")}')` : `CLAIM(${part.claim})`;
}

/** A caller as ALLOW and a decision read it: of its claims those that they name. */
export interface CallerValues {
  /** NULL for an anonymous caller; `reaction:<Name>` for the command of a reaction. */
  readonly subject: string | null;
  readonly roles: ReadonlySet<string>;
  /** By the names of CLAIM blocks, in the types of these; NULL where the token has none. */
  readonly claims: ReadonlyMap<string, Value>;
}

/** The value of a part of the caller; without a caller NULL, and FALSE for a role. */
export function callerValue(caller: CallerValues | undefined, part: CallerPart): Value {
  if (part.of === 'subject') return caller?.subject ?? null;
  return part.of === 'role' ? (caller?.roles.has(part.role) ?? false) : (caller?.claims.get(part.claim) ?? null);
}

/** A CLAIM block: the place of a claim in a token, and its type. */
export interface ClaimDefinition {
  readonly name: string;
  readonly type: Type;
  readonly sensitive: boolean;
  /** Names of members: the first of the token, each other one of the object before it. */
  readonly path: readonly string[];
}
