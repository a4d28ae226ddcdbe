import type { EventBlock, ReactionBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { CreateReaction, Name } from '../../syntax/ast.ts';
import { printQuery } from '../../syntax/print.ts';
import type { BlockContext, Environment } from '../environment/environment.ts';
import { checkDuplicates } from '../name/name-rules.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope, type Scope } from '../query/scope.ts';
import { startOf } from '../subscription/check-subscription.ts';
import { bindState } from './bind-state.ts';
import { bindExecution } from './reaction-branch.ts';
import { eventFacts } from '../../../language/contract/reaction.ts';
import { commonType } from '../../functions/typing.ts';
import type { EventInputs } from '../query/binding.ts';

/**
 * REACTION (docs/language.md#reaction): its STATE, and its branches over the fields of the event and the columns of STATE. Undefined if a
 * named block is unknown or has errors; the remaining diagnostics are still reported.
 */
export function checkReaction(tree: CreateReaction, context: BlockContext): ReactionBlock | undefined {
  const { environment, report } = context;
  const { text: name } = tree.name;
  checkDuplicates(tree.events, `reaction '${name}'`, report);
  const found = tree.events.map((event) => findEvent(event, context));
  const events = found.flatMap((event) => event ?? []);
  const aggregate = tree.aggregate === undefined ? undefined : findAggregate(tree.aggregate, context);
  if (aggregate !== undefined)
    tree.events.forEach((event, index) => {
      checkLanding(event, found[index], aggregate, context);
    });
  const shared = inputsOf(events);
  const inputs = {
    word: tree.events.length === 1 ? `event '${tree.events[0]?.text ?? ''}'` : 'the common part of the events',
    events: events.map((event) => event.name),
    inputs: shared,
    open: events.length < tree.events.length,
  };
  const binding = createBinding(environment, report, { event: { ...inputs, inputs: [...shared, ...dueFact(shared)] } });
  const state =
    tree.state === undefined ? undefined : bindState(tree.state, { kind: 'reaction', name: tree.name }, binding);
  const scope: Scope = {
    ...emptyScope,
    state: { kind: 'reaction', name, columns: state?.columns ?? [], open: state?.open ?? false },
  };
  checkDuplicates(labelsOf(tree), `reaction '${name}'`, report);
  const branches = tree.executions.map((execution, index) =>
    bindExecution(execution, index, inputs, { binding, scope }),
  );
  const bound = branches.flatMap((branch) => branch ?? []);
  if (inputs.open || state?.open === true || bound.length < branches.length) return undefined;
  if (tree.aggregate !== undefined && aggregate === undefined) return undefined;
  return {
    kind: 'reaction',
    name,
    text: context.text,
    references: context.references(),
    start: tree.from === undefined ? { at: 'now' } : startOf(tree.from, report),
    events: [...new Set(inputs.events)],
    ...(aggregate === undefined ? {} : { aggregate }),
    inputs: (binding.event?.inputs ?? []).map(({ isField: _, ...column }) => column),
    ...(tree.state === undefined || state === undefined
      ? {}
      : { state: state.query, stateText: printQuery(tree.state) }),
    ...(state?.defaults === undefined ? {} : { stateDefaults: state.defaults }),
    branches: bound,
  };
}

/** A label that is not written is the number of the branch, and takes part only if another branch is called so. */
function labelsOf({ executions }: CreateReaction): readonly Name[] {
  return executions.map(({ label, command }, index) => label ?? { ...command, text: String(index + 1) });
}

function findEvent(name: Name, { environment, report }: BlockContext): EventBlock | undefined {
  const found = environment.find('event', name.text);
  recordBlockUse('event', name, found, environment);
  if (found.status === 'unknown') reportUnknownBlock('event', name, environment, report);
  return found.status === 'found' ? found.block : undefined;
}

function findAggregate(name: Name, { environment, report }: BlockContext): string | undefined {
  const found = environment.find('aggregate', name.text);
  recordBlockUse('aggregate', name, found, environment);
  if (found.status === 'unknown') reportUnknownBlock('aggregate', name, environment, report);
  return found.status === 'found' ? found.block.name : undefined;
}

/** OF an aggregate in whose streams the event never occurs. */
function checkLanding(
  name: Name,
  event: EventBlock | undefined,
  aggregate: string,
  { environment, report }: BlockContext,
): void {
  if (event === undefined || !environment.landingsKnown() || landsIn(event.name, aggregate, environment)) return;
  const lands = environment.names('aggregate').filter((other) => landsIn(event.name, other, environment));
  report(diagnose('E0450', name.span, { event: event.name, aggregate, lands }));
}

function landsIn(event: string, aggregate: string, environment: Environment): boolean {
  return environment.landings(aggregate).some((name) => name.toLowerCase() === event.toLowerCase());
}

/** Values that `:name` can have in a reaction: the fields of its events, and the facts of an event (docs/language.md#reaction). */
type Inputs = EventInputs['inputs'];

/** The fields that all events have and store, then the facts that no field hides. */
function inputsOf(events: readonly EventBlock[]): Inputs {
  const [first, ...others] = events;
  const fields = (first?.fields ?? []).flatMap((field): Inputs => {
    const same = others.map((event) =>
      event.fields.find(({ name }) => name.toLowerCase() === field.name.toLowerCase()),
    );
    const all = [field, ...same.flatMap((one) => one ?? [])];
    const type = commonType(all.map((one) => one.type));
    if (all.length < events.length || type === undefined || all.some(({ volatile }) => volatile)) return [];
    const sensitive = all.some((one) => one.sensitive);
    return [{ name: field.name, type, nullable: true, sensitive, isField: true }];
  });
  return [...fields, ...freeFacts(fields, (name) => name !== 'due')];
}

/** `:due`, which AFTER and AT cannot read, unless a field is called so. */
function dueFact(inputs: Inputs): Inputs {
  return freeFacts(inputs, (name) => name === 'due');
}

function freeFacts(fields: Inputs, wanted: (name: string) => boolean): Inputs {
  const taken = new Set(fields.map(({ name }) => name.toLowerCase()));
  return eventFacts
    .filter(({ name }) => wanted(name) && !taken.has(name))
    .map((fact) => ({ ...fact, sensitive: false, isField: false }));
}
