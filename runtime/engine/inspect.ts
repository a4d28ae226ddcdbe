import type { DecisionContext, Emission } from '../../language/contract/decision.ts';
import { fail } from '../../language/failure/failure.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { requireChecks } from './command-checks.ts';
import type { Handler, Handlers } from './handlers.ts';
import { rejectionOf, rejectionText } from './rejection.ts';
import { evaluate, type StateReader } from './state.ts';

/** One event that a simulated command would emit, or its rejection (`event` undefined). */
export interface InspectedEvent {
  readonly streamType: string;
  readonly streamId: string;
  /** Counts from 1 in each stream of the run; 0 for a rejection. */
  readonly seq: number;
  readonly emission?: Emission;
  readonly rejection?: string;
  /** It could not be decided; `rejection` says why. */
  readonly failed?: true;
}
/** One input row and branch (docs/language.md#inspections). */
export interface InspectedBranch {
  readonly row: number;
  readonly branch: number;
  readonly emitted: boolean;
  /** The branch's first emitted event. */
  readonly eventType: string | null;
  readonly streamId: string;
}

/** The outcome of one page of inputs. */
export interface InspectedPage {
  /** Inputs of this page. */
  readonly rows: number;
  readonly events: readonly InspectedEvent[];
  readonly branches: readonly InspectedBranch[];
  readonly rejected: number;
}

/**
 * Decides every input against the state that `reader` shows, with the same code that executes commands, and appends
 * nothing (docs/language.md#inspections). Pages of inputs become pages of outcomes, so that a run of any length takes
 * the memory of one page, besides a count for each stream.
 */
export async function* inspectDecision(
  reader: StateReader,
  handlers: Handlers,
  command: string,
  inputs: AsyncIterable<readonly JsonObject[]>,
  context: DecisionContext,
): AsyncGenerator<InspectedPage, void, undefined> {
  const handler = handlers.of(command);
  const heads = createHeads();
  let row = 0;
  for await (const page of inputs) {
    const events: InspectedEvent[] = [];
    const branches: InspectedBranch[] = [];
    let rejected = 0;
    for (const input of page) {
      const decodedCommand = handler.command.decode(input);
      const streamId = handler.command.streamId(decodedCommand);
      requireChecks(handler.command, decodedCommand, context);
      const outcome = await evaluate(reader, handler, decodedCommand, context);
      const before = events.length;
      outcome.decided.forEach((emissions, branch) => {
        const eventType = emissions?.[0]?.event ?? null;
        branches.push({ row, branch: branch + 1, emitted: emissions !== null, eventType, streamId });
        for (const emission of emissions ?? []) events.push(placed(handler, emission, streamId, heads));
      });
      if (events.length === before) {
        rejected += 1;
        const rejection = rejectionText(rejectionOf(handler, decodedCommand, outcome.row));
        events.push({ streamType: handler.decision.aggregate, streamId, seq: 0, rejection });
      }
      row += 1;
    }
    yield { rows: page.length, events, branches, rejected };
  }
}

/** The seq of a stream's next simulated event. */
type Heads = (streamType: string, streamId: string) => number;

function createHeads(): Heads {
  const byType = new Map<string, Map<string, number>>();
  return (streamType, streamId) => {
    const streams = byType.get(streamType) ?? new Map<string, number>();
    byType.set(streamType, streams);
    const seq = (streams.get(streamId) ?? 0) + 1;
    streams.set(streamId, seq);
    return seq;
  };
}

function placed(handler: Handler, emission: Emission, own: string, heads: Heads): InspectedEvent {
  const streamId = emission.stream ?? own;
  if (streamId === '')
    throw fail('R0206', {
      decision: handler.decision.name,
      problem: `the id of the stream that takes ${emission.event} is empty`,
    });
  return { streamType: emission.aggregate, streamId, seq: heads(emission.aggregate, streamId), emission };
}
