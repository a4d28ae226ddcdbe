import type { Failure } from '../../../language/failure/failure.ts';
import type { Outcome } from '../outcome.ts';
import type { StoredEvent } from '../../store/entry.ts';

/** Something that a reaction still has to do for an event: all branches that do not wait, or one that does. */
export interface Task {
  readonly reaction: string;
  readonly generation: number;
  /** Global position of the event. */
  readonly position: number;
  /** Number of the event's entry. */
  readonly entry: number;
  readonly streamType: string;
  readonly streamId: string;
  /** Label of the branch, if it waits or is tried again alone. */
  readonly branch?: string;
  /** When it is due, µs since 1970. Absent: at once. */
  readonly due?: bigint;
  /** It waits for at least a second, so that the count of reactions begins again. */
  readonly rests: boolean;
  /** Absent for events of long ago, which are read from the log when their time comes. */
  source?: EventSource;
}

/** An event with the facts of its entry. */
export interface EventSource {
  readonly event: StoredEvent;
  /** µs since 1970, as text. */
  readonly at: string;
  readonly correlationId?: string;
  /** Number of reactions that led to it. */
  readonly depth: number;
}

/** The outcome of one branch, for a script; it has no values. */
export interface Reacted {
  readonly reaction: string;
  readonly branch: string;
  readonly command: string;
  readonly outcome: 'emitted' | 'rejected' | 'parked';
  readonly streamId?: string;
  readonly events: readonly string[];
  readonly error?: string;
  /** The decision, and its branches that emitted, from 1. */
  readonly decided?: Outcome['decided'];
}

/** A task that failed and is not tried again by itself. */
export interface Parked {
  readonly task: Task;
  /** Code and sentence of the failure. */
  readonly error: string;
  /** µs since 1970, as text. */
  readonly at: string;
}

export function keyOf({ reaction, position, branch }: Pick<Task, 'reaction' | 'position' | 'branch'>): string {
  return `${position} ${branch ?? ''} ${reaction}`;
}

/** Tasks of one stream and reaction are done in order. */
export function orderKeyOf({ reaction, streamType, streamId }: Task): string {
  return `${reaction} ${streamType} ${streamId}`;
}

/** As `failure` of a parked task's entry keeps it. */
export function failureText({ code, message }: Failure): string {
  return `${code} ${message}`.slice(0, 64 * 1024);
}
