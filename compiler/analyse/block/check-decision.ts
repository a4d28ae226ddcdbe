import { createHash } from 'node:crypto';
import type { AggregateBlock, CommandBlock, DecisionBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { CreateDecision, Name } from '../../syntax/ast.ts';
import { printExpression, printQuery } from '../../syntax/print.ts';
import type { BlockContext, Environment } from '../environment/environment.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope, type Scope } from '../query/scope.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import { bindState } from './bind-state.ts';
import { bindBranch } from './decision-branch.ts';
import { placeDrawsOfBranches, placeDrawsOfState } from './place-draws.ts';

/**
 * DECISION (docs/language.md#decision): its STATE, and its branches over the fields of the command and the columns of STATE. Undefined if a
 * named block is unknown or has errors; the remaining diagnostics are still reported.
 */
export function checkDecision(tree: CreateDecision, context: BlockContext): DecisionBlock | undefined {
  const { environment, report } = context;
  const aggregate = findNamed('aggregate', tree.aggregate, environment, report);
  const command = findNamed('command', tree.command, environment, report);
  checkOnlyDecision(tree, environment, report);
  const binding = createBinding(environment, report, { command: command ?? 'unknown', callers: 'after columns' });
  const state =
    tree.state === undefined ? undefined : bindState(tree.state, { kind: 'decision', name: tree.name }, binding);
  const scope: Scope = {
    ...emptyScope,
    state: { kind: 'decision', name: tree.name.text, columns: state?.columns ?? [], open: state?.open ?? false },
  };
  const branches = tree.branches.map((branch, index) => {
    const { label } = branch;
    const bound = bindBranch(branch, tree.aggregate, aggregate, { binding, scope });
    const guardText = branch.guard === undefined ? undefined : printExpression(branch.guard);
    return {
      id: branchId({
        decision: tree.name.text,
        index: index + 1,
        label: label?.text,
        guard: guardText,
        events: branch.emits.map((emit) => [
          emit.event.text,
          ...emit.assignments.map((assignment) => assignment.field.text),
        ]),
      }),
      ...(label === undefined ? {} : { label: label.text }),
      ...(guardText === undefined ? {} : { guardText }),
      ...bound,
    };
  });
  if (aggregate === undefined || command === undefined || state?.open === true) return undefined;
  return {
    kind: 'decision',
    name: tree.name.text,
    text: context.text,
    references: context.references(),
    aggregate: aggregate.name,
    command: command.name,
    ...(tree.state === undefined || state === undefined
      ? {}
      : { state: placeDrawsOfState(state.query), stateText: printQuery(tree.state) }),
    ...(state?.defaults === undefined ? {} : { stateDefaults: state.defaults }),
    branches: placeDrawsOfBranches(branches),
  };
}

function findNamed<K extends 'aggregate' | 'command'>(
  kind: K,
  name: Name,
  environment: Environment,
  report: Report,
): Extract<AggregateBlock | CommandBlock, { kind: K }> | undefined {
  const found = environment.find(kind, name.text);
  recordBlockUse(kind, name, found, environment);
  if (found.status === 'found') return found.block; // found by its kind
  if (found.status === 'unknown') reportUnknownBlock(kind, name, environment, report);
  return undefined;
}

/** A command has exactly one decision: the first one created. */
function checkOnlyDecision(tree: CreateDecision, environment: Environment, report: Report): void {
  const [first] = environment.deciders(tree.command.text);
  if (first === undefined || first.toLowerCase() === tree.name.text.toLowerCase()) return;
  const other = environment.tree('decision', first);
  const related = other === undefined ? [] : [{ message: 'first decided here', span: other.name.span }];
  report(diagnose('E0410', tree.command.span, { command: tree.command.text, first }, { related }));
}

/** The properties of a branch that its id is made of (docs/language.md#decision). */
interface BranchIdentity {
  readonly decision: string;
  /** From 1. */
  readonly index: number;
  readonly label: string | undefined;
  readonly guard: string | undefined;
  /** For each event its name and its assigned fields, as written. */
  readonly events: readonly (readonly string[])[];
}

/** `b_` and 16 hex digits: equal for equal branches, different when any part of the branch changes. */
function branchId({ decision, index, label, guard, events }: BranchIdentity): string {
  const text = JSON.stringify([decision, index, label ?? null, guard ?? null, events]);
  return `b_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
