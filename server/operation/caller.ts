import type { CallerIdentity } from '../../language/contract/caller.ts';

/** The sender of a question and its rights, as plain data that can cross to a thread. */
export interface Caller {
  /** The name in logs and records; null for an anonymous caller, and for a token that names none. */
  readonly subject: string | null;
  /** Patterns of rights, `*` a wildcard inside them (docs/http.md#who-may-do-what). */
  readonly rights: readonly string[];
  /** Rights that it does not hold, whatever the patterns say. */
  readonly except?: readonly Included[];
  /** ms since 1970, after which the caller's credentials no longer count. */
  readonly until?: number;
  /** Facts in addition to the subject; absent where callers are not distinguished: a server without a policy, sessions, operators. */
  readonly identity?: Identity;
  /** The name under which limits count a caller without a subject. It begins with NUL, which no subject contains. */
  readonly account?: string;
}

/** The roles and the claims of a caller, as its token or the configuration has them. */
export type Identity = Omit<CallerIdentity, 'subject'>;

/** Rights that `create` includes: a caller who defines blocks can define one that shows a value, or a row. */
export type Included = 'sensitive:read' | 'rows:all';

/** A caller without credentials, where a policy asks for them. */
export const stranger: Caller = { subject: null, rights: [], identity: { roles: [], claims: {} } };

/**
 * Any caller, if there is no policy. Such a caller may do everything, but does not hold `sensitive:read`, which only a policy grants
 * (docs/language.md#sensitive-values).
 */
export const anyone: Caller = { subject: 'anyone', rights: ['*'], except: ['sensitive:read'] };

/** The user of a session. */
export const operator: Caller = { ...anyone, subject: 'operator' };

/** An owner with values in the clear: the log is in files of the user. */
export const owner: Caller = { subject: 'owner', rights: ['*'] };

/** The caller as expressions read it; undefined where callers are not distinguished, so that no clause about them refuses or hides anything. */
export function identityOf({ subject, identity }: Caller): CallerIdentity | undefined {
  return identity && { subject, ...identity };
}

/** The name under which limits count the caller. */
export function accountOf({ subject, account = '\0' }: Caller): string {
  return subject ?? account;
}
