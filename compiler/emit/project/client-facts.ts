import type { ClientBlocks } from '../../../templates/client.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';

/**
 * The parts of blocks that a client shows: it shows no guards, texts or queries, so that most changes leave it
 * unchanged.
 */
export function clientFacts({ blocks }: Catalog): ClientBlocks {
  return {
    aggregates: blocks.aggregate.map(({ name, events, state }) => ({ name, events, columns: state.columns })),
    commands: blocks.command.map(({ name, fields }) => ({ name, fields })),
    decisions: blocks.decision.map(({ name, aggregate, command, state, branches }) => ({
      name,
      aggregate,
      command,
      columns: state?.columns ?? [],
      events: [...new Set(branches.flatMap(({ emits }) => emits.map(({ event }) => event)))].sort(),
    })),
    events: blocks.event.map(({ name, fields }) => ({ name, fields })),
    projections: blocks.projection.map(({ name, query }) => ({ name, columns: query.columns })),
  };
}
