import type { DecisionContext, Emission } from '../contract/decision.ts';
import { fail } from '../failure/failure.ts';
import type { JsonObject } from '../values/json.ts';
import type { Handler, Handlers } from './handlers.ts';
import { rejectionOf, rejectionText } from './rejection.ts';
import { evaluate, type StateReader } from './state.ts';

/** One event that a simulated command would emit, or its rejection (`event` undefined). */
export interface InspectedEvent {
  readonly streamType: string;
  readonly streamId: string;
  /** Counts from 1 per stream inside the run; 0 for a rejection. */
  readonly seq: number;
  readonly emission?: Emission;
  readonly rejection?: string;
}
/** One input row and branch (language.md section 8). */
export interface InspectedBranch {
  readonly row: number;
  readonly branch: number;
  readonly emitted: boolean;
  /** The branch's first emitted event. */
  readonly eventType: string | null;
  readonly streamId: string;
}

export interface Inspection {
  readonly events: readonly InspectedEvent[];
  readonly branches: readonly InspectedBranch[];
  readonly rejected: number;
}

/**
 * Decides every input against the state that `reader` shows, by the very code that executes commands, and appends nothing
 * (language.md section 8). `progress` is told the rows done.
 */
export async function inspectDecision(
  reader: StateReader,
  handlers: Handlers,
  command: string,
  inputs: readonly JsonObject[],
  context: DecisionContext,
  progress: (done: number) => void = () => undefined,
): Promise<Inspection> {
  const handler = handlers.of(command);
  const heads = new Map<string, number>();
  const events: InspectedEvent[] = [];
  const branches: InspectedBranch[] = [];
  let rejected = 0;
  for (const [row, input] of inputs.entries()) {
    const decodedCommand = handler.command.decode(input);
    const streamId = handler.command.streamId(decodedCommand);
    const outcome = await evaluate(reader, handler, decodedCommand, context);
    const before = events.length;
    outcome.decided.forEach((emissions, branch) => {
      branches.push({
        row,
        branch: branch + 1,
        emitted: emissions !== null,
        eventType: emissions?.[0]?.event ?? null,
        streamId,
      });
      for (const emission of emissions ?? []) events.push(placed(handler, emission, streamId, heads));
    });
    if (events.length === before) {
      rejected += 1;
      const rejection = rejectionText(rejectionOf(handler, decodedCommand, outcome.row));
      events.push({ streamType: handler.decision.aggregate, streamId, seq: 0, rejection });
    }
    progress(row + 1);
  }
  return { events, branches, rejected };
}

function placed(handler: Handler, emission: Emission, own: string, heads: Map<string, number>): InspectedEvent {
  const streamId = emission.stream ?? own;
  if (streamId === '')
    throw fail('R0206', {
      decision: handler.decision.name,
      problem: `the id of the stream that takes ${emission.event} is empty`,
    });
  const key = `${emission.aggregate}\n${streamId}`;
  const seq = (heads.get(key) ?? 0) + 1;
  heads.set(key, seq);
  return { streamType: emission.aggregate, streamId, seq, emission };
}
