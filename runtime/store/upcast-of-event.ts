import type { StoredShape } from '../../language/contract/event.ts';
import type { StoredEvent } from './entry.ts';

/** Whether this UPCAST clause reads a stored event: one of its name that was stored under a version whose shape the clause names. */
export function readsEvent(
  { event, versions }: StoredShape,
  { type, version }: Pick<StoredEvent, 'type' | 'version'>,
): boolean {
  return event === type && versions.includes(version);
}
