import { pauseAfter } from '../retry.ts';
import { orderKeyOf, type Task } from './task.ts';

/** Attempts of a task whose failure may pass by itself, from 1 s to 10 min apart; then its failure parks it. */
const attempts = 10;
const firstPause = 1_000;
const longestPause = 600_000;

interface Retry {
  readonly reaction: string;
  readonly position: number;
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
  /** It is not tried again as long as this process runs. */
  readonly stop: (task: Task) => void;
  readonly forget: (task: Task) => void;
  /** Forgets tasks that are not open any longer: another server or an operator has answered them. */
  readonly prune: (isOpen: (task: Pick<Task, 'reaction' | 'position' | 'branch'>) => boolean) => void;
  /** The time of the next attempt. */
  readonly next: () => number | undefined;
  readonly clear: () => void;
  /** Another number whenever other tasks may wait, except for the passing of time. */
  readonly version: () => number;
}

export function createRetries(monotonic: () => number): Retries {
  const waiting = new Map<string, Retry>();
  let version = 0;
  const isOwn = (retry: Retry, { position, branch }: Task): boolean =>
    retry.position === position && retry.branch === branch;
  const own = (task: Task): Retry | undefined => {
    const retry = waiting.get(orderKeyOf(task));
    return retry !== undefined && isOwn(retry, task) ? retry : undefined;
  };
  const set = ({ position, branch, ...task }: Task, count: number, at: number): void => {
    waiting.set(orderKeyOf({ position, ...task }), { reaction: task.reaction, position, branch, count, at });
    version += 1;
  };
  return {
    holds: (task) => {
      const retry = waiting.get(orderKeyOf(task));
      if (retry === undefined) return false;
      return isOwn(retry, task) ? retry.at > monotonic() : retry.position <= task.position;
    },
    isLast: (task) => (own(task)?.count ?? 0) >= attempts - 1,
    failed: (task) => {
      const count = (own(task)?.count ?? 0) + 1;
      set(task, count, monotonic() + pauseAfter(count, firstPause, longestPause));
    },
    stop: (task) => {
      set(task, 0, Infinity);
    },
    forget: (task) => {
      if (own(task) === undefined) return;
      waiting.delete(orderKeyOf(task));
      version += 1;
    },
    prune: (isOpen) => {
      for (const [key, { reaction, position, branch }] of waiting) {
        if (isOpen({ reaction, position, ...(branch === undefined ? {} : { branch }) })) continue;
        waiting.delete(key);
        version += 1;
      }
    },
    next: () => {
      const times = [...waiting.values()].map(({ at }) => at).filter(Number.isFinite);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    clear: () => {
      waiting.clear();
      version += 1;
    },
    version: () => version,
  };
}
