import { writtenText, type EmittedModule } from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';

/**
 * Finds the running domain's definition for a module that was emitted again: it exists if the block and all sources of the module have the
 * same text as the domain's, and the stored events have added nothing to it since.
 */
export function runningDefinitions(domain: Domain): (module: EmittedModule) => unknown {
  const texts = new Map(domain.blocks.map(({ kind, name, text }) => [`${kind} ${name}`, text]));
  const events = new Map(domain.events.map((event) => [event.name, event]));
  const aggregates = new Map(domain.aggregates.map((aggregate) => [aggregate.name, aggregate]));
  const definitions = {
    aggregate: aggregates,
    command: new Map(domain.commands.map((command) => [command.name, command])),
    event: events,
    decision: new Map(domain.decisions.map((decision) => [decision.name, decision])),
    projection: new Map(domain.projections.map((projection) => [projection.name, projection])),
    subscription: new Map(domain.subscriptions.map((subscription) => [subscription.name, subscription])),
    reaction: new Map(domain.reactions.map((reaction) => [reaction.name, reaction])),
  };
  const isSame = (block: EmittedModule['sources'][number]): boolean => {
    if (texts.get(`${block.kind} ${block.name}`) !== writtenText(block)) return false;
    if (block.kind === 'event') {
      const event = events.get(block.name);
      return event?.version === block.version && versionsRead(event) === versionsRead(block);
    }
    if (block.kind !== 'aggregate') return true;
    return aggregates.get(block.name)?.events.join() === block.events.join();
  };
  return ({ kind, name, sources }) => (sources.every(isSame) ? definitions[kind].get(name) : undefined);
}

/** The stored versions that the clauses of an event read: a build without a log knows none of them. */
function versionsRead({
  upcasts = [],
}: {
  readonly upcasts?: readonly { readonly versions: readonly number[] }[];
}): string {
  return upcasts.map(({ versions }) => versions.join()).join(';');
}
