/**
 * Shows which commands a reaction would execute for given events, with which arguments and when, and executes none: the
 * functions of the generated module run as they do when the reaction answers (docs/language.md#inspections).
 */
import type { DecisionContext } from '../../../language/contract/decision.ts';
import type { ReactionBranchDefinition, ReactionDefinition } from '../../../language/contract/reaction.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import { withinTextBudget } from '../../../language/values/text-budget.ts';
import { requireChecks } from '../../engine/command-checks.ts';
import type { Handlers } from '../../engine/handlers.ts';
import { namedText } from '../../engine/rejection.ts';
import { field, loadState, stateObject, type StateReader } from '../../engine/state.ts';
import { mayPass, sentOf } from './answer.ts';
import { eventInput, type EventFactValues, type FieldValue } from './event-input.ts';
import { failureText } from './task.ts';

type Definition = ReactionDefinition<object, object>;
type BranchDefinition = ReactionBranchDefinition<object, object>;

/** An event as an inspection reads it. */
export interface InspectedSource {
  readonly facts: EventFactValues;
  readonly streamType: string;
  /** Fields of its own type. */
  readonly fields: readonly FieldValue[];
}

/**
 * `execute`: the command would be decided. `guard_failed`: the guard is not TRUE. `fault`: it would be parked.
 * `cancelled`: an event of UNLESS came before the time. `never`: there is no time.
 */
export type Would = 'execute' | 'guard_failed' | 'fault' | 'cancelled' | 'never';

/** The execution that a branch would make for an event. */
export interface InspectedExecution {
  readonly facts: EventFactValues;
  readonly branch: string;
  readonly command: string;
  /** The command's arguments as a JSON object, masked; null where the guard or a failure leaves none. */
  readonly arguments: string | null;
  /** µs since 1970; null: at once. */
  readonly due: bigint | null;
  readonly would: Would;
  readonly error: string | null;
}

/** Time, and the draws of one inspection. */
export type InspectionContext = DecisionContext;

export interface ReactionInspector {
  readonly answers: (source: Pick<InspectedSource, 'facts' | 'streamType'>) => boolean;
  /** When a branch is due after the event; null: never. A failure: it would be parked at once. */
  readonly due: (source: InspectedSource, branch: BranchDefinition) => bigint | null | Failure;
  /** The branches that are decided together, at the time of the context. */
  readonly decide: (
    reader: StateReader,
    source: InspectedSource,
    branches: readonly BranchDefinition[],
    due: bigint | null,
    context: InspectionContext,
  ) => Promise<readonly InspectedExecution[]>;
  /** A row for a branch that is not decided. */
  readonly undecided: (
    source: InspectedSource,
    branch: BranchDefinition,
    what: Pick<InspectedExecution, 'due' | 'would'> & { readonly error?: Failure },
  ) => InspectedExecution;
}

export function createReactionInspector(
  definition: Definition,
  handlers: Handlers,
  draws: Omit<DecisionContext, 'now'>,
): ReactionInspector {
  const undecided: ReactionInspector['undecided'] = ({ facts }, { label: branch, command }, { due, would, error }) => ({
    facts,
    branch,
    command,
    arguments: null,
    due,
    would,
    error: error === undefined ? null : failureText(error),
  });

  /** The arguments as the command reads them; throws what would be the fault of the task. */
  function argumentsText(command: string, sent: JsonObject, context: DecisionContext): string {
    const { command: decoder } = handlers.of(command);
    const decoded = decoder.decode(sent);
    decoder.streamId(decoded);
    requireChecks(decoder, decoded, context);
    return namedText(
      decoder.fields
        .filter(({ name }) => sent.has(name))
        .map(({ name, type, sensitive }) => ({ name, type, sensitive, value: field(decoded, name) })),
    );
  }

  return {
    answers: ({ facts, streamType }) =>
      definition.events.includes(facts.event_type) && (definition.aggregate ?? streamType) === streamType,
    due: ({ facts, fields }, branch) => {
      const now = facts.occurred_at;
      try {
        const moment = branch.due?.(eventInput(definition, facts, fields, null), { ...draws, now }) ?? null;
        return moment === null || moment > now ? moment : now;
      } catch (error) {
        return lasting(error);
      }
    },
    undecided,
    decide: async (reader, source, branches, due, context) => {
      const row = (
        branch: BranchDefinition,
        would: Would,
        more: { readonly error?: Failure; readonly text?: string } = {},
      ): InspectedExecution => ({
        ...undecided(source, branch, { due, would, ...(more.error === undefined ? {} : { error: more.error }) }),
        arguments: more.text ?? null,
      });
      let decided: readonly (JsonObject | null)[];
      try {
        const input = eventInput(definition, source.facts, source.fields, due);
        const state = stateObject(definition.state, await loadState(reader, definition, input, context));
        decided = branches.map((branch) => {
          const values = withinTextBudget(() => branch.execute(input, state, context));
          return values === null ? null : sentOf(values, handlers.of(branch.command).command);
        });
      } catch (error) {
        const failure = lasting(error);
        return branches.map((branch) => row(branch, 'fault', { error: failure }));
      }
      let executes = false;
      let failed: Failure | undefined;
      return branches.map((branch, index) => {
        const sent = decided[index] ?? null;
        if (sent === null) return row(branch, 'guard_failed');
        // The first command that fails parks the task, so that those after it are not executed.
        if (failed !== undefined) return row(branch, 'fault', { error: failed });
        try {
          const text = argumentsText(branch.command, sent, context);
          executes = true;
          return row(branch, 'execute', { text });
        } catch (error) {
          const failure = lasting(error);
          if (!executes) failed = failure;
          return row(branch, 'fault', { error: failure });
        }
      });
    },
  };
}

/** A failure that would park the task; any other ends the inspection. */
function lasting(error: unknown): Failure {
  if (error instanceof Failure && !mayPass(error)) return error;
  throw error;
}
