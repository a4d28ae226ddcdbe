import type { Failure } from '../../../language/failure/failure.ts';
import type { TaskName } from '../../engine/reactions.ts';
import type { ReactionChain } from '../../store/cells.ts';
import type { LogEntry, StoredEvent } from '../../store/entry.ts';

export type CommandLogEntry = LogEntry & { readonly kind: 'command' };

/** Something that a reaction still has to do for an event: all branches that do not wait, or one that does. */
export interface Task {
  /** The key that `keyOf` gives. */
  readonly key: string;
  readonly reaction: string;
  readonly generation: number;
  /** Global position of the event, which is durable: no other event takes it. */
  readonly position: number;
  /** Hash of the event's id, which a mark of the task names. */
  readonly eventHash: number;
  /** Number of the event's entry. */
  readonly entry: number;
  /** Hash of the event's stream. */
  readonly stream: number;
  /** Label of the branch, if it waits or is tried again alone. */
  readonly branch: string | undefined;
  /** When it is due, µs since 1970. Absent: at once. */
  readonly due?: bigint;
  /** True if it waits for at least a second, so that the count of reactions begins again. */
  readonly rests: boolean;
  /** True if it was parked, and an operator lets it be answered again, whatever its time was. */
  readonly isReleased?: true;
  /** Absent for many, whose events are read from the log when their turn comes. */
  readonly source?: EventSource | undefined;
}

export interface DueTask extends Task {
  readonly due: bigint;
}

/** An event with the facts of its entry. */
export interface EventSource {
  readonly event: StoredEvent;
  /** µs since 1970, as text. */
  readonly at: string;
  readonly correlationId?: string;
  /** Number of reactions that led to it. */
  readonly depth: number;
  /** Absent where none led to it. */
  readonly chain?: ReactionChain;
}

export function sourceOf(event: StoredEvent, { at, correlationId, cells }: CommandLogEntry): EventSource {
  return {
    event,
    at,
    ...(correlationId === undefined ? {} : { correlationId }),
    depth: cells?.depth ?? 0,
    ...(cells?.chain === undefined ? {} : { chain: cells.chain }),
  };
}

/** A task that failed and is not tried again by itself. */
export interface Parked {
  /** Without its event. */
  readonly task: Task;
  /** Code and sentence of the failure. */
  readonly error: string;
  /** µs since 1970, as text. */
  readonly at: string;
}

export function keyOf(reaction: string, position: number, branch: string | undefined): string {
  return `${position} ${branch ?? ''} ${reaction}`;
}

/** The text that `failure` of a parked task's entry keeps. */
export function failureText({ code, message }: Failure): string {
  return `${code} ${message}`.slice(0, 64 * 1024);
}

const allBranches = '*';

export function taskName({ position, branch = allBranches }: Pick<Task, 'position' | 'branch'>): TaskName {
  return { position, branch };
}

/** The branch of a task that is named so. */
export function branchNamed(branch: string): string | undefined {
  return branch === allBranches ? undefined : branch;
}
