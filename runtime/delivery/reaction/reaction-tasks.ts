/**
 * The open tasks of one reaction: tasks that can be answered at once in the order of events, tasks that wait in the order of their due
 * times. All that wait are rows of a table of numbers; the nearest are tasks in a heap as well.
 */
import { createDueQueue, isBefore } from './due-queue.ts';
import { keyOf, type Task } from './task.ts';
import { createWaitingTable, type WaitingRow } from './waiting-table.ts';

/** Tasks that wait, in the heap: a multiple of what is answered together. */
export const mostNear = 10_000;
/** Number of places of the queue that may belong to tasks that are done, in addition to those of open tasks. */
const leastQueue = 1_024;
/** Maximum number of tasks that keep their event in memory. */
const mostSources = 2_000;

export interface ReactionTasks {
  /** Adds a task of the next event of the log, or one that is released. */
  readonly add: (task: Task) => void;
  /** Removes a task. Whether it was open. */
  readonly close: (task: Task) => boolean;
  readonly isOpen: (task: Task) => boolean;
  /** The open task at this event: of the branch, or of all that do not wait. */
  readonly find: (position: number, branch: string | undefined) => Task | undefined;
  /** Tasks that do not wait, in order of events, after a position if given; those that were released come first, all of them. */
  readonly ready: (after?: number) => IterableIterator<Task>;
  /** Ready tasks that were not released. */
  readonly unexamined: () => IterableIterator<Task>;
  readonly readyCount: () => number;
  /** The open task that waits and is due first. */
  readonly firstDue: () => Task | undefined;
  /** Removes that one from the order of due times; it stays open. */
  readonly takeDue: () => void;
  /** Puts a task that was taken back into that order. */
  readonly putBack: (task: Task) => void;
  /** Waiting tasks that are due first, in that order; `after` a task if given. */
  readonly waiting: (most: number, after?: Pick<Task, 'due' | 'position' | 'branch'>) => readonly Task[];
  readonly waitingCount: () => number;
  /** Number of waiting tasks for each label that has some. */
  readonly waitingByBranch: () => ReadonlyMap<string, number>;
  /** Waiting tasks that an event of this stream can cancel. */
  readonly ofStream: (stream: string) => readonly Task[];
  /** Waiting tasks of events up to a position. */
  readonly waitingUpTo: (position: number) => readonly Task[];
}

export interface ReactionTasksOf {
  readonly reaction: string;
  readonly generation: number;
  /** Labels of the branches that wait, ascending; the tasks of an event are added in this order. */
  readonly labels: readonly string[];
  /** Two random numbers of 32 bits, if events can cancel tasks. */
  readonly seeds: readonly [number, number] | undefined;
  readonly near?: number | undefined;
}

export function createReactionTasks({
  reaction,
  generation,
  labels,
  seeds,
  near: most = mostNear,
}: ReactionTasksOf): ReactionTasks {
  /** By position: no such task has a branch. Their order is in `queue`, since a Map is slow to begin once much was removed. */
  const ready = new Map<number, Task>();
  let queue: Task[] = [];
  let head = 0;
  const released = new Map<string, Task>();
  const table = createWaitingTable(seeds);
  let near = createDueQueue<Task>();
  let sources = 0;
  /** Every open row up to this one is in the heap or was taken from it; absent if that is true of all. */
  let horizon: Task | undefined;

  const numberOf = (branch: string | undefined): number => labels.indexOf(branch ?? '');
  const waits = (task: Task): task is Task & { readonly due: bigint } =>
    task.due !== undefined && task.isReleased !== true;
  const rowOf = ({
    position,
    eventHash,
    entry,
    branch,
    due,
    rests,
  }: Task & { readonly due: bigint }): Omit<WaitingRow, 'hash'> => ({
    position,
    eventHash,
    entry,
    branch: numberOf(branch),
    due,
    rests,
  });
  const taskOf = ({ position, eventHash, entry, branch, due, rests }: WaitingRow): Task => ({
    reaction,
    generation,
    position,
    eventHash,
    entry,
    branch: labels[branch] ?? '',
    due,
    rests,
  });
  const asRow = ({
    position,
    branch,
    due = 0n,
  }: Pick<Task, 'due' | 'position' | 'branch'>): Pick<WaitingRow, 'due' | 'position' | 'branch'> => ({
    position,
    branch: numberOf(branch),
    due,
  });

  function addNear(task: Task): void {
    if (horizon !== undefined && isBefore(horizon, task)) return;
    if (task.source !== undefined && sources < mostSources) {
      sources += 1;
      near.add(task);
    } else {
      const { source: _, ...light } = task;
      near.add(light);
    }
    if (near.size() > 2 * most) keepNearest();
  }

  function takeNear(): Task | undefined {
    const task = near.take();
    if (task?.source !== undefined) sources = Math.max(0, sources - 1);
    return task;
  }

  /** Half of the heap goes back to being rows only. */
  function keepNearest(): void {
    const kept: Task[] = [];
    for (let task = takeNear(); task !== undefined && kept.length < most; task = takeNear())
      if (isOpen(task)) kept.push(task);
    if (kept.length === most) horizon = kept[most - 1];
    near = createDueQueue();
    sources = 0;
    for (const task of kept) {
      if (task.source !== undefined) sources += 1;
      near.add(task);
    }
  }

  function refill(): void {
    const rows = table.nearest(most, horizon === undefined ? undefined : asRow(horizon));
    horizon = undefined;
    for (const row of rows) near.add(taskOf(row));
    if (rows.length === most) horizon = taskOf(rows[most - 1] as WaitingRow); // there are as many
  }

  const isOpen = (task: Task): boolean => {
    if (task.isReleased === true) return released.has(keyOf(task));
    return waits(task) ? table.find(task.position, numberOf(task.branch)) !== undefined : ready.has(task.position);
  };

  const isQueued = (task: Task): boolean => ready.get(task.position) === task;

  /** The first place of the queue whose event comes after the position. */
  function placeAfter(position: number): number {
    let [low, high] = [head, queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((queue[middle]?.position ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function* unexamined(after = 0): IterableIterator<Task> {
    for (; head < queue.length && !isQueued(queue[head] as Task); head += 1); // inside the queue
    if (queue.length - head > 2 * ready.size + leastQueue || head > queue.length / 2 + leastQueue) {
      queue = queue.slice(head).filter(isQueued);
      head = 0;
    }
    const present = queue;
    for (let at = after === 0 ? head : placeAfter(after); at < present.length; at += 1) {
      const task = present[at] as Task; // inside the queue
      if (isQueued(task)) yield task;
    }
  }

  const firstDue = (): Task | undefined => {
    for (;;) {
      for (let task = near.first(); task !== undefined; task = near.first()) {
        if (isOpen(task)) return task;
        takeNear();
      }
      if (horizon === undefined) return undefined;
      refill();
    }
  };

  return {
    add: (task) => {
      if (waits(task)) {
        table.add(rowOf(task), task.stream ?? '');
        addNear(task);
      } else if (task.isReleased === true) released.set(keyOf(task), task);
      else {
        ready.set(task.position, task);
        queue.push(task);
      }
    },
    close: (task) => {
      if (waits(task)) return table.close(task.position, numberOf(task.branch));
      return task.isReleased === true ? released.delete(keyOf(task)) : ready.delete(task.position);
    },
    isOpen,
    find: (position, branch) => {
      const key = keyOf({ reaction, position, ...(branch === undefined ? {} : { branch }) });
      const row = branch === undefined ? undefined : table.find(position, numberOf(branch));
      const task = branch === undefined ? ready.get(position) : undefined;
      return released.get(key) ?? task ?? (row === undefined ? undefined : taskOf(row));
    },
    *ready(after) {
      yield* released.values();
      yield* unexamined(after);
    },
    unexamined: () => unexamined(),
    readyCount: () => released.size + ready.size,
    firstDue,
    takeDue: () => {
      if (firstDue() !== undefined) takeNear();
    },
    putBack: (task) => {
      if (waits(task) && isOpen(task)) addNear(task);
    },
    waiting: (count, after) => table.nearest(count, after === undefined ? undefined : asRow(after)).map(taskOf),
    waitingCount: () => table.count(),
    waitingByBranch: () => new Map([...table.countByBranch()].map(([branch, count]) => [labels[branch] ?? '', count])),
    ofStream: (stream) => table.ofStream(stream).map(taskOf),
    waitingUpTo: (position) => table.upTo(position).map(taskOf),
  };
}
