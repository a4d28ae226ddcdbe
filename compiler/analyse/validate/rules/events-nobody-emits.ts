import { finding, type Rule } from '../finding.ts';

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
