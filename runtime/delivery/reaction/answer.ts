/**
 * Answers one task of a reaction inside a turn: reads the state, evaluates guards and arguments, decides the commands and appends their
 * outcomes with the mark that the reaction has answered the event. All that a turn appends is durable together or not at all, and the turn
 * checks that the task is still open: so every effect happens once, on several servers as on one.
 */
import type { DecisionContext } from '../../../language/contract/decision.ts';
import type { ReactionBranchDefinition, ReactionDefinition } from '../../../language/contract/reaction.ts';
import { fail, Failure } from '../../../language/failure/failure.ts';
import { andThen, type Soon } from '../../../language/failure/soon.ts';
import { toJsonValue } from '../../../language/values/json-value.ts';
import type { JsonObject, JsonValue } from '../../../language/values/json.ts';
import { withinTextBudget } from '../../../language/values/text-budget.ts';
import type { CommandCells, ReactionChain, ReactionMark } from '../../store/cells.ts';
import type { CommandEntry } from '../../store/entry.ts';
import type { Turn } from '../../store/store.ts';
import { reactionSubject } from '../../engine/command-caller.ts';
import { decideOne, type DecideEnvironment, type DecidingState } from '../../engine/decide.ts';
import type { CommandOrigin, Outcome } from '../../engine/outcome.ts';
import type { Reacted } from '../../engine/reactions.ts';
import { field, loadState, stateObject } from '../../engine/state.ts';
import { chainOf } from './chains.ts';
import { storedEventInput } from './event-input.ts';
import type { ReactionTasks } from './reaction-tasks.ts';
import { failureText, type EventSource, type Task } from './task.ts';

type Definition = ReactionDefinition<object, object>;
type BranchDefinition = ReactionBranchDefinition<object, object>;

/** Past this many reactions after one another, without a rest of a second between them, an event is not answered. */
export const mostReactionsInARow = 50;

export interface AnswerInputs {
  readonly tasks: ReactionTasks;
  readonly deciding: () => DecidingState;
  readonly environment: DecideEnvironment;
  /** The time of the last entry, or of the last command of this turn. */
  readonly last: bigint;
  /** True if it was tried often enough: any failure parks it. */
  readonly lastTry: boolean;
  /** Commands that count, together with the next one of a chain. */
  readonly count: (chain: ReactionChain) => number;
}

interface Ready {
  readonly branch: BranchDefinition;
  readonly sent: JsonObject;
}

/**
 * Gives the outcomes of the commands of an open task; none if no guard was TRUE. Throws a `Failure` that may pass by
 * itself, before anything is appended.
 */
export async function answerTask(
  turn: Turn,
  task: Task,
  source: EventSource,
  inputs: AnswerInputs,
): Promise<readonly Reacted[]> {
  const { tasks, environment, last } = inputs;
  const { definition } = tasks;
  const now = environment.instant(last);
  const mark = markOf(task, tasks);
  const chain = chainOf(task, source);
  const park = (branch: string | undefined, error: Failure): Reacted => {
    const parked = branch === undefined ? mark : { ...mark, branch };
    const ends = error.code === 'R0605' ? { chain } : {};
    turn.append(markEntry(parked, source, { failure: failureText(error), ...ends }), now);
    const first = definition.branches.find(({ label }) => label === branch) ?? definition.branches[0];
    return {
      reaction: definition.name,
      branch: branch ?? first?.label ?? '',
      command: first?.command ?? '',
      outcome: 'parked',
      events: [],
      error: failureText(error),
    };
  };
  let ready: readonly Ready[];
  try {
    if (!task.rests && source.depth >= mostReactionsInARow)
      throw fail('R0601', { reaction: definition.name, most: mostReactionsInARow });
    const most = environment.limits.commandsPerEvent;
    if (inputs.count(chain) >= most) throw fail('R0605', { reaction: definition.name, most, root: chain.root });
    ready = await readyBranches(turn, task, source, inputs, now);
  } catch (error) {
    if (!(error instanceof Failure) || (mayPass(error) && !inputs.lastTry)) throw error;
    return [park(task.branch, error)];
  }
  if (ready.length === 0) {
    // A branch that waits is asked once, at its time; what was parked is so no longer.
    if (task.branch !== undefined || task.isReleased === true) turn.append(markEntry(mark, source, {}), now);
    return [];
  }
  const reacted: Reacted[] = [];
  for (const { branch, sent } of ready) {
    try {
      const outcome = await decideOne(
        turn,
        inputs.deciding(),
        requestOf(definition, branch, sent, task, source, { reaction: mark, chain }),
        environment,
        now,
      );
      reacted.push(reactedOf(definition, branch, outcome));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (reacted.length === 0 && mayPass(error) && !inputs.lastTry) throw error;
      // The effects of the branches before it stay.
      reacted.push(park(reacted.length === 0 ? task.branch : branch.label, error));
      if (reacted.length === 1) return reacted;
    }
  }
  return reacted;
}

function markOf(task: Task, tasks: ReactionTasks): ReactionMark {
  const { reaction: name, generation, position, branch } = task;
  const low = tasks.low(task);
  return {
    name,
    generation,
    position,
    ...(branch === undefined ? {} : { branch }),
    ...(low > 0 ? { low } : {}),
  };
}

/** Guards first, all on one state; then the arguments of those that are TRUE. */
function readyBranches(
  turn: Turn,
  task: Task,
  source: EventSource,
  { tasks: { definition }, deciding, environment }: AnswerInputs,
  now: bigint,
): Soon<readonly Ready[]> {
  const { handlers, folds } = deciding();
  const input = storedEventInput(definition, source, handlers.reader(source.event.type), task.due ?? null);
  const context: DecisionContext = { now, random: environment.random, uuid: environment.uuid };
  const branches = definition.branches.filter(({ label, due }) =>
    task.branch === undefined ? due === undefined : label === task.branch,
  );
  // A due time that could not be computed fails here, and is parked.
  for (const { due } of branches) due?.(input, { ...context, now: BigInt(source.at) });
  return andThen(loadState({ turn, folds }, definition, input, context), (row) => {
    const state = stateObject(definition.state, row);
    return branches.flatMap((branch): Ready[] => {
      const values = withinTextBudget(() => branch.execute(input, state, context));
      return values === null ? [] : [{ branch, sent: sentOf(values, handlers.of(branch.command).command) }];
    });
  });
}

/** The arguments as a caller would send them, so that the command checks them as it checks those. */
export function sentOf(
  values: object,
  {
    fields,
  }: { readonly fields: readonly { readonly name: string; readonly type: Parameters<typeof toJsonValue>[1] }[] },
): JsonObject {
  const given = fields.filter(({ name }) => Object.hasOwn(values, name));
  return new Map(given.map(({ name, type }): [string, JsonValue] => [name, toJsonValue(field(values, name), type)]));
}

function requestOf(
  { name }: Definition,
  { label, command }: BranchDefinition,
  sent: JsonObject,
  task: Task,
  { event, correlationId, depth }: EventSource,
  origin: CommandOrigin,
): Parameters<typeof decideOne>[2] {
  return {
    command,
    arguments: sent,
    commandId: `$r/${name}/${task.generation}/${label}/${event.id}`,
    ...(correlationId === undefined ? {} : { correlationId }),
    causationId: event.id,
    origin: { ...origin, ...(task.rests ? {} : { depth: depth + 1 }) },
  };
}

function reactedOf({ name }: Definition, { label, command }: BranchDefinition, outcome: Outcome): Reacted {
  return {
    reaction: name,
    branch: label,
    command,
    outcome: outcome.outcome,
    streamId: outcome.streamId,
    events: outcome.events.map(({ type }) => type),
    ...(outcome.decided === undefined ? {} : { decided: outcome.decided }),
  };
}

/** An entry that has a mark and no command's outcome. */
export function markEntry(
  mark: ReactionMark,
  source: EventSource | undefined,
  cells: Pick<CommandCells, 'failure' | 'chain'>,
): CommandEntry {
  return {
    kind: 'command',
    command: '',
    streamType: '',
    streamId: '',
    events: [],
    ...(source === undefined ? {} : { causationId: source.event.id }),
    cells: { ...cells, subject: reactionSubject(mark.name), reaction: mark },
  };
}

/** Whether a failure of storage, budgets or time may pass; any other depends on the data alone, and would occur again. */
export function mayPass({ kind, code }: Failure): boolean {
  return kind === 'store' || kind === 'busy' || kind === 'budget' || code === 'R0207';
}

/** The log, which comes back or not: no task has failed. */
export function isAway(error: unknown): boolean {
  return error instanceof Failure && (error.kind === 'store' || error.code === 'R0413');
}
