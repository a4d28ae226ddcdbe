import { finding, type Rule } from '../finding.ts';

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
