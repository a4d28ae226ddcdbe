import { bindCaller, type SetCaller } from '../../../compiler/index.ts';
import type { StatementContext } from '../context.ts';
import { withBound } from '../evaluate.ts';
import type { StatementResult } from '../outcome.ts';
import { bindScope } from '../scope.ts';

/** SET CALLER and RESET CALLER: who is asking in every later statement of the session (docs/callers.md#the-caller). */
export async function runSetCaller(
  context: StatementContext,
  { caller: written }: SetCaller,
): Promise<StatementResult> {
  const { own, setCaller } = context;
  if (written === undefined) {
    setCaller(undefined);
    return { kind: 'caller' };
  }
  return withBound(context, bindCaller(own.registry(), written, bindScope(context)), (caller) => {
    setCaller(caller);
    return Promise.resolve({ kind: 'caller', subject: caller.subject });
  });
}
