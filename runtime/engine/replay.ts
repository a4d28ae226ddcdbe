import type { EventField } from '../contract/event.ts';
import type { CommandEntry, StoredEvent } from '../store/entry.ts';
import { fromPayload } from '../values/payload.ts';
import type { Handlers } from './handlers.ts';
import type { EmittedEvent, NamedValue, Outcome, Rejection } from './outcome.ts';

/** The recorded first outcome of a command that carried an id (language.md section 5): VOLATILE fields are NULL in it. */
export function replayed(entry: CommandEntry, handlers: Handlers, head: number): Outcome {
  return {
    outcome: entry.rejection === undefined ? 'emitted' : 'rejected',
    replayed: true,
    streamType: entry.streamType,
    streamId: entry.streamId,
    head,
    events: entry.events.map((event) => storedEvent(event, handlers.event(event.type)?.fields ?? [])),
    ...(entry.rejection === undefined ? {} : { rejection: storedRejection(entry.rejection) }),
  };
}

/** A stored event with its payload as the event's current definition reads it. */
export function storedEvent(event: StoredEvent, fields: readonly EventField[]): EmittedEvent {
  const payload = new Map(Object.entries(JSON.parse(event.data) as Record<string, unknown>));
  return {
    type: event.type,
    streamType: event.streamType,
    streamId: event.streamId,
    seq: event.seq,
    fields: fields.map(({ name, type, sensitive, volatile }) => ({
      name,
      type,
      sensitive,
      value: volatile ? null : fromPayload(payload.get(name) ?? null, type),
    })),
  };
}

interface RecordedRejection {
  readonly decision: string;
  readonly guards: Rejection['guards'];
  readonly state: Readonly<Record<string, unknown>>;
  readonly command: Readonly<Record<string, unknown>>;
}

/** Recorded values are masked and in their JSON form already, so they come back as JSON. */
function storedRejection(text: string): Rejection {
  const recorded = JSON.parse(text) as RecordedRejection;
  const named = (values: Readonly<Record<string, unknown>>): NamedValue[] =>
    Object.entries(values).map(([name, value]) => ({
      name,
      type: { kind: 'JSON' },
      sensitive: false,
      value: value === null ? null : JSON.stringify(value),
    }));
  return {
    decision: recorded.decision,
    guards: recorded.guards,
    state: named(recorded.state),
    command: named(recorded.command),
  };
}
