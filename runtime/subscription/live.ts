import { createHash } from 'node:crypto';
import type { Domain } from '../../language/contract/domain.ts';
import type { SubscriptionDefinition } from '../../language/contract/subscription.ts';
import { fail } from '../../language/failure/failure.ts';
import { outIn, type ConsumerChange, type ConsumerState, type Fate } from '../store/consumers/consumer-state.ts';
import { readRows, type DeliveredRow } from './delivered-row.ts';
import { failureChange, firstOfKeys } from './lease.ts';
import { createRowCounter, type RowCounter } from './lag.ts';
import { loggedPlace } from './logged-places.ts';
import { createRowReader, type RowReader } from './reader.ts';
import { generationOf, startingPosition } from './starting-position.ts';
import type { SubscriptionsOptions } from './subscriptions.ts';

/** One subscription as this server serves it, beside the state that its servers share. */
export interface Live {
  domain: Domain;
  definition: SubscriptionDefinition;
  /** Identifies the definition, the same on every server. */
  by: string;
  readonly reader: RowReader;
  /** Counts the rows behind those that were read. */
  readonly counter: RowCounter;
  /** The restarts of the state that the reader follows. */
  restarts: number;
  late: DeliveredRow[];
  heldBy: number | undefined;
  /** The reader has rows of an earlier definition. */
  changed: boolean;
  /** The definition whose rows the parked ones are known to be. */
  parkedBy: string | undefined;
  readonly sleepers: Set<() => void>;
  /** Counts whatever may give a consumer rows. */
  changes: number;
  beginning: Promise<void> | undefined;
}

/** What a turn decides. */
export interface Decision<T> {
  readonly changes?: readonly ConsumerChange[];
  /** Computed once the changes are durable and applied. */
  readonly result: (state: ConsumerState) => T;
}

/** The subscriptions that were asked for, by name. */
export interface Lives {
  /** Undefined if no caller has asked for it yet. */
  readonly known: (name: string) => Live | undefined;
  /** Follows the log and the definition in force; begins a subscription that has never been asked for. */
  readonly begun: (name: string) => Promise<Live>;
  /** Runs a turn after the leases whose time is over. `decide` may run several times. */
  readonly turn: <T>(live: Live, decide: (state: ConsumerState) => Decision<T>) => Promise<T>;
  /** Takes in a state in which rows may be free, and wakes the consumers that wait for some. */
  readonly pass: (live: Live, state: ConsumerState) => void;
  /** Events up to here can be handed out; the tail, which wakes consumers, may be some milliseconds behind. */
  readonly durableEnd: () => number;
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

export function createLives({ engine, consumers, tail, now, openedAt }: SubscriptionsOptions): Lives {
  const lives = new Map<string, Live>();
  let closed = false;
  let joined: Promise<number> | undefined;
  const join = (): Promise<number> => {
    if (joined !== undefined && tail.failure() !== undefined) {
      tail.leave();
      joined = undefined;
    }
    joined ??= tail.join().catch((error: unknown) => {
      tail.leave();
      joined = undefined;
      throw error;
    });
    return joined;
  };
  const liveOf = (name: string): Live => {
    const domain = engine.domain();
    const definition = definitionOf(domain, name);
    const known = lives.get(name);
    if (known !== undefined) {
      if (known.definition !== definition) {
        known.changed = true;
        known.counter.forget();
      }
      if (known.domain !== domain) known.by = fingerprintOf(domain, name);
      Object.assign(known, { domain, definition });
      return known;
    }
    const live: Live = {
      domain,
      definition,
      by: fingerprintOf(domain, name),
      reader: createRowReader(engine, () => live),
      counter: createRowCounter(engine, () => live),
      restarts: 0,
      late: [],
      heldBy: undefined,
      changed: false,
      parkedBy: undefined,
      sleepers: new Set(),
      changes: 0,
      beginning: undefined,
    };
    lives.set(name, live);
    return live;
  };
  const wake = (live: Live): void => {
    live.changes += 1;
    for (const resume of [...live.sleepers]) resume();
  };

  /** A subscription that has never been asked for begins where it says; one of another generation begins again. */
  const begun = async (name: string): Promise<Live> => {
    // A consumer gets what any server has acknowledged before it asked.
    const present = consumers.isShared ? engine.store.freshPosition() : undefined;
    await Promise.all([join(), consumers.refresh(name), present]);
    const live = liveOf(name);
    const generation = generationOf(engine.store.schema(), name);
    const state = consumers.stateOf(name);
    if (state.acknowledged !== undefined && state.generation === generation && live.beginning === undefined) {
      live.beginning = checkPlace(name, live);
    } else if (live.beginning === undefined || state.generation !== generation) {
      live.beginning = begin(name, live, generation);
    }
    try {
      await live.beginning;
    } catch (error) {
      live.beginning = undefined;
      throw error;
    }
    followState(live, consumers.stateOf(name));
    return live;
  };
  const begin = async (name: string, live: Live, generation: number): Promise<void> => {
    const begins = await startingPosition(engine.store, live.definition.start, generation);
    const { event: end } = engine.store.knownPosition();
    // A subscription of this process has its place beside the log.
    const wasBefore = generation <= openedAt && generation > 0;
    const to = Math.min((wasBefore ? await loggedPlace(engine.store, name, generation) : undefined) ?? begins, end);
    await consumers.turn(name, (before) => {
      const isThere = before.acknowledged !== undefined && before.generation === generation;
      if (isThere) return { changes: [], result: () => undefined };
      const begun: ConsumerChange = { is: 'begun', to, generation };
      const isLost = live.definition.webhook !== undefined && generation <= openedAt && end > 0;
      return {
        changes: isLost ? [begun, { is: 'stopped', reason: lostPlace }] : [begun],
        result: () => undefined,
      };
    });
  };
  /** After a restore the log may end before the place that was acknowledged, or have another event there. */
  const checkPlace = async (name: string, live: Live): Promise<void> => {
    const { acknowledged = 0, last, stopped } = consumers.stateOf(name);
    const { event: end } = await engine.store.freshPosition();
    let problem = acknowledged > end ? `it is at position ${acknowledged}, and the log ends at ${end}` : undefined;
    if (problem === undefined && last !== undefined) {
      const range = { after: last.position - 1, until: last.position };
      const [row] = (await readRows(engine, live.domain, live.definition, range)).rows;
      if (row !== undefined && row.event !== last.event)
        problem = `the log has another event at position ${last.position} than the one that was acknowledged`;
    }
    if (problem !== undefined && stopped === undefined) {
      const reason = `${problem}: it was restored; say where to begin with start and a position`;
      await consumers.turn(name, () => ({ changes: [{ is: 'stopped', reason }], result: () => undefined }));
    }
    live.reader.restart(Math.min(acknowledged, end));
  };

  const turn: Lives['turn'] = <T>(live: Live, decide: (state: ConsumerState) => Decision<T>) =>
    consumers
      .turn(live.definition.name, (state) => {
        followState(live, state);
        const expired = expiredChanges(live.definition, state, now());
        // The decision sees the rows as given back, so it takes the next turn.
        if (expired.length > 0)
          return {
            changes: expired,
            result: (after: ConsumerState) => {
              pass(live, after);
              return undefined;
            },
          };
        const { changes = [], result } = decide(state);
        return { changes, result: (after) => ({ value: result(after) }) };
      })
      .then((done): T | Promise<T> => (done === undefined ? turn(live, decide) : done.value));
  const pass = (live: Live, state: ConsumerState): void => {
    followState(live, state);
    wake(live);
  };

  return {
    known: (name) => lives.get(name),
    begun,
    turn,
    pass,
    durableEnd: () => engine.store.knownPosition().event,
    isClosed: () => closed,
    close: () => {
      closed = true;
      for (const live of lives.values()) wake(live);
      if (joined !== undefined) tail.leave();
    },
  };
}

/** Of a webhook: beginning again by itself would send every row of the log once more, also from a copy of the data. */
const lostPlace = 'its place was not kept beside this log; say where to begin with start and a position';

/** The reader goes on from where the state is, which another server may have moved. */
function followState(live: Live, { acknowledged = 0, restarts }: ConsumerState): void {
  const { reader } = live;
  if (live.restarts !== restarts) live.late = [];
  if (live.restarts !== restarts || reader.through() < acknowledged) reader.restart(acknowledged);
  else reader.passed(acknowledged);
  live.restarts = restarts;
}

/** Leases whose time is over are failures of the first rows of their keys. */
function expiredChanges(
  { options }: SubscriptionDefinition,
  state: ConsumerState,
  time: number,
): readonly ConsumerChange[] {
  const over = [...state.leases.values()].filter((lease) => lease.until <= time && outIn(lease).length > 0);
  return over.flatMap((lease) => [
    ...firstOfKeys(lease).map((row) =>
      failureChange(state, { row, reason: 'its lease ran out', delay: 0 }, options, time),
    ),
    returned(lease.id, outIn(lease), 'expired'),
  ]);
}

/** The change by which rows of a lease are out no longer. */
export function returned(lease: string, positions: readonly number[], fate: Exclude<Fate, 'out'>): ConsumerChange {
  return { is: 'returned', lease, positions, fate };
}

function definitionOf(domain: Domain, name: string): SubscriptionDefinition {
  const found = domain.subscriptions.find((each) => each.name === name);
  if (found === undefined) throw fail('R0106', { kind: 'subscription', name, known: [] });
  return found;
}

function fingerprintOf({ blocks }: Domain, name: string): string {
  const text = blocks.find((block) => block.kind === 'subscription' && block.name === name)?.text ?? '';
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
