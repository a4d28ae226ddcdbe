/** The reactions of an engine, as it declares them: `runtime/delivery` answers them (docs/http.md#reactions). */
import type { LogEntry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { DecideEnvironment, DecidingState } from './decide.ts';
import type { Executor } from './executor.ts';
import type { Handlers } from './handlers.ts';
import type { Outcome } from './outcome.ts';

/**
 * `timers`: they answer by themselves. `asked`: only while a caller waits for `settled`. `never`: they answer nothing, and what is to do is found out
 * when an operator asks for it.
 */
export type ReactorRuns = 'timers' | 'asked' | 'never';

/** The parts of an engine that answering needs. */
export interface ReactorParts {
  readonly store: Store;
  readonly executor: Pick<Executor, 'runOwn'>;
  readonly deciding: () => DecidingState;
  readonly environment: Pick<DecideEnvironment, 'random' | 'uuid'>;
  /** µs since 1970; a task is due by this clock, whatever the time of the last entry is. */
  readonly clock: () => bigint;
  /** Milliseconds on a clock that never decreases. */
  readonly monotonic: () => number;
}

/** The reactions of an engine; none answers unless the engine was created so. */
export interface EngineReactions extends Operation {
  readonly runs: ReactorRuns;
  /** Resolves when nothing is left to do at the present time; gives what was done since the last call. */
  readonly settled: () => Promise<readonly Reacted[]>;
  /** When the next command is due, µs since 1970. Known after `settled`. */
  readonly nextDue: () => bigint | undefined;
}

/** The reactions with the members that the engine calls. */
export interface Reactor extends EngineReactions {
  /** Another domain is in force, or the first one. */
  readonly adopt: (handlers: Handlers) => void;
  readonly durable: (entries: readonly LogEntry[]) => void;
  readonly close: () => Promise<void>;
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

export interface TaskName {
  /** Global position of the event. */
  readonly position: number;
  /** Label; `*` for all branches without a time, which are answered together. */
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

/** The view of operators on reactions, and their acts. */
export interface Operation {
  readonly standing: (name: string) => Promise<ReactionStanding>;
  /** Numbers of the tasks that wait for their time, by the label of their branch; undefined while they are not known. */
  readonly waitingByBranch: (name: string) => ReadonlyMap<string, number> | undefined;
  /** Tasks that wait for their time, those due first come first; `after` this one if given. */
  readonly waiting: (name: string, limit: number, after?: WaitingTask) => Promise<readonly WaitingTask[]>;
  /** In the order in which they were parked. */
  readonly parked: (name: string, limit: number) => Promise<readonly ParkedTask[]>;
  /** Answers a parked task again. Throws the `Failure` of one that may pass; it is tried again by itself then. */
  readonly retry: (name: string, task: TaskName) => Promise<readonly Reacted[]>;
  /** Drops a parked task for good. */
  readonly discardParked: (name: string, task: TaskName, subject: string | null) => Promise<readonly Reacted[]>;
  /** Answers a task that waits now, before its time. Throws as `retry` does. */
  readonly runNow: (name: string, task: TaskName) => Promise<readonly Reacted[]>;
  /** Drops a task that waits. */
  readonly discardWaiting: (name: string, task: TaskName, subject: string | null) => Promise<readonly Reacted[]>;
  /** Pauses a reaction: it answers nothing until it is started, on all servers. `subject` is the operator, if it has a name. */
  readonly pause: (name: string, subject: string | null) => Promise<void>;
  /** Starts a reaction again; events up to `position`, if given, are not answered, nor tasks that wait because of them. */
  readonly start: (name: string, position: number | undefined, subject: string | null) => Promise<void>;
  /** Totals of all reactions, for metrics. */
  readonly totals: () => ReactionTotals;
}

export interface ReactionTotals {
  readonly waiting: number;
  readonly parked: number;
  readonly ready: number;
  readonly stopped: number;
  /** Since the start of this process, by outcome. */
  readonly reacted: Readonly<Record<Reacted['outcome'], number>>;
  /** Delay with which tasks with a time began since then, in seconds: the sum, and their number. */
  readonly lateness: { readonly seconds: number; readonly count: number };
}
