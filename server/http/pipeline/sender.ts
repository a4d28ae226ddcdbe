import { Failure } from '../../../language/failure/failure.ts';
import type { ExecuteRequest } from '../../../runtime/engine/outcome.ts';
import { identityOf } from '../../operation/caller.ts';
import type { OutcomeSeen, Shown } from '../../operation/shown.ts';
import type { Call } from '../route.ts';

/** The caller of a command, if callers are distinguished here. */
export function senderOf({ caller }: Pick<Call, 'caller'>): Pick<ExecuteRequest, 'caller'> {
  const identity = identityOf(caller);
  return identity === undefined ? {} : { caller: identity };
}

/** Counts a command that its ALLOW refused, and lets the audit log find it. */
export function noteRefusal({ log, metrics }: Pick<Call, 'log' | 'metrics'>, command: string, error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'R0116') return;
  metrics.notAllowed(command);
  log({ denied: `ALLOW of ${command}` });
}

/** Whether a command was refused because its stream is at another position than it expected. */
export function isOfPosition(error: unknown): error is Failure {
  return error instanceof Failure && error.kind === 'expected-seq';
}

/** The refusal for a caller who does not see the stream: the same for an absent one. */
export function withoutPosition({ code }: Pick<Failure, 'code'>, stream: string): Failure {
  return new Failure(code, `stream '${stream}' is not at the expected position`);
}

/**
 * Refuses a rejection at the position that its sender expected of a stream that he does not see, as if it were at another one: otherwise a sender
 * could find the position of a stream by trying. A rejection has no effect. `head`: absent where the stream is not seen.
 */
export function refuseGuessed(expected: number | undefined, { outcome, head, streamId }: Shown<OutcomeSeen>): void {
  if (outcome === 'rejected' && head === undefined && expected !== undefined && expected > 0)
    throw withoutPosition({ code: 'R0105' }, streamId);
}
