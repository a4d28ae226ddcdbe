import type { ExecuteRequest } from '../../../runtime/engine/outcome.ts';
import { identityOf } from '../../operation/caller.ts';
import type { Call } from '../route.ts';

/** The caller of a command, if callers are told apart here. */
export function senderOf({ caller }: Pick<Call, 'caller'>): Pick<ExecuteRequest, 'caller'> {
  const identity = identityOf(caller);
  return identity === undefined ? {} : { caller: identity };
}
