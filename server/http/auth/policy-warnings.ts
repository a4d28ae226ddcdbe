import { metaRelations } from '../../../language/contract/meta-relations.ts';
import { may } from '../../operation/rights.ts';
import { plainRights, type AuthPolicy } from './policy.ts';

interface Named {
  readonly name: string;
}

/** The names that rights are about, of a domain or of a catalog. */
export interface GrantableNames {
  readonly aggregates: readonly Named[];
  readonly projections: readonly Named[];
  readonly decisions: readonly (Named & { readonly aggregate: string; readonly command: string })[];
  readonly subscriptions: readonly Named[];
  readonly reactions: readonly Named[];
  /** Roles that `HAS_ROLE` names. */
  readonly roles: readonly string[];
}

/**
 * Parts of a valid policy that have no effect on these blocks, as sentences: rights that cover nothing, roles that no caller has, also those
 * that only the blocks name, and a claim that is written as a path. They refuse nothing, because a block may be created later, and because a policy may serve several schemas. `suggest`
 * gives a text to add after an unknown right, such as the nearest known one.
 */
export function policyWarnings(
  policy: AuthPolicy,
  names: GrantableNames,
  suggest: (right: string, known: Iterable<string>) => string = () => '',
): readonly string[] {
  const known = knownRights(names);
  const rights = Object.entries(policy.roles).flatMap(([role, patterns]) =>
    patterns
      .filter((pattern) => !isGeneral(pattern) && !covers(pattern, known))
      .map((pattern) => `role '${role}': '${pattern}' covers nothing${suggest(pattern, known)}`),
  );
  const missing = names.roles
    .filter((role) => !Object.hasOwn(policy.roles, role))
    .map((role) => `there is no role '${role}', so HAS_ROLE('${role}') is FALSE for all callers`);
  return [
    ...rights,
    ...missing,
    ...(policy.jwt === undefined ? rolesOfNobody(policy) : claimWarnings(policy.jwt.rolesClaim)),
  ];
}

/** All rights about a block or a relation that a caller can be asked for. */
function knownRights({ aggregates, projections, decisions, subscriptions, reactions }: GrantableNames): Set<string> {
  return new Set([
    ...aggregates.flatMap(({ name }) => ['$Agg', '$Events', '$Commands'].map((suffix) => `read:${name}${suffix}`)),
    ...[...projections, ...metaRelations].map(({ name }) => `read:${name}`),
    ...decisions.map(({ aggregate, command }) => `execute:${aggregate}.${command}`),
    ...[...decisions, ...projections].map(({ name }) => `inspect:${name}`),
    ...subscriptions.map(({ name }) => `subscribe:${name}`),
    ...[...subscriptions, ...reactions].map(({ name }) => `manage:${name}`),
  ]);
}

/** Rights that name no block, also those about all blocks of a kind. */
function isGeneral(pattern: string): boolean {
  return plainRights.includes(pattern) || /^[a-z]+:\*$/.test(pattern);
}

function covers(pattern: string, known: ReadonlySet<string>): boolean {
  const caller = { subject: '', rights: [pattern] };
  return known.has(pattern) || [...known].some((right) => may(caller, right));
}

function rolesOfNobody({ tokens, anonymous, roles }: AuthPolicy): readonly string[] {
  const given = new Set([...tokens, ...(anonymous === undefined ? [] : [anonymous])].flatMap((each) => each.roles));
  return Object.keys(roles).flatMap((role) => (given.has(role) ? [] : [`role '${role}' belongs to no token`]));
}

/** A name with dots that is not an address, as claims of one's own are named. */
function claimWarnings(claim: string | readonly string[]): readonly string[] {
  if (typeof claim !== 'string' || !claim.includes('.') || /[:/]/.test(claim)) return [];
  const path = JSON.stringify(claim.split('.'));
  return [`jwt.rolesClaim '${claim}' is the name of one claim; for members of objects write ${path}`];
}
