/** Blocks that nothing decides, emits, writes or reaches. */
import { finding, type Rule } from '../finding.ts';

/** Commands without a decision cannot be executed. */
export const commandsWithoutDecision: Rule = ({ blocks }) => {
  const decided = new Set(blocks.decision.map((decision) => decision.command));
  return blocks.command
    .filter((command) => !decided.has(command.name))
    .map(({ name }) => finding('E1001', `command ${name}`, { command: name }));
};

/** Events that no branch emits can never happen. */
export const eventsNobodyEmits: Rule = ({ blocks }) => {
  const emitted = new Set(
    blocks.decision.flatMap((decision) =>
      decision.branches.flatMap((branch) => branch.emits.map((emit) => emit.event)),
    ),
  );
  return blocks.event
    .filter((event) => !emitted.has(event.name))
    .map(({ name }) => finding('E1002', `event ${name}`, { event: name }));
};

/** Aggregates without a decision that belongs to them or emits into them. */
export const aggregatesWithoutDecisions: Rule = ({ blocks }) => {
  const written = new Set(
    blocks.decision.flatMap((decision) => [
      decision.aggregate,
      ...decision.branches.flatMap((branch) => branch.emits.map((emit) => emit.aggregate)),
    ]),
  );
  return blocks.aggregate
    .filter((aggregate) => !written.has(aggregate.name))
    .map(({ name }) => finding('E1003', `aggregate ${name}`, { aggregate: name }));
};

/** Projections over aggregates that no event can reach. */
export const projectionsOverSilence: Rule = ({ blocks }) => {
  const silent = new Set(blocks.aggregate.filter((aggregate) => aggregate.events.length === 0).map(({ name }) => name));
  return blocks.projection.flatMap((projection) =>
    projection.aggregates
      .filter((aggregate) => silent.has(aggregate))
      .map((aggregate) =>
        finding('E1004', `projection ${projection.name}`, { projection: projection.name, aggregate }),
      ),
  );
};

/** Reactions on events that no decision emits never answer anything; those that begin in the past may answer much at once. */
export const reactionsOverSilence: Rule = ({ blocks }) =>
  blocks.reaction.flatMap(({ name, events, aggregate, start, branches }) => {
    const silent = events.filter(
      (event) => !blocks.aggregate.some((one) => one.events.includes(event) && (aggregate ?? one.name) === one.name),
    );
    // A guard is evaluated at the due time, so it can leave out what is long over.
    const waits = branches.find(({ dueText, guard }) => dueText !== undefined && guard === undefined);
    return [
      ...silent.map((event) => finding('E1023', `reaction ${name}`, { reaction: name, event })),
      ...(start.at === 'start' && waits?.dueText !== undefined
        ? [finding('E1024', `reaction ${name}`, { reaction: name, due: waits.dueText })]
        : []),
    ];
  });
