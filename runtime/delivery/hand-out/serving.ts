import { createHash } from 'node:crypto';
import type { Domain } from '../../../language/contract/domain.ts';
import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import { fail } from '../../../language/failure/failure.ts';
import { outIn, type ConsumerChange, type ConsumerState } from '../../store/side/consumer-state.ts';
import { failureChange, firstOfKeys, returned } from '../order.ts';
import { readRow, type DeliveredRow } from './delivered-row.ts';
import { createRowCounter, type RowCounter } from './lag.ts';
import { generationOf, loggedPlace, startingPosition } from './places.ts';
import { createRowReader, type RowReader } from './reader.ts';
import type { SubscriptionsOptions } from './subscriptions.ts';

/** A subscription as this server serves it, in addition to the state that its servers share. */
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

/** Result of a turn. */
export interface Decision<T> {
  readonly changes?: readonly ConsumerChange[];
  /** Rows may be free after it, so the consumers that wait for some are woken. */
  readonly frees?: true;
  /** Computed once the changes are durable and applied. */
  readonly result: (state: ConsumerState) => T;
}

/** The subscriptions that were asked for, as all functions here share them. */
export interface Serving extends SubscriptionsOptions {
  /** Follows the log and the definition in force; begins a subscription that has never been asked for. */
  readonly begun: (name: string) => Promise<Live>;
  /** Undefined if no caller has asked for it yet. */
  readonly known: (name: string) => Live | undefined;
  readonly stateOf: (live: Live) => ConsumerState;
  /** Runs a turn after the leases whose time is over. `decide` may run several times. */
  readonly turn: <T>(live: Live, decide: (state: ConsumerState) => Decision<T>) => Promise<T>;
  /** Events up to here can be handed out; the tail, which wakes consumers, may be some milliseconds behind. */
  readonly durableEnd: () => number;
  /** Since the start: rows acknowledged, and parked rows that a new definition left out. */
  readonly counts: { acknowledged: number; leftOut: number };
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

export function createServing(options: SubscriptionsOptions): Serving {
  const { engine, consumers, tail, now, openedAt } = options;
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
    const present = consumers.isShared ? engine.store.turns.fresh() : undefined;
    await Promise.all([join(), consumers.refresh(name), present]);
    const live = liveOf(name);
    const generation = generationOf(engine.store.log.schema(), name);
    const state = consumers.stateOf(name);
    const isThere = state.generation === generation;
    if (!isThere || live.beginning === undefined)
      live.beginning =
        isThere && state.acknowledged !== undefined ? checkPlace(name, live) : begin(name, live, generation);
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
    const { event: end } = engine.store.turns.position();
    // A subscription of this process has its place next to the log.
    const wasBefore = generation <= openedAt && generation > 0;
    const to = Math.min((wasBefore ? await loggedPlace(engine.store, name, generation) : undefined) ?? begins, end);
    const isLost = live.definition.webhook !== undefined && generation <= openedAt && end > 0;
    const changes: readonly ConsumerChange[] = [
      { is: 'begun', to, generation },
      ...(isLost ? [{ is: 'stopped', reason: lostPlace } as const] : []),
    ];
    await consumers.turn(name, (before) => ({
      changes: before.acknowledged !== undefined && before.generation === generation ? [] : changes,
      result: () => undefined,
    }));
  };
  /** After a restore the log may end before the place that was acknowledged, or have another event there. */
  const checkPlace = async (name: string, live: Live): Promise<void> => {
    const { acknowledged = 0, last, stopped } = consumers.stateOf(name);
    const { event: end } = await engine.store.turns.fresh();
    let problem = acknowledged > end ? `it is at position ${acknowledged}, and the log ends at ${end}` : undefined;
    if (problem === undefined && last !== undefined) {
      const row = await readRow(engine, live, last.position);
      if (row !== undefined && row.event !== last.event)
        problem = `the log has another event at position ${last.position} than the one that was acknowledged`;
    }
    if (problem !== undefined && stopped === undefined) {
      const reason = `${problem}: it was restored; say where to begin with start and a position`;
      await consumers.turn(name, () => ({ changes: [{ is: 'stopped', reason }], result: () => undefined }));
    }
    live.reader.restart(Math.min(acknowledged, end));
  };

  const turn: Serving['turn'] = async <T>(live: Live, decide: (state: ConsumerState) => Decision<T>) => {
    const { definition } = live;
    for (;;) {
      const done = await consumers.turn(definition.name, (state) => {
        followState(live, state);
        const expired = expiredChanges(live.definition, state, now());
        // The decision sees their rows as given back, so it takes the next turn.
        const decided = expired.length > 0 ? undefined : decide(state);
        const { changes = [], frees } = decided ?? ({ changes: expired, frees: true } as const);
        return {
          changes,
          result: (after) => {
            if (frees === true) {
              followState(live, after);
              wake(live);
            }
            return decided === undefined ? undefined : { value: decided.result(after) };
          },
        };
      });
      if (done !== undefined) return done.value;
    }
  };

  return {
    ...options,
    begun,
    known: (name) => lives.get(name),
    stateOf: ({ definition }) => consumers.stateOf(definition.name),
    turn,
    durableEnd: () => engine.store.turns.position().event,
    counts: { acknowledged: 0, leftOut: 0 },
    isClosed: () => closed,
    close: () => {
      closed = true;
      for (const live of lives.values()) wake(live);
      if (joined !== undefined) tail.leave();
    },
  };
}

/** For a webhook: beginning again by itself would send every row of the log once more, also from a copy of the data. */
const lostPlace = 'its place was not kept with this log; say where to begin with start and a position';

/** Moves the reader to the position of the state, which another server may have moved. */
function followState(live: Live, { acknowledged = 0, restarts }: ConsumerState): void {
  const { reader } = live;
  if (live.restarts !== restarts) live.late = [];
  if (live.restarts !== restarts || reader.through() < acknowledged) reader.restart(acknowledged);
  else reader.passed(acknowledged);
  live.restarts = restarts;
}

/** Leases whose time is over are failures of the first rows of their keys. */
function expiredChanges(
  { options: { attempts: most } }: SubscriptionDefinition,
  state: ConsumerState,
  time: number,
): readonly ConsumerChange[] {
  const failure = { reason: 'its lease ran out', delay: 0, most, now: time };
  return [...state.leases.values()]
    .filter(({ until }) => until <= time)
    .flatMap((lease) => [
      ...firstOfKeys(lease).map((row) => failureChange(state, row, failure)),
      ...returned(lease.id, outIn(lease), 'expired'),
    ]);
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
