import { pauseAfter } from '../retry.ts';
import type { Task } from './task.ts';

/** Attempts of a task whose failure may pass by itself, from 1 s to 10 min apart; then its failure parks it. */
const attempts = 10;
const firstPause = 1_000;
const longestPause = 600_000;

interface Retry extends Pick<Task, 'reaction' | 'position'> {
  readonly branch: string | undefined;
  readonly count: number;
  /** When it is tried again, on the clock that never decreases. */
  readonly at: number;
}

export interface Retries {
  /** Whether a task must wait: for its own next attempt, or for that of an earlier task of its stream. */
  readonly holds: (task: Task) => boolean;
  readonly isLast: (task: Task) => boolean;
  readonly failed: (task: Task) => void;
  /** Stops trying the task as long as this process runs. */
  readonly stop: (task: Task) => void;
  readonly forget: (task: Task) => void;
  /** Forgets tasks that are not open any longer: another server or an operator has answered them. */
  readonly prune: (isOpen: (task: Pick<Task, 'reaction' | 'position' | 'branch'>) => boolean) => void;
  /** The time of the next attempt. */
  readonly next: () => number | undefined;
  readonly clear: () => void;
  /**
   * Every task of the reaction's queue up to this position waits, so that a long queue behind one failing stream is not looked through each time
   * something is appended; 0 if that is not known.
   */
  readonly heldThrough: (reaction: string) => number;
  /** The next task at the beginning of the queue waits, too. */
  readonly extendHeld: (task: Pick<Task, 'reaction' | 'position'>) => void;
}

export function createRetries(monotonic: () => number): Retries {
  const waiting = new Map<string, Retry>();
  const held = new Map<string, number>();
  let heldUntil = 0;
  const isOwn = (retry: Retry, { position, branch }: Task): boolean =>
    retry.position === position && retry.branch === branch;
  const own = (task: Task): Retry | undefined => {
    const retry = waiting.get(orderKeyOf(task));
    return retry !== undefined && isOwn(retry, task) ? retry : undefined;
  };
  const set = (task: Task, count: number, at: number): void => {
    const { reaction, position, branch } = task;
    waiting.set(orderKeyOf(task), { reaction, position, branch, count, at });
    held.clear();
  };
  const drop = (key: string): void => {
    waiting.delete(key);
    held.clear();
  };
  const next = (): number | undefined => {
    const times = [...waiting.values()].map(({ at }) => at).filter(Number.isFinite);
    return times.length === 0 ? undefined : Math.min(...times);
  };
  /** The held part changes by itself with the next attempt. */
  const tidyHeld = (): void => {
    if (monotonic() >= heldUntil) held.clear();
  };
  return {
    holds: (task) => {
      if (waiting.size === 0) return false;
      const retry = waiting.get(orderKeyOf(task));
      if (retry === undefined) return false;
      return isOwn(retry, task) ? retry.at > monotonic() : retry.position <= task.position;
    },
    isLast: (task) => (own(task)?.count ?? 0) >= attempts - 1,
    failed: (task) => {
      const count = (own(task)?.count ?? 0) + 1;
      set(task, count, monotonic() + pauseAfter(count, firstPause, longestPause));
    },
    stop: (task) => set(task, 0, Infinity),
    forget: (task) => {
      if (own(task) !== undefined) drop(orderKeyOf(task));
    },
    prune: (isOpen) => {
      for (const [key, { reaction, position, branch }] of waiting)
        if (!isOpen({ reaction, position, branch })) drop(key);
    },
    next,
    clear: () => {
      waiting.clear();
      held.clear();
    },
    heldThrough: (reaction) => {
      tidyHeld();
      return held.get(reaction) ?? 0;
    },
    extendHeld: ({ reaction, position }) => {
      tidyHeld();
      if (held.size === 0) heldUntil = next() ?? Infinity;
      held.set(reaction, position);
    },
  };
}

/** Tasks of one stream and reaction are done in order. */
function orderKeyOf({ reaction, stream }: Task): string {
  return `${stream} ${reaction}`;
}
