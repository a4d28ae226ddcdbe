import { Failure } from '../../language/failure/failure.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { createEventIds } from '../../language/values/uuid.ts';
import type { Turn } from '../store/store.ts';
import { decideOne, type DecideEnvironment, type DecidingState, type DecidingTurn } from './decide.ts';
import type { Handlers } from './handlers.ts';
import type { HotFolds } from './hot-folds.ts';
import type { ExecuteRequest, Outcome } from './outcome.ts';

/** Inputs of deciding in addition to the command: the reads at the end of a history, the definitions, and time and chance. */
export interface Ground {
  readonly turn: DecidingTurn;
  readonly state: DecidingState;
  readonly environment: DecideEnvironment;
}

/** The end of a history, as a turn and its folds show it. */
export interface HistoryEnd {
  readonly turn: Pick<Turn, 'shared' | 'lastEntry' | 'head' | 'query' | 'unreadable' | 'nextPosition'>;
  readonly folds: HotFolds;
}

export type DryFacts = Pick<DecideEnvironment, 'secret' | 'limits' | 'randomBytes' | 'instant' | 'seeding'>;

/**
 * The ground of a command that is decided without effect: by the code that executes commands, with each of its checks. Its turn keeps nothing, so
 * that each command meets the same history, and neither ids, draws, folds nor records of the store notice it.
 */
export function dryTurn({ turn, folds }: HistoryEnd, handlers: Handlers, facts: DryFacts): Ground {
  const { head, query, unreadable, lastEntry, nextPosition } = turn;
  const { recording } = handlers.rules;
  // No command is recorded, so no cell is made, and no rejection is appended.
  const rules = { ...handlers.rules, recording: { ...recording, commands: 'keyed' as const } };
  return {
    turn: {
      ...(turn.shared === true && { shared: true }),
      head,
      query,
      unreadable,
      lastEntry,
      nextPosition,
      recorded: () => undefined,
      append: () => undefined,
    },
    // The states that are read stay those before the command.
    state: { handlers: { ...handlers, rules }, folds: { ...folds, evolve: () => undefined, clear: () => undefined } },
    environment: {
      ...facts,
      random: notSeeded,
      uuid: notSeeded,
      recordingBound: { mayKeep: () => false, counted: () => 0 },
      eventId: createEventIds(facts.randomBytes, undefined),
    },
  };
}

function notSeeded(): never {
  throw new Error('each draw of a dry turn is made from a seed');
}

/** The command that inputs are of, and its caller. */
export type AskedCommand = Pick<ExecuteRequest, 'command' | 'caller'>;

/** The result that a command would have. */
export interface DecidedCommand {
  /** Its instant, µs since 1970. */
  readonly at: bigint;
  readonly outcome: Outcome;
}

/** An input that could not be read or decided: the failure, with the number of the input from 0. */
export class InputFailure extends Failure {
  readonly index: number;
  constructor({ code, message, field, faults }: Failure, index: number) {
    super(code, message, field, faults);
    this.index = index;
  }
}

/**
 * Decides commands in order on the same ground (docs/language.md#inspections), the first one in any case and the others until it is over.
 * `begun`: the number that were decided before. Throws an `InputFailure`.
 */
export async function decideInputs(
  { turn, state, environment }: Ground,
  asked: AskedCommand,
  inputs: readonly JsonObject[],
  begun: number,
  isOver: () => boolean = () => false,
): Promise<readonly DecidedCommand[]> {
  const decided: DecidedCommand[] = [];
  try {
    for (const input of inputs) {
      if (decided.length > 0 && isOver()) break;
      const outcome = decideOne(turn, state, { ...asked, arguments: input }, environment, 0n);
      decided.push({
        at: environment.instant(0n),
        outcome: outcome instanceof Promise ? await outcome : outcome,
      });
    }
  } catch (error) {
    throw error instanceof Failure ? new InputFailure(error, begun + decided.length) : error;
  }
  return decided;
}
