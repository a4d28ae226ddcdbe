/**
 * Tasks that a reaction has at a later time: a row of numbers for each task, in columns in the order of events, so that a million of them
 * take some tens of megabytes. A row says in which entry of the log its event is.
 */
export interface WaitingRow {
  /** Global position of the event. */
  readonly position: number;
  /** Hash of the event's id. */
  readonly eventHash: number;
  /** Number of the event's entry. */
  readonly entry: number;
  /** Number of the branch, in the order of labels. */
  readonly branch: number;
  /** µs since 1970. */
  readonly due: bigint;
  readonly rests: boolean;
  /** Two halves of the hash of the event's stream, if rows are found by stream. */
  readonly hash?: readonly [number, number];
}

export interface WaitingTable {
  /** Rows come in the order of events. `stream` is the text of the event's stream. */
  readonly add: (row: Omit<WaitingRow, 'hash'>, stream: string) => void;
  /** Gives the row if it is open. */
  readonly find: (position: number, branch: number) => WaitingRow | undefined;
  /** Whether it was open. */
  readonly close: (position: number, branch: number) => boolean;
  /** Open rows. */
  readonly count: () => number;
  /** The open rows that are due first, in that order: `most` of those after `after`. */
  readonly nearest: (most: number, after?: Pick<WaitingRow, 'due' | 'position' | 'branch'>) => readonly WaitingRow[];
  /** Open rows of events of a stream; none unless rows are found by stream. */
  readonly ofStream: (stream: string) => readonly WaitingRow[];
  /** Open rows of events up to a position. */
  readonly upTo: (position: number) => readonly WaitingRow[];
  /** The number of open rows of each branch. */
  readonly countByBranch: () => ReadonlyMap<number, number>;
}

const isOpen = 1;
const hasRest = 2;
const leastCapacity = 64;
/** Number of closed rows that are kept at least, before the table is written again without them. */
const leastClosed = 1_024;

interface Columns {
  readonly position: Float64Array;
  readonly eventHash: Uint32Array;
  readonly entry: Float64Array;
  readonly branch: Uint16Array;
  readonly flags: Uint8Array;
  /** A due time in two halves, because numbers of 64 bits are slow to compare. */
  readonly dueHigh: Int32Array;
  readonly dueLow: Uint32Array;
  /** The hash of the stream, in two halves; empty unless rows are found by stream. */
  readonly streamHigh: Uint32Array;
  readonly streamLow: Uint32Array;
  /** The row before with the same place among `heads`, -1 for none. */
  readonly next: Int32Array;
}

function columnsOf(size: number, byStream: boolean): Columns {
  const streams = byStream ? size : 0;
  return {
    position: new Float64Array(size),
    eventHash: new Uint32Array(size),
    entry: new Float64Array(size),
    branch: new Uint16Array(size),
    flags: new Uint8Array(size),
    dueHigh: new Int32Array(size),
    dueLow: new Uint32Array(size),
    streamHigh: new Uint32Array(streams),
    streamLow: new Uint32Array(streams),
    next: new Int32Array(streams),
  };
}

/** Rows are found by stream if there are `seeds`: two random numbers of 32 bits, so that no caller can choose streams of one hash. */
export function createWaitingTable(seeds: readonly [number, number] | undefined): WaitingTable {
  const byStream = seeds !== undefined;
  let columns = columnsOf(leastCapacity, byStream);
  let length = 0;
  let opened = 0;
  /** The last row of each place; a power of 2 of them. */
  let heads = new Int32Array(byStream ? leastCapacity : 0).fill(-1);

  const at = (column: Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array, row: number): number =>
    column[row] as number; // rows are below `length`

  function rowAt(row: number): WaitingRow {
    return {
      position: at(columns.position, row),
      eventHash: at(columns.eventHash, row),
      entry: at(columns.entry, row),
      branch: at(columns.branch, row),
      due: dueOf(at(columns.dueHigh, row), at(columns.dueLow, row)),
      rests: (at(columns.flags, row) & hasRest) !== 0,
      ...(byStream && { hash: [at(columns.streamHigh, row), at(columns.streamLow, row)] as const }),
    };
  }

  /** The first row at or behind a position and a branch. */
  function place(position: number, branch: number): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = at(columns.position, middle);
      if (found < position || (found === position && at(columns.branch, middle) < branch)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function rowOf(position: number, branch: number): number | undefined {
    const row = place(position, branch);
    const isIt = row < length && at(columns.position, row) === position && at(columns.branch, row) === branch;
    return isIt ? row : undefined;
  }

  const openRow = (position: number, branch: number): number | undefined => {
    const row = rowOf(position, branch);
    return row !== undefined && (at(columns.flags, row) & isOpen) !== 0 ? row : undefined;
  };

  function write(row: number, { position, eventHash, entry, branch, due, rests, hash }: WaitingRow): void {
    columns.position[row] = position;
    columns.eventHash[row] = eventHash;
    columns.entry[row] = entry;
    columns.branch[row] = branch;
    columns.flags[row] = isOpen | (rests ? hasRest : 0);
    columns.dueHigh[row] = highOf(due);
    columns.dueLow[row] = lowOf(due);
    if (hash === undefined) return;
    [columns.streamHigh[row], columns.streamLow[row]] = hash;
  }

  function link(row: number): void {
    if (!byStream) return;
    const head = at(columns.streamLow, row) & (heads.length - 1);
    columns.next[row] = at(heads, head);
    heads[head] = row;
  }

  /** Links all rows again, after rows have moved or there is more room. */
  function linkAll(): void {
    if (!byStream) return;
    if (heads.length < columns.next.length) heads = new Int32Array(powerOf2(columns.next.length));
    heads.fill(-1);
    for (let row = 0; row < length; row += 1) link(row);
  }

  /** Makes room for `size` rows, and keeps those that `keeps` names. */
  function rewrite(size: number, keeps: (row: number) => boolean): void {
    const before = columns;
    columns = columnsOf(size, byStream);
    let kept = 0;
    for (let row = 0; row < length; row += 1) {
      if (!keeps(row)) continue;
      for (const name of names) if (before[name].length > 0) columns[name][kept] = at(before[name], row);
      kept += 1;
    }
    length = kept;
    linkAll();
  }

  function grow(): void {
    if (length === columns.position.length) rewrite(Math.ceil(length * 1.5), () => true);
  }

  function tidy(): void {
    const closed = length - opened;
    if (closed <= leastClosed || closed <= opened) return;
    const { flags } = columns;
    rewrite(Math.max(leastCapacity, Math.ceil(opened * 1.25)), (row) => (at(flags, row) & isOpen) !== 0);
  }

  const hashes = (stream: string): readonly [number, number] | undefined =>
    seeds === undefined ? undefined : [hashOf(stream, seeds[0]), hashOf(stream, seeds[1])];

  const compare = (a: number, b: number): number =>
    at(columns.dueHigh, a) - at(columns.dueHigh, b) ||
    at(columns.dueLow, a) - at(columns.dueLow, b) ||
    at(columns.position, a) - at(columns.position, b) ||
    at(columns.branch, a) - at(columns.branch, b);

  return {
    add: (row, stream) => {
      grow();
      const hash = hashes(stream);
      write(length, hash === undefined ? row : { ...row, hash });
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
      columns.flags[row] = at(columns.flags, row) & ~isOpen;
      opened -= 1;
      tidy();
      return true;
    },
    count: () => opened,
    nearest: (most, after) => {
      const { flags, dueHigh, dueLow } = columns;
      let found: number[] = [];
      let [high, low] = [Infinity, Infinity];
      const cut = (): void => {
        found.sort(compare);
        found = found.slice(0, most);
        const last = found[most - 1];
        if (last !== undefined) [high, low] = [at(dueHigh, last), at(dueLow, last)];
      };
      const floor = after === undefined ? -Infinity : highOf(after.due);
      for (let row = 0; row < length; row += 1) {
        if ((at(flags, row) & isOpen) === 0) continue;
        const own = at(dueHigh, row);
        if (own > high || (own === high && at(dueLow, row) > low) || own < floor) continue;
        if (after !== undefined && !isAfter(row, after)) continue;
        found.push(row);
        if (found.length >= 2 * most) cut();
      }
      cut();
      return found.map(rowAt);
    },
    ofStream: (stream) => {
      const hash = hashes(stream);
      if (hash === undefined) return [];
      const [high, low] = hash;
      const rows: WaitingRow[] = [];
      for (let row = at(heads, low & (heads.length - 1)); row >= 0; row = at(columns.next, row)) {
        const isSame = at(columns.streamHigh, row) === high && at(columns.streamLow, row) === low;
        if (isSame && (at(columns.flags, row) & isOpen) !== 0) rows.push(rowAt(row));
      }
      return rows.reverse();
    },
    countByBranch: () => {
      const counts = new Map<number, number>();
      for (let row = 0; row < length; row += 1) {
        if ((at(columns.flags, row) & isOpen) === 0) continue;
        const branch = at(columns.branch, row);
        counts.set(branch, (counts.get(branch) ?? 0) + 1);
      }
      return counts;
    },
    upTo: (position) => {
      const rows: WaitingRow[] = [];
      for (let row = 0; row < length && at(columns.position, row) <= position; row += 1)
        if ((at(columns.flags, row) & isOpen) !== 0) rows.push(rowAt(row));
      return rows;
    },
  };

  function isAfter(row: number, after: Pick<WaitingRow, 'due' | 'position' | 'branch'>): boolean {
    const order =
      at(columns.dueHigh, row) - highOf(after.due) ||
      at(columns.dueLow, row) - lowOf(after.due) ||
      at(columns.position, row) - after.position ||
      at(columns.branch, row) - after.branch;
    return order > 0;
  }
}

const names = Object.keys(columnsOf(0, false)) as readonly (keyof Columns)[];

function highOf(due: bigint): number {
  return Number(due >> 32n);
}
function lowOf(due: bigint): number {
  return Number(due & 0xffffffffn);
}
function dueOf(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

function powerOf2(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, least)));
}

/** 32 bits of a text (MurmurHash3, a block for each UTF-16 unit). */
export function hashOf(text: string, seed = 0): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    let unit = Math.imul(text.charCodeAt(index), 0xcc9e2d51);
    unit = Math.imul((unit << 15) | (unit >>> 17), 0x1b873593);
    hash ^= unit;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash ^= text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
