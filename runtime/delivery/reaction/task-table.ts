/**
 * Tasks of a reaction: a row of numbers for each, in columns in the order of events, so that a million of them take some tens of megabytes.
 * A row says in which entry of the log its event is.
 */
import { createHeap } from './heap.ts';
import type { EventSource } from './task.ts';

export interface TaskRow {
  /** Global position of the event. */
  readonly position: number;
  /** 32 bits of the hash of the event's id. */
  readonly eventHash: number;
  /** Number of the event's entry. */
  readonly entry: number;
  /** Number of the branch; 0 for all that do not wait. */
  readonly branch: number;
  /** µs since 1970; 0 for those that do not wait. */
  readonly due: bigint;
  readonly rests: boolean;
  /** Hash of the event's stream. */
  readonly stream: number;
  readonly source?: EventSource | undefined;
}

export interface TaskTable {
  /** Rows come in the order of events, and of branches. Ends the iterations that were begun before. */
  readonly add: (row: TaskRow) => void;
  /** Gives the row if it is open. */
  readonly find: (position: number, branch: number) => TaskRow | undefined;
  /** Whether it was open. */
  readonly close: (position: number, branch: number) => boolean;
  /** Number of open rows. */
  readonly count: () => number;
  /** Number of open rows of each branch. */
  readonly countByBranch: () => ReadonlyMap<number, number>;
  /** Open rows of events after a position, in order. */
  readonly after: (position: number) => IterableIterator<TaskRow>;
  /** Open rows of events of a stream. */
  readonly ofStream: (stream: number) => readonly TaskRow[];
  /** The open row that is due first and was not taken. */
  readonly first: () => TaskRow | undefined;
  /** Takes that one out of the order of due times; it stays open. */
  readonly take: () => void;
  /** Puts an open row back that was taken. */
  readonly putBack: (position: number, branch: number) => void;
  /** The open rows that are due first, in that order: `most` of those after `after`. */
  readonly nearest: (most: number, after?: Pick<TaskRow, 'due' | 'position' | 'branch'>) => readonly TaskRow[];
}

const isOpen = 1;
const hasRest = 2;
/** In the order of due times. */
const isQueued = 4;
const leastCapacity = 64;
/** Number of closed rows that are kept at least, before the table is written again without them. */
const leastClosed = 1_024;

function columnsOf(size: number) {
  return {
    position: new Float64Array(size),
    eventHash: new Uint32Array(size),
    entry: new Float64Array(size),
    branch: new Uint16Array(size),
    flags: new Uint8Array(size),
    due: new BigInt64Array(size),
    stream: new Float64Array(size),
    /** The row before with the same place among `heads`, -1 for none. */
    next: new Int32Array(size),
  };
}

/** `room` is the number of events that may still be kept in memory, of several tables together. */
export function createTaskTable(room: { sources: number }): TaskTable {
  let columns = columnsOf(leastCapacity);
  let length = 0;
  let opened = 0;
  /** Every row before this one is closed. */
  let firstOpen = 0;
  /** The last row of each place, which the hash of a stream gives. */
  let heads = new Int32Array(leastCapacity).fill(-1);
  let queue = createHeap<number>(isEarlier);
  /** Events by row. */
  let sources = new Map<number, EventSource>();

  // Rows are below `length`. A function for each column: one for all would be slow, since the columns have several types.
  const positionOf = (row: number): number => columns.position[row] as number;
  const branchOf = (row: number): number => columns.branch[row] as number;
  const flagsOf = (row: number): number => columns.flags[row] as number;
  const dueOf = (row: number): bigint => columns.due[row] as bigint;
  const streamOf = (row: number): number => columns.stream[row] as number;
  const has = (row: number, flag: number): boolean => (flagsOf(row) & flag) !== 0;
  const set = (row: number, flag: number): void => void (columns.flags[row] = flagsOf(row) | flag);
  const clear = (row: number, flag: number): void => void (columns.flags[row] = flagsOf(row) & ~flag);

  function isEarlier(a: number, b: number): boolean {
    const dueA = dueOf(a);
    const dueB = dueOf(b);
    return dueA < dueB || (dueA === dueB && a < b);
  }

  function rowAt(row: number): TaskRow {
    return {
      position: positionOf(row),
      eventHash: columns.eventHash[row] as number,
      entry: columns.entry[row] as number,
      branch: branchOf(row),
      due: dueOf(row),
      rests: has(row, hasRest),
      stream: streamOf(row),
      source: sources.get(row),
    };
  }

  /** The first row at or behind a position and a branch. */
  function place(position: number, branch: number): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = positionOf(middle);
      if (found < position || (found === position && branchOf(middle) < branch)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function openRow(position: number, branch: number): number | undefined {
    const row = place(position, branch);
    const isIt = row < length && positionOf(row) === position && branchOf(row) === branch;
    return isIt && has(row, isOpen) ? row : undefined;
  }

  /** Links a row with those of its stream, and with the order of due times if it is in it. */
  function link(row: number): void {
    const head = streamOf(row) % heads.length;
    columns.next[row] = heads[head] as number;
    heads[head] = row;
    if (has(row, isQueued)) queue.add(row);
  }

  /** Writes the open rows again, with room for more. */
  function rewrite(): void {
    const [before, beforeSources, until] = [columns, sources, length];
    const capacity = Math.max(leastCapacity, Math.ceil(opened * 1.5));
    columns = columnsOf(capacity);
    heads = new Int32Array(capacity).fill(-1);
    queue = createHeap(isEarlier);
    sources = new Map();
    length = 0;
    firstOpen = 0;
    for (let row = 0; row < until; row += 1) {
      const flags = before.flags[row] as number;
      if ((flags & isOpen) === 0) continue;
      columns.position[length] = before.position[row] as number;
      columns.eventHash[length] = before.eventHash[row] as number;
      columns.entry[length] = before.entry[row] as number;
      columns.branch[length] = before.branch[row] as number;
      columns.flags[length] = flags;
      columns.due[length] = before.due[row] as bigint;
      columns.stream[length] = before.stream[row] as number;
      const source = beforeSources.get(row);
      if (source !== undefined) sources.set(length, source);
      link(length);
      length += 1;
    }
  }

  function* openRows(from = firstOpen): IterableIterator<number> {
    for (let row = from; row < length; row += 1) if (has(row, isOpen)) yield row;
  }

  function firstQueued(): number | undefined {
    for (let row = queue.first(); row !== undefined; row = queue.first()) {
      if (has(row, isOpen)) return row;
      queue.take();
    }
    return undefined;
  }

  return {
    add: ({ position, eventHash, entry, branch, due, rests, stream, source }) => {
      const closed = length - opened;
      if (length === columns.position.length || closed > opened + leastClosed) rewrite();
      columns.position[length] = position;
      columns.eventHash[length] = eventHash;
      columns.entry[length] = entry;
      columns.branch[length] = branch;
      columns.flags[length] = isOpen | (rests ? hasRest : 0) | (due > 0n ? isQueued : 0);
      columns.due[length] = due;
      columns.stream[length] = stream;
      if (source !== undefined && room.sources > 0) {
        room.sources -= 1;
        sources.set(length, source);
      }
      link(length);
      length += 1;
      opened += 1;
    },
    find: (position, branch) => {
      const row = openRow(position, branch);
      return row === undefined ? undefined : rowAt(row);
    },
    close: (position, branch) => {
      const row = openRow(position, branch);
      if (row === undefined) return false;
      clear(row, isOpen);
      opened -= 1;
      if (sources.delete(row)) room.sources += 1;
      return true;
    },
    count: () => opened,
    countByBranch: () => {
      const counts = new Map<number, number>();
      for (const row of openRows()) {
        const branch = branchOf(row);
        counts.set(branch, (counts.get(branch) ?? 0) + 1);
      }
      return counts;
    },
    *after(position) {
      while (firstOpen < length && !has(firstOpen, isOpen)) firstOpen += 1;
      for (const row of openRows(Math.max(firstOpen, place(position + 1, 0)))) yield rowAt(row);
    },
    ofStream: (stream) => {
      const rows: TaskRow[] = [];
      for (let row = heads[stream % heads.length] as number; row >= 0; row = columns.next[row] as number)
        if (streamOf(row) === stream && has(row, isOpen)) rows.push(rowAt(row));
      return rows;
    },
    first: () => {
      const row = firstQueued();
      return row === undefined ? undefined : rowAt(row);
    },
    take: () => {
      const row = firstQueued();
      if (row === undefined) return;
      queue.take();
      clear(row, isQueued);
    },
    putBack: (position, branch) => {
      const row = openRow(position, branch);
      if (row === undefined || has(row, isQueued)) return;
      set(row, isQueued);
      queue.add(row);
    },
    nearest: (most, after) => {
      const behind = after === undefined ? 0 : place(after.position, after.branch + 1);
      const inOrder = (a: number, b: number): number => (isEarlier(a, b) ? -1 : 1);
      let found: number[] = [];
      let last: number | undefined;
      const cut = (): void => {
        found = found.sort(inOrder).slice(0, most);
        last = found[most - 1];
      };
      for (const row of openRows()) {
        const due = dueOf(row);
        if (after !== undefined && (due < after.due || (due === after.due && row < behind))) continue;
        if (last !== undefined && !isEarlier(row, last)) continue;
        found.push(row);
        if (found.length >= 2 * most) cut();
      }
      cut();
      return found.map(rowAt);
    },
  };
}
