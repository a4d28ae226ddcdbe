import type { ReactionTotals } from './operation.ts';
import type { Reacted, Task } from './task.ts';

/** Counts what reactions did since the process began. */
export interface Counts {
  /** `begun`: when it was tried, µs since 1970. */
  readonly add: (task: Pick<Task, 'due'>, done: readonly Pick<Reacted, 'outcome'>[], begun: bigint) => void;
  readonly now: () => Pick<ReactionTotals, 'reacted' | 'lateness'>;
}

export function createCounts(): Counts {
  const reacted = { emitted: 0, rejected: 0, parked: 0 };
  let seconds = 0;
  let count = 0;
  return {
    add: ({ due }, done, begun) => {
      for (const { outcome } of done) reacted[outcome] += 1;
      // An operator may have it executed before its time.
      if (due === undefined || begun < due) return;
      count += 1;
      seconds += Number(begun - due) / 1e6;
    },
    now: () => ({ reacted: { ...reacted }, lateness: { seconds, count } }),
  };
}
