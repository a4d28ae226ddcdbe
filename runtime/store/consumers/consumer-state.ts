/**
 * The position of a subscription: what its consumers have acknowledged, what failed, what is parked. It is no fact of the domain, so it lies beside
 * the log: losing it repeats deliveries and loses none. A state is folded from its changes, in memory and from a file alike.
 */

/** A row that is not tried any longer, until an operator retries or discards it. */
export interface ParkedRow {
  readonly position: number;
  readonly event: string;
  /** Of its key; null for a row that waits for no other. */
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
}

export type ConsumerChange =
  | { readonly is: 'begun'; readonly to: number; readonly generation: number }
  | { readonly is: 'done'; readonly positions: readonly number[]; readonly to?: number; readonly last?: LastRow }
  | { readonly is: 'failed'; readonly position: number; readonly row: FailedRow }
  | { readonly is: 'parked'; readonly row: ParkedRow }
  | { readonly is: 'retried' | 'discarded'; readonly position: number }
  /** Begins at a position, with everything behind it forgotten. */
  | { readonly is: 'reset'; readonly to: number }
  | { readonly is: 'stopped'; readonly reason: string }
  | { readonly is: 'started' };

type Mutable = { -readonly [K in keyof ConsumerState]: ConsumerState[K] } & {
  done: Set<number>;
  failed: Map<number, FailedRow>;
  parked: Map<number, ParkedRow>;
  late: Map<number, ParkedRow>;
};

export function newState(): ConsumerState {
  const state: Mutable = {
    acknowledged: undefined,
    generation: 0,
    last: undefined,
    done: new Set(),
    failed: new Map(),
    parked: new Map(),
    late: new Map(),
    stopped: undefined,
    lastError: undefined,
  };
  return state;
}

/** Applies a change to a state that `newState` made. */
export function applyChange(given: ConsumerState, change: ConsumerChange): void {
  const state = given as Mutable; // only this file makes states
  switch (change.is) {
    case 'begun':
      Object.assign(state, newState(), { acknowledged: change.to, generation: change.generation });
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
      state.parked.delete(change.position);
      return;
    }
    case 'discarded':
      state.parked.delete(change.position);
      return;
    case 'reset':
      Object.assign(state, { acknowledged: change.to, last: undefined });
      state.done.clear();
      state.failed.clear();
      state.late.clear();
      for (const position of [...state.parked.keys()]) if (position > change.to) state.parked.delete(position);
      return;
    case 'stopped':
      state.stopped = change.reason;
      return;
    case 'started':
      state.stopped = undefined;
  }
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
}

/** The changes that give this state again. */
export function changesOf(state: ConsumerState): readonly ConsumerChange[] {
  if (state.acknowledged === undefined) return [];
  return [
    { is: 'begun', to: state.acknowledged, generation: state.generation },
    { is: 'done', positions: [...state.done], ...(state.last !== undefined && { last: state.last }) },
    ...[...state.parked.values()].map((row): ConsumerChange => ({ is: 'parked', row })),
    ...[...state.late.values()].flatMap((row): ConsumerChange[] => [
      { is: 'parked', row },
      { is: 'retried', position: row.position },
    ]),
    ...[...state.failed].map(([position, row]): ConsumerChange => ({ is: 'failed', position, row })),
    ...(state.stopped === undefined ? [] : [{ is: 'stopped', reason: state.stopped } as const]),
  ];
}
