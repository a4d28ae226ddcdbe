import type { StoredEvent } from './entry.ts';

/** Names an event, or a field of it, that cannot be read, for the operator: without the value, which may be SENSITIVE. */
export function unreadableText({ position, type, streamType, streamId, seq }: StoredEvent, field?: string): string {
  const what = field === undefined ? 'its fields are' : `'${field}' is`;
  return `event ${position} (${type}, ${streamType} ${streamId}, seq ${seq}): ${what} stored as no value of the type, and read as NULL`;
}
