import { applyChange, newState, type ConsumerChange, type ConsumerState } from './consumer-state.ts';

/** What a turn of a subscription decided. */
export interface ConsumerTurn<T> {
  readonly changes: readonly ConsumerChange[];
  /** Computed once the changes are durable and applied. */
  readonly result: (state: ConsumerState) => T;
}

/** The positions of the subscriptions of a store. */
export interface Consumers {
  /** Decides on the state of one subscription, alone, and resolves once the changes are durable. Rejects with R0416 if they cannot be written; then nothing has changed. */
  readonly turn: <T>(subscription: string, decide: (state: ConsumerState) => ConsumerTurn<T>) => Promise<T>;
  /** As it is now. */
  readonly stateOf: (subscription: string) => ConsumerState;
  /** The subscriptions that have begun. */
  readonly names: () => readonly string[];
  /** What needs attention. */
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
  const last = new Map<string, Promise<unknown>>();
  const stateOf = (name: string): ConsumerState => {
    const known = states.get(name) ?? newState();
    states.set(name, known);
    return known;
  };
  const run = async <T>(name: string, decide: (state: ConsumerState) => ConsumerTurn<T>): Promise<T> => {
    const state = stateOf(name);
    const { changes, result } = decide(state);
    if (changes.length > 0) await keep(name, changes);
    for (const change of changes) applyChange(state, change);
    return result(state);
  };
  return {
    turn: (name, decide) => {
      const before = last.get(name) ?? Promise.resolve();
      const turn = before.then(() => run(name, decide));
      const done = turn.then(
        () => undefined,
        () => undefined, // the caller gets the failure
      );
      last.set(name, done);
      void done.then(() => {
        if (last.get(name) === done) last.delete(name);
      });
      return turn;
    },
    stateOf,
    names: () => [...states].flatMap(([name, { acknowledged }]) => (acknowledged === undefined ? [] : [name])),
    notes,
    close,
  };
}

/** Without a place where anything stays. */
export function createMemoryConsumers(): Consumers {
  return createConsumers(new Map(), () => Promise.resolve());
}
