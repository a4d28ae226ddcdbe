import type { StoredEvent } from './entry.ts';

/** An event that cannot be read whole, and its stream, whose commands are refused. */
export interface UnreadableEvent {
  readonly streamType: string;
  /** Absent: any stream of the type, since there are more such events than are kept. */
  readonly streamId?: string;
  /** Absent if none of its fields can be read. */
  readonly field?: string;
  readonly text: string;
}

/** Names an event, or a field of it, that cannot be read, for the operator: without the value, which may be SENSITIVE. */
export function unreadableText({ position, type, streamType, streamId, seq }: StoredEvent, field?: string): string {
  const what = field === undefined ? 'its fields are' : `'${field}' is`;
  return `event ${position} (${type}, ${streamType} ${streamId}, seq ${seq}): ${what} stored as no value of the type, and read as NULL`;
}

/** The first event of a stream that cannot be read whole. */
export function unreadableIn(
  events: readonly UnreadableEvent[],
  streamType: string,
  streamId: string,
): string | undefined {
  return events.find((event) => event.streamType === streamType && (event.streamId ?? streamId) === streamId)?.text;
}
