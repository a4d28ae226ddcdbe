import type { StoredHistory } from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { EventKind } from '../../../runtime/store/store.ts';

/**
 * The stored history as a domain already includes it: the aggregate of each stored event, even if no decision emits it there now. For
 * compiling accepted blocks again.
 */
export function landedHistory({ aggregates }: Pick<Domain, 'aggregates'>): StoredHistory {
  const landed = aggregates.flatMap(({ name, events }) => events.map((event) => ({ aggregate: name, event })));
  return { landed, definitions: [], versions: [], enums: [] };
}

/** Whether an aggregate has stored events of a type that the domain has, but not for this aggregate. */
export function hasMoreLanded({ aggregates, events }: Domain, stored: readonly EventKind[]): boolean {
  return stored.some(({ aggregate, event }) => {
    const found = aggregates.find(({ name }) => name.toLowerCase() === aggregate.toLowerCase());
    return found !== undefined && !found.events.includes(event) && events.some(({ name }) => name === event);
  });
}

/** Whether stored events may have shapes that the domain's UPCAST clauses read: only a compilation with the log knows their versions. */
export function readsShapes({ events }: Domain, stored: readonly EventKind[]): boolean {
  const types = new Set(stored.map(({ event }) => event));
  return events.some(({ upcasts = [] }) => upcasts.some(({ event }) => types.has(event)));
}
