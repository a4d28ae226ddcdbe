/** The caller as clauses about rows read it (docs/callers.md#visible). */
import { createHash } from 'node:crypto';
import {
  callerPartText,
  callerValue,
  callerValues,
  hasClaim,
  type CallerIdentity,
  type CallerPart,
  type ClaimDefinition,
} from '../../language/contract/caller.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { RowClauseParts } from '../../language/contract/relation.ts';
import type { Value } from '../../language/values/type.ts';
import { identityOf, type Caller } from './caller.ts';
import { isCleared, may } from './rights.ts';

/** Facts of a caller by which a condition is folded, and values of its parameters. */
export interface Asker {
  /** No clause hides anything from it. */
  readonly seesAll: boolean;
  /** Whether SENSITIVE values are masked for it. */
  readonly isMasked: boolean;
  readonly hasRole: (role: string) => boolean;
  /** Whether the subject or a claim is NULL; a claim of another type is not. */
  readonly isNull: (part: CallerPart) => boolean;
  /** Throws R0117 for a claim of another type. */
  readonly value: (part: CallerPart) => Value;
}

/** Undefined for a caller without an identity, from whom nothing is hidden. */
export function askerOf(definitions: readonly ClaimDefinition[], caller: Caller): Asker | undefined {
  const identity = identityOf(caller);
  return (
    identity && { ...askerWith(definitions, identity), seesAll: may(caller, 'rows:all'), isMasked: !isCleared(caller) }
  );
}

/** A caller without rights, as of a session. */
export function askerWith(definitions: readonly ClaimDefinition[], identity: CallerIdentity): Asker {
  const { subject, roles } = identity;
  const named = ({ claim }: { readonly claim: string }): ClaimDefinition | undefined =>
    definitions.find(({ name }) => name === claim);
  return {
    seesAll: false,
    isMasked: true,
    hasRole: (role) => roles.includes(role),
    isNull: (part) => {
      if (part.of !== 'claim') return part.of === 'subject' && subject === null;
      const definition = named(part);
      return definition === undefined || !hasClaim(identity, definition);
    },
    value: (part) => {
      const definition = part.of === 'claim' ? named(part) : undefined;
      return callerValue(callerValues(identity, definition === undefined ? [] : [definition]), part);
    },
  };
}

/** By name, the relations of a domain that have clauses; undefined if none has. */
const clauses = new WeakMap<Domain, ReadonlyMap<string, RowClauseParts> | 'none'>();

function clausesOf(domain: Domain): ReadonlyMap<string, RowClauseParts> | undefined {
  let known = clauses.get(domain);
  if (known === undefined) {
    const found = new Map<string, RowClauseParts>();
    const take = (part: RowClauseParts, ...names: readonly string[]): void => {
      if (part.visible !== undefined || part.clear !== undefined) for (const name of names) found.set(name, part);
    };
    for (const each of domain.projections) take(each, each.name);
    for (const each of domain.aggregates)
      take(each, `${each.name}$Agg`, `${each.name}$Events`, `${each.name}$Commands`);
    clauses.set(domain, (known = found.size === 0 ? 'none' : found));
  }
  return known === 'none' ? undefined : known;
}

/** The caller by which rows of a relation are chosen; undefined for one who sees all of them. */
export function filteredBy(domain: Domain, relation: string, caller: Caller): Asker | undefined {
  if (clausesOf(domain)?.get(relation)?.visible === undefined) return undefined;
  const asker = askerOf(domain.claims, caller);
  return asker?.seesAll === true ? undefined : asker;
}

/** Whether the caller sees each row of a relation: by rights, or by a role with which the condition is TRUE. */
export function seesWhole(domain: Domain, relation: string, caller: Caller): boolean {
  if (filteredBy(domain, relation, caller) === undefined) return true;
  const { wholeFor = [] } = clausesOf(domain)?.get(relation) ?? {};
  return wholeFor.some((role) => caller.identity?.roles.includes(role) === true);
}

/** Whether CLEAR may show the caller SENSITIVE values of a relation. */
export function isClearedBy(domain: Domain, relation: string, caller: Caller): boolean {
  const isClause = clausesOf(domain)?.get(relation)?.clear !== undefined;
  return isClause && caller.identity !== undefined && !isCleared(caller);
}

/** The caller by whom rows and values of a relation are chosen; undefined for one whom no clause concerns. */
export function readBy(domain: Domain, relation: string, caller: Caller): Asker | undefined {
  const clauses = clausesOf(domain)?.get(relation);
  const asker = clauses === undefined ? undefined : askerOf(domain.claims, caller);
  if (clauses === undefined || asker === undefined) return undefined;
  const isFiltered = clauses.visible !== undefined && !asker.seesAll;
  return isFiltered || (clauses.clear !== undefined && asker.isMasked) ? asker : undefined;
}

/** Whether clauses of a domain refuse or hide something from some callers. */
export function distinguishesCallers(domain: Domain): boolean {
  return clausesOf(domain) !== undefined || domain.commands.some(({ allow }) => allow !== undefined);
}

/** Whether some relation of a domain hides rows from the caller. */
export function hidesRows(domain: Domain, caller: Caller): boolean {
  return clausesOf(domain) !== undefined && caller.identity !== undefined && !may(caller, 'rows:all');
}

/** Distinguishes callers to whom relations may show different rows or values; empty if they have no clauses. */
export function rowsKey(domain: Domain, relations: readonly string[], caller: Caller): string {
  const concerned = relations.flatMap((relation) => clausesOf(domain)?.get(relation) ?? []);
  const asker = concerned.length === 0 ? undefined : askerOf(domain.claims, caller);
  if (asker === undefined) return '';
  const parts = concerned.flatMap(({ visible = [], clear = [] }) => [...visible, ...clear]);
  const values = parts.map((part): unknown => [callerPartText(part), asker.value(part)]);
  const text = JSON.stringify([asker.seesAll, values], (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  return `.${createHash('sha256').update(text).digest('base64url')}`;
}
