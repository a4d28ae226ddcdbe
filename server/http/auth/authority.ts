import type { Soon } from '../../../language/failure/soon.ts';
import { anyone, stranger, type Caller } from '../../operation/caller.ts';
import { createAuthentication, Unauthenticated, type Connection } from './authenticate.ts';
import type { KeySetOptions } from './key-set.ts';
import type { AuthPolicy } from './policy.ts';

/** Says who sends a request, by the policy that is in force. */
export interface Authority {
  /** The sender of a request with this `Authorization` header; throws 401, and 503 when the keys that decide it cannot be fetched. */
  readonly senderOf: (authorization: string | undefined, from: Connection) => Soon<Caller>;
  /** The sender of a request for a page that is shown to all: without a header it is never refused. */
  readonly visitorOf: (authorization: string | undefined, from: Connection) => Soon<Caller>;
  /** The number of policies that were in force before this one. */
  readonly policies: () => number;
  /** Puts a policy in force for all later requests; rejects, and changes nothing, when its key set file cannot be read. */
  readonly replace: (policy: AuthPolicy) => Promise<void>;
}

/** Without a policy every request is of the same caller. Rejects when the policy's key set file cannot be read. */
export async function createAuthority(
  policy: AuthPolicy | undefined,
  options: KeySetOptions,
  everyone: Caller = anyone,
): Promise<Authority> {
  let authentication = policy && (await createAuthentication(policy, options));
  let policies = 0;
  return {
    senderOf: (authorization, from) => {
      if (authentication === undefined) return everyone;
      if (authorization !== undefined) return authentication.holderOf(authorization);
      if (authentication.anonymous !== undefined) return authentication.anonymous(from);
      throw new Unauthenticated('this needs a bearer token', 'Bearer');
    },
    visitorOf: (authorization, from) => {
      if (authentication === undefined) return everyone;
      if (authorization !== undefined) return authentication.holderOf(authorization);
      return authentication.anonymous?.(from) ?? stranger;
    },
    policies: () => policies,
    replace: async (next) => {
      authentication = await createAuthentication(next, options, authentication);
      policies += 1;
    },
  };
}
