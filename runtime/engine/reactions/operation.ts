/** What operators see of reactions and may do about them (docs/http.md#reactions). */
import type { Reacted, Task } from './task.ts';

/** The branch of a task that answers all branches without a time. */
export const allBranches = '*';

export interface TaskName {
  /** Global position of the event. */
  readonly position: number;
  /** Label, or `allBranches`. */
  readonly branch: string;
}

export interface ReactionStanding {
  readonly name: string;
  /** Why it answers nothing; absent while it answers events. */
  readonly stopped?: string;
  /** Every event up to this position was examined. */
  readonly examined: number;
  /** Tasks that can be answered now, and the age of the event of the first in seconds. */
  readonly ready: number;
  readonly lagSeconds: number;
  /** Tasks that wait for their time. */
  readonly waiting: number;
  /** µs since 1970. */
  readonly nextDue?: bigint;
  readonly parked: number;
  readonly lastError?: string;
}

/** A task with its event. */
export interface ShownTask extends TaskName {
  readonly eventId: string;
  readonly eventType: string;
  readonly streamType: string;
  readonly streamId: string;
}

export interface WaitingTask extends ShownTask {
  /** µs since 1970. */
  readonly due: bigint;
  readonly command: string;
  /** A JSON object; masked, and null for those that do not depend on the event alone. Null if they cannot be computed. */
  readonly arguments: string | null;
}

export interface ParkedTask extends ShownTask {
  readonly error: string;
  /** µs since 1970. */
  readonly at: bigint;
}

/** `missing`: there is no such task. `off`: this server lets no reaction answer. Else what was done. */
export type Acted = 'missing' | 'off' | readonly Reacted[];

export interface Operation {
  readonly standing: (name: string) => Promise<ReactionStanding>;
  /** Numbers of the tasks that wait for their time, by the label of their branch; undefined while they are not known. */
  readonly waitingByBranch: (name: string) => ReadonlyMap<string, number> | undefined;
  /** Tasks that wait for their time, those due first come first; `after` this one if given. */
  readonly waiting: (name: string, limit: number, after?: WaitingTask) => Promise<readonly WaitingTask[]>;
  /** In the order in which they were parked. */
  readonly parked: (name: string, limit: number) => Promise<readonly ParkedTask[]>;
  /** Answers a parked task again. Throws the `Failure` of one that may pass; it is tried again by itself then. */
  readonly retry: (name: string, task: TaskName) => Promise<Acted>;
  /** Drops a parked task for good. */
  readonly discardParked: (name: string, task: TaskName, subject: string) => Promise<Acted>;
  /** Answers a task that waits now, before its time. Throws as `retry` does. */
  readonly runNow: (name: string, task: TaskName) => Promise<Acted>;
  /** Drops a task that waits. */
  readonly discardWaiting: (name: string, task: TaskName, subject: string) => Promise<Acted>;
  /** It answers nothing until it is started, on all servers. */
  readonly pause: (name: string, subject: string) => Promise<void>;
  /** It goes on; events up to `position`, if given, are not answered, nor what waits because of them. */
  readonly start: (name: string, position: number | undefined, subject: string) => Promise<void>;
  /** Of all reactions, for metrics. */
  readonly totals: () => ReactionTotals;
}

export interface ReactionTotals {
  readonly waiting: number;
  readonly parked: number;
  readonly ready: number;
  readonly stopped: number;
  /** Since the start of this process, by outcome. */
  readonly reacted: Readonly<Record<Reacted['outcome'], number>>;
  /** How late tasks with a time began since then, in seconds: the sum, and their number. */
  readonly lateness: { readonly seconds: number; readonly count: number };
}

export function taskName({ position, branch = allBranches }: Pick<Task, 'position' | 'branch'>): TaskName {
  return { position, branch };
}

/** The branch of a task that is named so. */
export function branchNamed(branch: string): string | undefined {
  return branch === allBranches ? undefined : branch;
}
