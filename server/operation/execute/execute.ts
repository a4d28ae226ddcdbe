import type { Soon } from '../../../language/failure/soon.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import type { Explain } from '../../../runtime/engine/explain.ts';
import type { ExecuteRequest, Outcome } from '../../../runtime/engine/outcome.ts';
import { shownOutcome, type OutcomeReader, type Shown } from '../shown.ts';

/** Decides a command. Resolves when its outcome is durable, as its sender may see it; rejects with a `Failure`. */
export function execute(engine: Engine, request: ExecuteRequest, reader: OutcomeReader): Promise<Shown<Outcome>> {
  return new Promise((resolve, reject) => {
    engine.executeFor(request, { resolve: (outcome) => resolve(shownOutcome(outcome, reader)), reject });
  });
}

/** Executes a command, and adds the terms of the guards to a rejection, unless it was decided earlier or by another definition. */
export async function executeExplained(
  engine: Engine,
  request: ExecuteRequest,
  reader: OutcomeReader,
  explain: (decision: string) => Soon<Explain | undefined>,
): Promise<Shown<Outcome>> {
  const decided = await engine.execute(request);
  const shown = shownOutcome(decided, reader);
  const { rejection } = shown;
  if (rejection === undefined) return shown;
  return shownOutcome(decided, reader, await explain(rejection.decision));
}
