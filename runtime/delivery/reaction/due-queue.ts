import type { Task } from './task.ts';

type Due = Pick<Task, 'due' | 'position' | 'reaction' | 'branch'>;

/** Tasks that wait, the first one due first; of those due together, by position and branch. A binary heap. */
export interface DueQueue<T extends Due> {
  readonly add: (task: T) => void;
  readonly first: () => T | undefined;
  readonly take: () => T | undefined;
  readonly size: () => number;
}

export function createDueQueue<T extends Due>(): DueQueue<T> {
  const heap: T[] = [];
  const at = (index: number): T => heap[index] as T; // callers stay inside the heap
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [at(b), at(a)];
  };
  return {
    add: (task) => {
      heap.push(task);
      for (let index = heap.length - 1; index > 0;) {
        const parent = (index - 1) >> 1;
        if (!isBefore(at(index), at(parent))) break;
        swap(index, parent);
        index = parent;
      }
    },
    first: () => heap[0],
    size: () => heap.length,
    take: () => {
      const [first] = heap;
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      for (let index = 0; ;) {
        let least = index;
        for (const child of [2 * index + 1, 2 * index + 2])
          if (child < heap.length && isBefore(at(child), at(least))) least = child;
        if (least === index) return first;
        swap(index, least);
        index = least;
      }
    },
  };
}

export function isBefore(a: Due, b: Due): boolean {
  const [dueA, dueB] = [a.due ?? 0n, b.due ?? 0n];
  if (dueA !== dueB) return dueA < dueB;
  if (a.position !== b.position) return a.position < b.position;
  if (a.reaction !== b.reaction) return a.reaction < b.reaction;
  return (a.branch ?? '') < (b.branch ?? '');
}
