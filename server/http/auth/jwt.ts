import { errors, jwtVerify } from 'jose';
import { createKeySet, type KeySet, type KeySetOptions } from './key-set.ts';
import type { Identity } from '../../operation/caller.ts';
import { subjectProblem } from '../../../language/contract/caller.ts';
import type { JwtPolicy } from './policy.ts';

/** The content of a verified token; `unverified` when it cannot be trusted, with a reason that has no value of the token, `unavailable` when its keys could not be fetched. */
export type JwtVerdict =
  | {
      readonly verdict: 'verified';
      /** Null if it has none, or an empty one. */
      readonly subject: string | null;
      readonly identity: Identity;
      /** ms since 1970. */
      readonly until: number;
    }
  | { readonly verdict: 'unverified'; readonly reason: string }
  | { readonly verdict: 'unavailable'; readonly reason: string };

/** Accepted difference between clocks. */
const skewSeconds = 60;

export interface JwtVerifier {
  readonly keys: KeySet;
  readonly verify: (token: string) => Promise<JwtVerdict>;
}

/**
 * Verifies tokens by the policy's key set: signature by a named algorithm, issuer, audience and a required expiry. Rejects when a key set
 * file cannot be read; a URL is fetched when the first token comes. The keys of an earlier policy stay if they are of the same place.
 */
export async function createJwtVerifier(
  policy: JwtPolicy,
  options: KeySetOptions,
  before?: JwtVerifier,
): Promise<JwtVerifier> {
  const { now } = options;
  const isSame = before?.keys.source === policy.jwks;
  if (isSame) await before.keys.refresh();
  const keys = isSame ? before.keys : await createKeySet(policy.jwks, options);
  const verify = async (token: string): Promise<JwtVerdict> => {
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        issuer: policy.issuer,
        audience: policy.audience,
        algorithms: [...policy.algorithms],
        clockTolerance: skewSeconds,
        currentDate: new Date(now()),
        requiredClaims: ['exp', 'iss', 'aud'],
      });
      const subject = typeof payload.sub === 'string' && payload.sub !== '' ? payload.sub : null;
      const reason = subject === null ? undefined : subjectProblem(subject);
      if (reason !== undefined) return { verdict: 'unverified', reason };
      const roles = rolesOf(memberAt(payload, [policy.rolesClaim].flat()));
      const until = ((payload.exp ?? 0) + skewSeconds) * 1000;
      return { verdict: 'verified', subject, identity: { roles, claims: payload }, until };
    } catch (error) {
      if (isFaultOfKeys(error)) return { verdict: 'unavailable', reason: String(error) };
      return { verdict: 'unverified', reason: reasonOf(error as errors.JOSEError) };
    }
  };
  return { keys, verify };
}

/** The member at the end of a path; own members of objects only. */
function memberAt(claims: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name)
        ? (found as Readonly<Record<string, unknown>>)[name]
        : undefined,
    claims,
  );
}

function rolesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((role) => role !== '');
  return Array.isArray(claim) ? claim.filter((role): role is string => typeof role === 'string') : [];
}

/** The message of the library, which names claims by the names that a policy has, except for an extension. */
function reasonOf(error: errors.JOSEError): string {
  return error instanceof errors.JOSENotSupported ? 'an extension that is not supported' : error.message;
}

/** Any error that is not a verdict on the token itself: the network, or an invalid key set. */
function isFaultOfKeys(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC';
}
