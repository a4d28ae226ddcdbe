import { createHash, timingSafeEqual } from 'node:crypto';
import type { Soon } from '../../../language/failure/soon.ts';
import { anyone, type Caller } from '../../operation/caller.ts';
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
export type Authenticate = (authorization: string | undefined) => Soon<Caller>;

export async function createAuthenticate(
  policy: AuthPolicy | undefined,
  now: () => number,
  warn: (message: string) => void,
): Promise<Authenticate> {
  if (policy === undefined) return () => anyone;
  const findToken = createStaticTokens(policy.tokens);
  const verifyJwt = policy.jwt === undefined ? undefined : await jwtVerifier(policy.jwt, now, warn);
  const callers = new Map<string, Caller>(
    policy.tokens.map(({ sha256, subject, roles }) => [sha256, { subject, rights: grantsOf(policy, roles) }]),
  );
  let hasWarned = false;
  /** Warns once: the claim may be named wrongly, or the tokens may be of users who have no role here. */
  const warnOfNoRole = (claim: JwtPolicy['rolesClaim']): void => {
    if (!hasWarned)
      warn(`a verified token names no role of the policy in ${JSON.stringify(claim)}, so its sender has no rights`);
    hasWarned = true;
  };
  return async (authorization) => {
    if (authorization === undefined) throw new Unauthenticated('this needs a bearer token', 'Bearer');
    const sent = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization)?.[1];
    if (sent === undefined) throw new Unauthenticated('the Authorization header holds no bearer token', invalidToken);
    const known = findToken(sent);
    const caller = known === undefined ? undefined : callers.get(known.sha256);
    if (caller !== undefined) return caller;
    let reason = 'no token of the policy';
    if (verifyJwt !== undefined && sent.split('.').length === 3) {
      const verdict = await verifyJwt(sent);
      if (verdict.verdict === 'verified') {
        const { subject, roles, until } = verdict;
        if (policy.jwt !== undefined && !roles.some((role) => Object.hasOwn(policy.roles, role)))
          warnOfNoRole(policy.jwt.rolesClaim);
        return { subject, rights: grantsOf(policy, roles), until };
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
