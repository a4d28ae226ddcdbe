import { createHash, timingSafeEqual } from 'node:crypto';
import type { Soon } from '../../../language/failure/soon.ts';
import type { Caller } from '../../operation/caller.ts';
import { networkOf } from './network.ts';
import { Problem } from '../wire/problem.ts';
import type { JwtVerdict } from './jwt.ts';
import type { AuthPolicy, JwtPolicy, StaticToken } from './policy.ts';

/** The sender of a request is not known. The reason is for the log alone: it would help to try tokens. */
export class Unauthenticated extends Problem {
  readonly reason: string;
  constructor(message: string, challenge: string, reason = message) {
    super('H4011', message, { 'WWW-Authenticate': challenge });
    this.reason = reason;
  }
}

/** Finds the sender of an `Authorization` header, or throws 401 (503 when the keys that decide it cannot be fetched). */
export type Authenticate = (authorization: string | undefined, from: Connection) => Soon<Caller>;

/** A socket. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
}

export async function createAuthenticate(
  policy: AuthPolicy,
  now: () => number,
  warn: (message: string) => void,
): Promise<Authenticate> {
  const findToken = createStaticTokens(policy.tokens);
  const verifyJwt = policy.jwt === undefined ? undefined : await jwtVerifier(policy.jwt, now, warn);
  const callers = new Map<string, Caller>(
    policy.tokens.map(({ sha256, subject, roles, claims = {} }) => [
      sha256,
      { subject, rights: grantsOf(policy, roles), identity: { roles, claims } },
    ]),
  );
  const findAnonymous = policy.anonymous && anonymousCallers(policy, policy.anonymous.roles);
  let hasWarned = false;
  /** Warns once: the claim may be named wrongly, or the tokens may be of users who have no role here. */
  const warnOfNoRole = (claim: JwtPolicy['rolesClaim']): void => {
    if (!hasWarned)
      warn(`a verified token names no role of the policy in ${JSON.stringify(claim)}, so its sender has no rights`);
    hasWarned = true;
  };
  return async (authorization, from) => {
    if (authorization === undefined) {
      if (findAnonymous !== undefined) return findAnonymous(from);
      throw new Unauthenticated('this needs a bearer token', 'Bearer');
    }
    const sent = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization)?.[1];
    if (sent === undefined) throw new Unauthenticated('the Authorization header holds no bearer token', invalidToken);
    const known = findToken(sent);
    const caller = known === undefined ? undefined : callers.get(known.sha256);
    if (caller !== undefined) return caller;
    let reason = 'no token of the policy';
    if (verifyJwt !== undefined && sent.split('.').length === 3) {
      const verdict = await verifyJwt(sent);
      if (verdict.verdict === 'verified') {
        const { subject, identity, until } = verdict;
        const { roles } = identity;
        if (policy.jwt !== undefined && !roles.some((role) => Object.hasOwn(policy.roles, role)))
          warnOfNoRole(policy.jwt.rolesClaim);
        const account = subject === null ? { account: `\0token ${payloadHash(sent)}` } : {};
        return { subject, rights: grantsOf(policy, roles), identity, until, ...account };
      }
      if (verdict.verdict === 'unavailable') {
        throw new Problem('H5033', 'the keys that verify tokens are not available now', { 'Retry-After': '5' });
      }
      ({ reason } = verdict);
    }
    throw new Unauthenticated('the bearer token is not accepted', invalidToken, reason);
  };
}

/** Loads the verifier of signatures, which a policy without signed tokens does not need. */
async function jwtVerifier(
  policy: JwtPolicy,
  now: () => number,
  warn: (message: string) => void,
): Promise<(token: string) => Promise<JwtVerdict>> {
  const { createJwtVerifier } = await import('./jwt.ts');
  return createJwtVerifier(policy, now, warn);
}

/** Anonymous callers have one subject and the same rights, and limits count them by their network. */
function anonymousCallers(policy: AuthPolicy, roles: readonly string[]): (from: Connection) => Caller {
  const caller: Caller = { subject: null, rights: grantsOf(policy, roles), identity: { roles, claims: {} } };
  return ({ remoteAddress = '' }) => ({ ...caller, account: `\0network ${networkOf(remoteAddress)}` });
}

/** Identifies a signed token by the part that nobody can write in another way. */
function payloadHash(token: string): string {
  const [, payload = ''] = token.split('.');
  return createHash('sha256').update(payload).digest('hex');
}

const invalidToken = 'Bearer error="invalid_token"';

/** A role that the policy does not have grants nothing; a token may name roles of other services. */
function grantsOf(policy: AuthPolicy, roles: readonly string[]): readonly string[] {
  return roles.flatMap((role) => (Object.hasOwn(policy.roles, role) ? (policy.roles[role] ?? []) : []));
}

/** Finds the static token that was sent. Every candidate is compared, in constant time, so that the time reveals nothing. */
function createStaticTokens(tokens: readonly StaticToken[]): (sent: string) => StaticToken | undefined {
  const known = tokens.map((token) => ({ token, hash: Buffer.from(token.sha256, 'hex') }));
  return (sent) => {
    const hash = createHash('sha256').update(sent).digest();
    let found: StaticToken | undefined;
    for (const candidate of known) if (timingSafeEqual(candidate.hash, hash)) found = candidate.token;
    return found;
  };
}
