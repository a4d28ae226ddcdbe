import type { Retries } from './retries.ts';
import type { Task } from './task.ts';

/**
 * Remembers how many tasks at the beginning of a reaction's queue wait for another attempt of their stream, so that a long
 * queue behind one failing stream is not looked through each time something is appended.
 */
export interface HeldBeginning {
  /** Tasks of events up to this position need not be looked at; 0 if they do. */
  readonly through: (reaction: string) => number;
  /** The next task of the queue waits. */
  readonly extend: (task: Pick<Task, 'reaction' | 'position'>) => void;
  /** Other reactions are in force. */
  readonly forget: () => void;
}

export function createHeldBeginning(
  retries: Pick<Retries, 'version' | 'next'>,
  monotonic: () => number,
): HeldBeginning {
  const positions = new Map<string, number>();
  let version = -1;
  let until = 0;
  const settle = (): void => {
    if (version === retries.version() && monotonic() < until) return;
    positions.clear();
    version = retries.version();
    until = retries.next() ?? Infinity;
  };
  return {
    through: (reaction) => {
      settle();
      return positions.get(reaction) ?? 0;
    },
    extend: ({ reaction, position }) => {
      settle();
      positions.set(reaction, position);
    },
    forget: () => positions.clear(),
  };
}
