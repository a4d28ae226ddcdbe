import { finding, type Rule } from '../finding.ts';

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
