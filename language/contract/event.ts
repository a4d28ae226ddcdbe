import type { Docs } from './docs.ts';
import type { Type } from '../values/type.ts';

export interface EventField {
  readonly name: string;
  readonly type: Type;
  readonly sensitive: boolean;
  readonly volatile: boolean;
  readonly tag: boolean;
}

/** A generated event module: `E` is its payload type, a field of each declared name, NULL where unassigned. */
export interface EventDefinition<E> {
  readonly name: string;
  readonly docs?: Docs;
  readonly version: number;
  readonly fields: readonly EventField[];
  /** The payload as it is stored: one JSON object text in the payload forms of `values/type.ts`, NULL and VOLATILE fields left out. */
  readonly encode: (payload: E) => string;
  /** Definitions that read events of other shapes as this one (docs/language.md#evolution); absent without any. */
  readonly upcasts?: readonly UpcastDefinition<E>[];
}

/** A shape of stored events that reads as another event: fields with names and types. */
export interface StoredShape {
  /** The type under which the events were stored. */
  readonly event: string;
  /** The versions of that type with these fields, in the log that this was compiled for; none for a build without a log. */
  readonly versions: readonly number[];
  readonly fields: readonly {
    readonly name: string;
    readonly type: Type;
    /** Stored as SENSITIVE: no message quotes its values. */
    readonly sensitive?: true;
  }[];
}

export interface UpcastDefinition<E> extends StoredShape {
  /** `stored` has a property for each field of the shape, NULL where the event has none. Throws a `Failure` for a value that does not fit. */
  readonly apply: (stored: never, event: StoredEventFacts) => E;
}

/** Facts that an UPCAST clause may read of an event in addition to its fields. */
export interface StoredEventFacts {
  readonly event_id: string;
  readonly stream_id: string;
  readonly seq: bigint;
  /** Microseconds since 1970. */
  readonly occurred_at: bigint;
}

/** These facts with their types, as the binder and the printers need them. */
export const storedEventFacts = [
  { name: 'stream_id', type: { kind: 'STRING' } },
  { name: 'seq', type: { kind: 'BIGINT' } },
  { name: 'occurred_at', type: { kind: 'TIMESTAMP' } },
  { name: 'event_id', type: { kind: 'STRING' } },
] as const satisfies readonly { readonly name: keyof StoredEventFacts; readonly type: Type }[];
