import { fail } from '../failure/failure.ts';
import { readInput } from '../values/input.ts';
import { ExactNumber, type JsonValue } from '../values/json.ts';
import { isSoundText } from '../values/text.ts';
import { typeName, type Type, type Value } from '../values/type.ts';

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

/** A caller as its token or the configuration describes it. Plain data, so that it can cross to a thread. */
export interface CallerIdentity {
  /** NULL for an anonymous caller, and for a token that names none. */
  readonly subject: string | null;
  /** All that the token names. */
  readonly roles: readonly string[];
  /** Its own members are claims, of any JSON type. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The limit of a request head. */
const mostOfSubject = 16 * 1024;

/** Why no caller can have the subject, in words without it. */
export function subjectProblem(subject: string): string | undefined {
  if (subject === '') return 'the subject is empty';
  if (subject.startsWith('reaction:')) return "a subject begins with 'reaction:', which is kept for reactions";
  if (subject.length > mostOfSubject) return `a subject is longer than ${mostOfSubject} characters`;
  return isSoundText(subject) ? undefined : 'a subject contains a NUL or half of a character';
}

/** A caller as ALLOW and a decision read it: of its claims those that they name. */
export interface CallerValues {
  /** NULL for an anonymous caller; `reaction:<Name>` for the command of a reaction. */
  readonly subject: string | null;
  readonly roles: Pick<ReadonlySet<string>, 'has'>;
  /** By the names of CLAIM blocks, in the types of these; NULL where the token has none. */
  readonly claims: Pick<ReadonlyMap<string, Value>, 'get'>;
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

const noClaims: CallerValues['claims'] = new Map();

/** The caller with the values of these claims. Throws R0117 if one has a value of another type. */
export function callerValues(
  { subject, roles, claims }: CallerIdentity,
  read: readonly Omit<ClaimDefinition, 'sensitive'>[],
): CallerValues {
  if (read.length === 0) return { subject, roles: new Set(roles), claims: noClaims };
  const values = new Map<string, Value>();
  for (const { name, type, path } of read) {
    const value = claimValue(memberAt(claims, path), type);
    if (value === undefined) throw fail('R0117', { claim: name, type: typeName(type) });
    values.set(name, value);
  }
  return { subject, roles: new Set(roles), claims: values };
}

/** Whether the caller has the claim, of whatever type. */
export function hasClaim({ claims }: Pick<CallerIdentity, 'claims'>, { path }: Pick<ClaimDefinition, 'path'>): boolean {
  return (memberAt(claims, path) ?? null) !== null;
}

/** Members of objects themselves; NULL where anything else is on the way. */
function memberAt(claims: CallerIdentity['claims'], path: readonly string[]): unknown {
  let at: unknown = claims;
  for (const member of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, member)) return null;
    at = (at as Readonly<Record<string, unknown>>)[member];
  }
  return at;
}

const mostOfList = 1_000;

/** A claim in its JSON form as a value of the type, read as an argument of a command is; undefined if it is none. */
export function claimValue(given: unknown, type: Type): Value | undefined {
  if (given === null || given === undefined) return null;
  if (type.kind !== 'LIST') return scalar(given, type);
  if (!Array.isArray(given) || given.length > mostOfList) return undefined;
  const items = given.map((item) => scalar(item, type.of));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function scalar(given: unknown, type: Type): Value | undefined {
  const json = jsonOf(given);
  return json === undefined ? undefined : readInput(json, type).value;
}

/** Whole numbers past 2^53 are no claims: the parser of tokens has rounded them, and a text can hold them. */
function jsonOf(given: unknown): JsonValue | undefined {
  if (typeof given === 'string' || typeof given === 'boolean') return given;
  const isExact = typeof given === 'number' && (!Number.isInteger(given) || Number.isSafeInteger(given));
  return isExact ? new ExactNumber(String(given)) : undefined;
}
