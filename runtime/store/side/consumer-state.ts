/**
 * The position of a subscription: its acknowledged, failed and parked rows. It is no fact of the domain, so it is stored outside the log:
 * losing it repeats deliveries and loses none. A state is folded from its changes, in memory and from a file alike.
 */

/** A row that is not tried any longer, until an operator retries or discards it. */
export interface ParkedRow {
  readonly position: number;
  readonly event: string;
  /** Text of its key; null for a row that waits for no other. */
  readonly key: string | null;
  readonly attempts: number;
  readonly reason: string;
  /** ms since 1970. */
  readonly at: number;
}

/** A row that failed and waits for another try. */
export interface FailedRow {
  readonly attempts: number;
  /** ms since 1970; it is not handed out before. */
  readonly until: number;
  readonly reason: string;
}

export interface LastRow {
  readonly position: number;
  readonly event: string;
}

/** A row that a consumer has, by its facts: a server that did not read the row knows the lease as well. */
export interface LeasedRow {
  readonly position: number;
  readonly event: string;
  /** Null for a row that waits for no other. */
  readonly key: string | null;
}

/** The outcome of a row of a lease. */
export type Fate =
  | 'out'
  | 'acknowledged'
  /** The lease ran out; the row can be acknowledged until it is handed out again. */
  | 'expired'
  /** The row failed, or came after one of its key that failed. */
  | 'given back';

/** Rows that a consumer has until a time. */
export interface Lease {
  readonly id: string;
  /** Identifies the definition that made the rows. */
  readonly by: string;
  /** ms since 1970. */
  readonly until: number;
  readonly rows: ReadonlyMap<number, LeasedRow>;
  readonly fates: ReadonlyMap<number, Fate>;
}

export interface ConsumerState {
  /** Every row up to this position is acknowledged, parked or left out. Undefined: it has not begun. */
  readonly acknowledged: number | undefined;
  /** Number of the log's entry that created the subscription: another one of its name begins by itself. */
  readonly generation: number;
  /** The last row that it passed, by which a log that was restored is recognised. */
  readonly last: LastRow | undefined;
  /** Rows beyond it that are acknowledged. */
  readonly done: ReadonlySet<number>;
  readonly failed: ReadonlyMap<number, FailedRow>;
  readonly parked: ReadonlyMap<number, ParkedRow>;
  /** Rows that were parked and are delivered again, out of turn. */
  readonly late: ReadonlyMap<number, ParkedRow>;
  /** Why nothing is handed out. */
  readonly stopped: string | undefined;
  readonly lastError: string | undefined;
  /** Number of times that an operator has started it: a row that waits after a failure is then tried at once. */
  readonly starts: number;
  /** Number of times that it has begun at another position: rows that were read before do not continue from there. */
  readonly restarts: number;
  /** By id, oldest first. */
  readonly leases: ReadonlyMap<string, Lease>;
  /** The lease of each row that is out. */
  readonly out: ReadonlyMap<number, Lease>;
}

export type ConsumerChange =
  | { readonly is: 'begun'; readonly to: number; readonly generation: number; readonly restarts?: number }
  | { readonly is: 'done'; readonly positions: readonly number[]; readonly to?: number; readonly last?: LastRow }
  | { readonly is: 'failed'; readonly position: number; readonly row: FailedRow }
  | { readonly is: 'parked'; readonly row: ParkedRow }
  | { readonly is: 'retried' | 'discarded'; readonly position: number }
  /** Begins at a position, with everything behind it forgotten. */
  | { readonly is: 'reset'; readonly to: number }
  | { readonly is: 'stopped'; readonly reason: string }
  | { readonly is: 'started' }
  | LeaseChange;

/** A file does not keep these: rows that were out at a crash are handed out again. Servers that share a subscription do. */
type LeaseChange =
  | {
      readonly is: 'leased';
      readonly lease: string;
      readonly by: string;
      readonly until: number;
      readonly rows: readonly LeasedRow[];
    }
  | {
      readonly is: 'returned';
      readonly lease: string;
      readonly positions: readonly number[];
      readonly fate: Exclude<Fate, 'out'>;
    }
  | { readonly is: 'extended'; readonly lease: string; readonly until: number };

export function isLeaseChange({ is }: ConsumerChange): boolean {
  return is === 'leased' || is === 'returned' || is === 'extended';
}

/** Leases without a row that is out, which can still be acknowledged. */
const mostReturned = 200;

type MutableLease = Omit<Lease, 'until' | 'fates'> & { until: number; readonly fates: Map<number, Fate> };
type Mutable = Omit<{ -readonly [K in keyof ConsumerState]: ConsumerState[K] }, 'leases' | 'out'> & {
  leases: Map<string, MutableLease>;
  out: Map<number, MutableLease>;
  handed: Map<number, MutableLease>;
  done: Set<number>;
  failed: Map<number, FailedRow>;
  parked: Map<number, ParkedRow>;
  late: Map<number, ParkedRow>;
};

export function newState(): ConsumerState {
  const state: Mutable & ConsumerState = {
    acknowledged: undefined,
    generation: 0,
    last: undefined,
    done: new Set(),
    failed: new Map(),
    parked: new Map(),
    late: new Map(),
    stopped: undefined,
    lastError: undefined,
    starts: 0,
    restarts: 0,
    leases: new Map(),
    out: new Map(),
    handed: new Map(),
  };
  return state;
}

/** Applies a change to a state that `newState` made. */
export function applyChange(given: ConsumerState, change: ConsumerChange): void {
  const state = given as Mutable; // only this file makes states
  switch (change.is) {
    case 'begun':
      Object.assign(state, newState(), {
        acknowledged: change.to,
        generation: change.generation,
        restarts: change.restarts ?? state.restarts + 1,
      });
      return;
    case 'done':
      for (const position of change.positions) settle(state, position);
      if (change.last !== undefined) state.last = change.last;
      if (change.to !== undefined) move(state, change.to);
      return;
    case 'failed':
      state.failed.set(change.position, change.row);
      state.lastError = change.row.reason;
      return;
    case 'parked':
      state.failed.delete(change.row.position);
      state.late.delete(change.row.position);
      state.parked.set(change.row.position, change.row);
      state.lastError = change.row.reason;
      return;
    case 'retried': {
      const row = state.parked.get(change.position);
      if (row !== undefined) state.late.set(change.position, { ...row, attempts: 0 });
      unpark(state, change.position);
      return;
    }
    case 'discarded':
      unpark(state, change.position);
      return;
    case 'reset':
      Object.assign(state, { acknowledged: change.to, last: undefined });
      state.done.clear();
      state.failed.clear();
      state.late.clear();
      state.leases.clear();
      state.out.clear();
      state.handed.clear();
      state.restarts += 1;
      for (const position of [...state.parked.keys()]) if (position > change.to) state.parked.delete(position);
      return;
    case 'stopped':
      state.stopped = change.reason;
      return;
    case 'started':
      state.stopped = undefined;
      state.starts += 1;
      return;
    case 'leased':
      addLease(state, change);
      return;
    case 'returned':
      returnRows(state, change.lease, change.positions, change.fate);
      return;
    case 'extended': {
      const lease = state.leases.get(change.lease);
      if (lease !== undefined) lease.until = change.until;
    }
  }
}

function addLease(state: Mutable, { lease: id, by, until, rows }: LeaseChange & { readonly is: 'leased' }): void {
  const lease: MutableLease = {
    id,
    by,
    until,
    rows: new Map(rows.map((row) => [row.position, row])),
    fates: new Map(rows.map(({ position }) => [position, 'out'])),
  };
  state.leases.set(id, lease);
  for (const { position } of rows) {
    // The consumer that had the row before can no longer acknowledge it.
    state.handed.get(position)?.fates.set(position, 'given back');
    state.handed.set(position, lease);
    state.out.set(position, lease);
  }
  if (state.leases.size <= mostReturned) return;
  for (const old of state.leases.values())
    if (![...old.fates.values()].includes('out')) {
      state.leases.delete(old.id);
      return;
    }
}

function returnRows(state: Mutable, id: string, positions: readonly number[], fate: Fate): void {
  const lease = state.leases.get(id);
  if (lease === undefined) return;
  for (const position of positions) {
    lease.fates.set(position, fate);
    if (state.out.get(position) === lease) state.out.delete(position);
  }
  if ([...lease.fates.values()].every((each) => each === 'acknowledged')) state.leases.delete(id);
}

/** The positions of a lease that are still out. */
export function outIn(lease: Lease): readonly number[] {
  return [...lease.fates].flatMap(([position, fate]) => (fate === 'out' ? [position] : []));
}

/** Its place in the order is done, also while an earlier row is not. */
function unpark(state: Mutable, position: number): void {
  if (state.parked.delete(position) && position > (state.acknowledged ?? 0)) state.done.add(position);
}

function settle(state: Mutable, position: number): void {
  state.failed.delete(position);
  if (state.late.delete(position)) return;
  if (position > (state.acknowledged ?? 0)) state.done.add(position);
}

function move(state: Mutable, to: number): void {
  state.acknowledged = to;
  for (const position of state.done) if (position <= to) state.done.delete(position);
  for (const position of state.failed.keys())
    if (position <= to && !state.late.has(position)) state.failed.delete(position);
  for (const position of state.handed.keys())
    if (position <= to && !state.out.has(position)) state.handed.delete(position);
}

/** The changes that give this state again. */
export function changesOf(state: ConsumerState): readonly ConsumerChange[] {
  if (state.acknowledged === undefined) return [];
  return [
    { is: 'begun', to: state.acknowledged, generation: state.generation, restarts: state.restarts },
    { is: 'done', positions: [...state.done], ...(state.last !== undefined && { last: state.last }) },
    ...[...state.parked.values()].map((row): ConsumerChange => ({ is: 'parked', row })),
    ...[...state.late.values()].flatMap((row): ConsumerChange[] => [
      { is: 'parked', row },
      { is: 'retried', position: row.position },
    ]),
    ...[...state.failed].map(([position, row]): ConsumerChange => ({ is: 'failed', position, row })),
    ...(state.stopped === undefined ? [] : [{ is: 'stopped', reason: state.stopped } as const]),
    ...[...state.leases.values()].flatMap(leaseChanges),
  ];
}

function leaseChanges({ id: lease, by, until, rows, fates }: Lease): readonly ConsumerChange[] {
  const returned = (fate: Exclude<Fate, 'out'>): readonly ConsumerChange[] => {
    const positions = [...fates].flatMap(([position, its]) => (its === fate ? [position] : []));
    return positions.length === 0 ? [] : [{ is: 'returned', lease, positions, fate }];
  };
  return [
    { is: 'leased', lease, by, until, rows: [...rows.values()] },
    ...returned('acknowledged'),
    ...returned('expired'),
    ...returned('given back'),
  ];
}
