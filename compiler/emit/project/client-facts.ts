import type { ClientBlocks } from '../../../templates/client-blocks.ts';
import { docsPart } from '../../../language/catalog/documented.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';

/**
 * The parts of blocks that a client shows: it shows no guards, texts or queries, so that most changes leave it
 * unchanged.
 */
export function clientFacts({ blocks }: Catalog): ClientBlocks {
  return {
    aggregates: blocks.aggregate.map((block) => ({
      name: block.name,
      ...docsPart(block),
      events: block.events,
      columns: block.state.columns,
    })),
    commands: blocks.command.map((block) => ({ name: block.name, ...docsPart(block), fields: block.fields })),
    decisions: blocks.decision.map(({ name, aggregate, command, state, branches }) => ({
      name,
      aggregate,
      command,
      columns: state?.columns ?? [],
      events: [...new Set(branches.flatMap(({ emits }) => emits.map(({ event }) => event)))].sort(),
    })),
    events: blocks.event.map((block) => ({ name: block.name, ...docsPart(block), fields: block.fields })),
    projections: blocks.projection.map((block) => ({
      name: block.name,
      ...docsPart(block),
      columns: block.query.columns,
    })),
    subscriptions: blocks.subscription.flatMap((block) =>
      block.delivery === undefined ? [{ name: block.name, ...docsPart(block), columns: block.columns }] : [],
    ),
  };
}
