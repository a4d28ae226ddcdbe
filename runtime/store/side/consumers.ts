import { applyChange, isLeaseChange, newState, type ConsumerChange, type ConsumerState } from './consumer-state.ts';

/** Result of a turn of a subscription. */
export interface ConsumerTurn<T> {
  readonly changes: readonly ConsumerChange[];
  /** Computed once the changes are durable and applied. */
  readonly result: (state: ConsumerState) => T;
}

/** The positions of the subscriptions of a store. */
export interface Consumers {
  /**
   * Decides on the state of one subscription, alone, and resolves once the changes are durable. Rejects with R0416 if they cannot be written; then
   * nothing has changed. `decide` runs again if another server was faster, so that it must have no effect. A decision without changes is one on the
   * state as it was last seen.
   */
  readonly turn: <T>(subscription: string, decide: (state: ConsumerState) => ConsumerTurn<T>) => Promise<T>;
  /** Takes in what other servers have changed. */
  readonly refresh: (subscription: string) => Promise<void>;
  /** Whether other servers hand out rows of the same subscriptions. */
  readonly isShared: boolean;
  /** The state as it is now; if it is shared, as it was last seen. */
  readonly stateOf: (subscription: string) => ConsumerState;
  /** The subscriptions that have begun. */
  readonly names: () => readonly string[];
  /** Sentences about what needs attention. */
  readonly notes: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** Makes changes durable before they are applied. */
export type KeepChanges = (subscription: string, changes: readonly ConsumerChange[]) => Promise<void>;

export function createConsumers(
  states: Map<string, ConsumerState>,
  keep: KeepChanges,
  { notes = () => [], close = () => Promise.resolve() }: Partial<Pick<Consumers, 'notes' | 'close'>> = {},
): Consumers {
  const inTurn = createTurnsByName();
  const stateOf = (name: string): ConsumerState => {
    const known = states.get(name) ?? newState();
    states.set(name, known);
    return known;
  };
  const run = async <T>(name: string, decide: (state: ConsumerState) => ConsumerTurn<T>): Promise<T> => {
    const state = stateOf(name);
    const { changes, result } = decide(state);
    const kept = changes.filter((change) => !isLeaseChange(change));
    if (kept.length > 0) await keep(name, kept);
    for (const change of changes) applyChange(state, change);
    return result(state);
  };
  return {
    turn: (name, decide) => inTurn(name, () => run(name, decide)),
    refresh: () => Promise.resolve(),
    isShared: false,
    stateOf,
    names: () => namesOf(states),
    notes,
    close,
  };
}

export function namesOf(states: ReadonlyMap<string, ConsumerState>): readonly string[] {
  return [...states].flatMap(([name, { acknowledged }]) => (acknowledged === undefined ? [] : [name]));
}

/** Runs work one after the other for each name. */
export function createTurnsByName(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const turn = before.then(work);
    const done = turn.then(
      () => undefined,
      () => undefined, // the caller gets the failure
    );
    last.set(name, done);
    void done.then(() => {
      if (last.get(name) === done) last.delete(name);
    });
    return turn;
  };
}

/** Without a place where anything stays. */
export function createMemoryConsumers(): Consumers {
  return createConsumers(new Map(), () => Promise.resolve());
}
