import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../operation/caller.ts';
import { Problem } from '../wire/problem.ts';
import type { JwtVerifier } from './jwt.ts';
import type { KeySetOptions } from './key-set.ts';
import { networkOf } from './network.ts';
import { grantsOf, type AuthPolicy, type JwtPolicy, type StaticToken } from './policy.ts';

/** The sender of a request is not known. The reason is for the log alone: it would help to try tokens. */
export class Unauthenticated extends Problem {
  readonly reason: string;
  constructor(message: string, challenge: string, reason = message) {
    super('H4011', message, { 'WWW-Authenticate': challenge });
    this.reason = reason;
  }
}

/** A socket. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
}

/** Finds the senders of requests by one policy. */
export interface Authentication {
  /** The holder of the token in an `Authorization` header; throws 401, and 503 when the keys that decide it cannot be fetched. */
  readonly holderOf: (authorization: string) => Promise<Caller>;
  /** The sender of a request without that header; absent if there must be one. */
  readonly anonymous?: (from: Connection) => Caller;
  /** Present if the policy takes signed tokens. */
  readonly jwt?: JwtVerifier;
}

/** Rejects when the policy's key set file cannot be read. Keys of `before` stay if the policy names the same place. */
export async function createAuthentication(
  policy: AuthPolicy,
  options: KeySetOptions,
  before?: Authentication,
): Promise<Authentication> {
  const findToken = createStaticTokens(policy.tokens);
  const jwt = policy.jwt && (await jwtVerifier(policy.jwt, options, before?.jwt));
  const callers = new Map<string, Caller>(
    policy.tokens.map(({ sha256, subject, roles, claims = {} }) => [
      sha256,
      { subject, rights: grantsOf(policy, roles), identity: { roles, claims } },
    ]),
  );
  let hasWarned = false;
  /** Warns once: the claim may be named wrongly, or the tokens may be of users who have no role here. */
  const warnOfNoRole = (claim: JwtPolicy['rolesClaim']): void => {
    if (!hasWarned)
      options.warn(
        `a verified token names no role of the policy in ${JSON.stringify(claim)}, so its sender has no rights`,
      );
    hasWarned = true;
  };
  const holderOf: Authentication['holderOf'] = async (authorization) => {
    const sent = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization)?.[1];
    if (sent === undefined) throw new Unauthenticated('the Authorization header holds no bearer token', invalidToken);
    const known = findToken(sent);
    const caller = known === undefined ? undefined : callers.get(known.sha256);
    if (caller !== undefined) return caller;
    let reason = 'no token of the policy';
    if (jwt !== undefined && sent.split('.').length === 3) {
      const verdict = await jwt.verify(sent);
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
  return {
    holderOf,
    ...(policy.anonymous && { anonymous: anonymousCallers(policy, policy.anonymous.roles) }),
    ...(jwt && { jwt }),
  };
}

/** Loads the verifier of signatures, which a policy without signed tokens does not need. */
async function jwtVerifier(
  policy: JwtPolicy,
  options: KeySetOptions,
  before: JwtVerifier | undefined,
): Promise<JwtVerifier> {
  const { createJwtVerifier } = await import('./jwt.ts');
  return createJwtVerifier(policy, options, before);
}

/** Anonymous callers have one subject and the same rights, and limits count them by their network. */
function anonymousCallers(policy: AuthPolicy, roles: readonly string[]): (from: Connection) => Caller {
  const caller: Caller = { subject: null, rights: grantsOf(policy, roles), identity: { roles, claims: {} } };
  return ({ remoteAddress = '' }) => ({ ...caller, account: `\0network ${networkOf(remoteAddress)}` });
}

/** Identifies a signed token by the part that cannot be written in another way. */
function payloadHash(token: string): string {
  const [, payload = ''] = token.split('.');
  return createHash('sha256').update(payload).digest('hex');
}

const invalidToken = 'Bearer error="invalid_token"';

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
