import type { StoredHistory } from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { EventKind } from '../../../runtime/store/store.ts';

/**
 * What the stored history adds to the definitions of a domain, as that has it already: which events are in which aggregate, though no
 * decision may put them there any more. For compiling again what was accepted.
 */
export function landedHistory({ aggregates }: Pick<Domain, 'aggregates'>): StoredHistory {
  const landed = aggregates.flatMap(({ name, events }) => events.map((event) => ({ aggregate: name, event })));
  return { landed, fields: [], versions: [], counts: [] };
}

/** Whether an aggregate of the domain has stored events of a type that the domain has too, and does not expect in it. */
export function hasMoreLanded({ aggregates, events }: Domain, stored: readonly EventKind[]): boolean {
  return stored.some(({ aggregate, event }) => {
    const found = aggregates.find(({ name }) => name.toLowerCase() === aggregate.toLowerCase());
    return found !== undefined && !found.events.includes(event) && events.some(({ name }) => name === event);
  });
}
