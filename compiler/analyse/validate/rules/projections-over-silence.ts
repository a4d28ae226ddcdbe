import { finding, type Rule } from '../finding.ts';

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
