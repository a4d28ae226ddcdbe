import type { Decided, DecisionContext, Emission } from '../../language/contract/decision.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { requireChecks } from './command-checks.ts';
import type { Explain } from './explain.ts';
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

/** With an explanation each rejection has the terms of its guards. */
export interface InspectContext extends DecisionContext {
  readonly explain?: Explain;
}

const asItIs: Explain = (rejection) => rejection;

/** An input that could not be read or decided: the failure, with the number of the input from 0. */
export class InputFailure extends Failure {
  readonly index: number;
  constructor({ code, message, field, faults }: Failure, index: number) {
    super(code, message, field, faults);
    this.index = index;
  }
}

/** What one input would come to. */
interface DecidedInput {
  readonly streamId: string;
  readonly decided: Decided;
  readonly rejection?: string;
}

/**
 * Decides every input against the state that `reader` shows, with the same code that executes commands, and appends
 * nothing (docs/language.md#inspections). Pages of inputs become pages of outcomes, so that a run of any length takes
 * the memory of one page, besides a count for each stream. Throws an `InputFailure`.
 */
export async function* inspectDecision(
  reader: StateReader,
  handlers: Handlers,
  command: string,
  inputs: AsyncIterable<readonly JsonObject[]>,
  context: InspectContext,
): AsyncGenerator<InspectedPage, void, undefined> {
  const handler = handlers.of(command);
  const place = createPlacing(handler);
  let index = 0;
  for await (const page of inputs) {
    const outcomes: DecidedInput[] = [];
    for (const input of page) outcomes.push(await decideInput(reader, handler, input, context, index++));
    yield place(outcomes);
  }
}

/** Runs a slice of an inspection in a turn among commands. */
export type InTurn = <T>(work: (reader: StateReader, handlers: Handlers) => Promise<T>) => Promise<T>;

/** Milliseconds after which a slice leaves the turn to commands. */
const sliceMilliseconds = 1;

/** The same for a few inputs, in slices among commands: each is decided on the state of its own turn. A page is what one slice decided. */
export async function* inspectInSlices(
  inTurn: InTurn,
  monotonic: () => number,
  command: string,
  inputs: readonly JsonObject[],
  context: InspectContext,
): AsyncGenerator<InspectedPage, void, undefined> {
  let place: ReturnType<typeof createPlacing> | undefined;
  for (let begun = 0; begun < inputs.length;) {
    const { handler, outcomes } = await inTurn(async (reader, handlers) => {
      const handler = handlers.of(command);
      const outcomes: DecidedInput[] = [];
      const end = monotonic() + sliceMilliseconds;
      for (const [at, input] of inputs.slice(begun).entries()) {
        if (at > 0 && monotonic() > end) break;
        outcomes.push(await decideInput(reader, handler, input, context, begun + at));
      }
      return { handler, outcomes };
    });
    place ??= createPlacing(handler);
    begun += outcomes.length;
    yield place(outcomes);
  }
}

async function decideInput(
  reader: StateReader,
  handler: Handler,
  input: JsonObject,
  context: InspectContext,
  index: number,
): Promise<DecidedInput> {
  try {
    const command = handler.command.decode(input);
    const streamId = handler.command.streamId(command);
    requireChecks(handler.command, command, context);
    const { row, decided } = await evaluate(reader, handler, command, context);
    if (decided.some((emissions) => emissions !== null && emissions.length > 0)) return { streamId, decided };
    const { explain = asItIs } = context;
    return { streamId, decided, rejection: rejectionText(explain(rejectionOf(handler, command, row, context.now))) };
  } catch (error) {
    throw error instanceof Failure ? new InputFailure(error, index) : error;
  }
}

/** Makes pages of outcomes, whose events count their seq from 1 in each stream of the run. */
function createPlacing(handler: Handler): (outcomes: readonly DecidedInput[]) => InspectedPage {
  const heads = createHeads();
  let row = 0;
  return (outcomes) => {
    const events: InspectedEvent[] = [];
    const branches: InspectedBranch[] = [];
    let rejected = 0;
    for (const { streamId, decided, rejection } of outcomes) {
      decided.forEach((emissions, branch) => {
        const eventType = emissions?.[0]?.event ?? null;
        branches.push({ row, branch: branch + 1, emitted: emissions !== null, eventType, streamId });
        for (const emission of emissions ?? []) events.push(placed(handler, emission, streamId, heads));
      });
      if (rejection !== undefined) {
        rejected += 1;
        events.push({ streamType: handler.decision.aggregate, streamId, seq: 0, rejection });
      }
      row += 1;
    }
    return { rows: outcomes.length, events, branches, rejected };
  };
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
