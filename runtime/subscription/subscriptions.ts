/**
 * The subscriptions of a server: hands rows out to consumers that compete, each row under a lease, and keeps what they acknowledge. A row is
 * delivered at least once; its position is the key by which a consumer recognises it.
 */
import { createHash } from 'node:crypto';
import type { Domain } from '../../language/contract/domain.ts';
import type { SubscriptionDefinition } from '../../language/contract/subscription.ts';
import { fail } from '../../language/failure/failure.ts';
import type { Engine } from '../engine/engine.ts';
import {
  outIn,
  type ConsumerChange,
  type ConsumerState,
  type Fate,
  type ParkedRow,
} from '../store/consumers/consumer-state.ts';
import type { Consumers } from '../store/consumers/consumers.ts';
import { readLastRow, readRows, type DeliveredRow } from './delivered-row.ts';
import { chooseRows } from './hand-out.ts';
import {
  attemptsOf,
  behind,
  behindLost,
  failureChange,
  firstOfKeys,
  hasRowsOfAnother,
  type FailedNow,
} from './lease.ts';
import { createRowReader, reachedBy, type RowReader } from './reader.ts';
import { generationOf, startingPosition } from './starting-position.ts';

/** Wakes when the log has grown. */
export interface Wakes {
  readonly join: () => Promise<number>;
  readonly leave: () => void;
  /** Why the log cannot be followed now. */
  readonly failure: () => Error | undefined;
  readonly change: (milliseconds: number, wake: (now: () => void) => void) => Promise<void>;
}

export interface SubscriptionsOptions {
  readonly engine: Engine;
  readonly consumers: Consumers;
  readonly tail: Wakes;
  /** ms since 1970. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** The last entry of the log when this process opened it. */
  readonly openedAt: number;
}

export interface NextRequest {
  readonly max: number;
  readonly waitSeconds: number;
  readonly leaseSeconds: number | undefined;
  /** Aborted when the consumer is gone. */
  readonly signal: AbortSignal;
}

export interface HandedRow extends DeliveredRow {
  readonly attempt: number;
  /** It was parked, and comes out of turn. */
  readonly late: boolean;
}

export interface HandedOut {
  readonly definition: SubscriptionDefinition;
  /** Undefined if there is no row. */
  readonly lease: string | undefined;
  /** ms since 1970. */
  readonly until: number;
  readonly rows: readonly HandedRow[];
}

/** Of rows named by a consumer: those that it no longer has. */
export interface Answered {
  readonly lost: readonly number[];
  /** False if there was never such a lease, or it is long gone. */
  readonly known: boolean;
}

export interface Standing {
  readonly acknowledged: number;
  readonly out: number;
  readonly parked: readonly ParkedRow[];
  /** Rows behind the acknowledged position that are not acknowledged; at least so many if `more`. */
  readonly lag: number;
  readonly more: boolean;
  /** Age of the oldest of them in seconds. */
  readonly lagSeconds: number;
  readonly stopped: string | undefined;
  readonly heldBy: number | undefined;
  readonly lastError: string | undefined;
}

export interface Subscriptions {
  readonly next: (name: string, request: NextRequest) => Promise<HandedOut>;
  readonly acknowledge: (name: string, lease: string, positions?: readonly number[]) => Promise<Answered>;
  readonly refuse: (
    name: string,
    lease: string,
    refusal: { readonly reason: string; readonly delaySeconds?: number; readonly park: boolean },
    positions?: readonly number[],
  ) => Promise<Answered>;
  /** Undefined if the lease is not there any longer, else its new end in ms since 1970. */
  readonly extend: (name: string, lease: string, seconds: number) => Promise<number | undefined>;
  /** Gives rows back that were not tried: all of the lease, or those named. */
  readonly giveBack: (name: string, lease: string, positions?: readonly number[]) => Promise<void>;
  /** The last row of the log, as far as it is among the last events; it is not handed out. */
  readonly lastRow: (name: string) => Promise<DeliveredRow | undefined>;
  readonly parked: (name: string) => Promise<readonly ParkedRow[]>;
  /** False if no such row is parked. */
  readonly settleParked: (name: string, position: number, how: 'retried' | 'discarded') => Promise<boolean>;
  /** The number of rows that are parked, which is what must be given, and whether they are retried now. */
  readonly retryAll: (name: string, count: number) => Promise<{ readonly parked: number; readonly done: boolean }>;
  /** The end of the log, and whether the position is not beyond it. */
  readonly reset: (name: string, position: number) => Promise<{ readonly end: number; readonly done: boolean }>;
  readonly stop: (name: string, reason: string) => Promise<void>;
  readonly start: (name: string) => Promise<void>;
  readonly standing: (name: string) => Promise<Standing>;
  /** Of all subscriptions: rows out, parked, and acknowledged since the start, and how many hand nothing out. */
  readonly totals: () => {
    readonly out: number;
    readonly parked: number;
    readonly stopped: number;
    readonly acknowledged: number;
  };
  /** Consumers that wait get nothing any longer. */
  readonly close: () => void;
}

const longestSleep = 30_000;
/** How long a consumer waits until it looks for rows that another server has given back. */
const sharedSleep = 250;

interface Live {
  domain: Domain;
  definition: SubscriptionDefinition;
  /** Identifies the definition, the same on every server. */
  by: string;
  readonly reader: RowReader;
  /** The restarts of the state that the reader follows. */
  restarts: number;
  late: DeliveredRow[];
  heldBy: number | undefined;
  /** The reader has rows of an earlier definition. */
  changed: boolean;
  readonly sleepers: Set<() => void>;
  /** Counts whatever may give a consumer rows. */
  changes: number;
  beginning: Promise<void> | undefined;
}

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { engine, consumers, tail, now, random, openedAt } = options;
  const lives = new Map<string, Live>();
  let closed = false;
  let acknowledgedRows = 0;
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

  /** Events up to here can be handed out; the tail, which wakes consumers, may be some milliseconds behind. */
  const durableEnd = (): number => engine.store.knownPosition().event;

  const definitionOf = (domain: Domain, name: string): SubscriptionDefinition => {
    const found = domain.subscriptions.find((each) => each.name === name);
    if (found === undefined) throw fail('R0106', { kind: 'subscription', name, known: [] });
    return found;
  };
  const liveOf = (name: string): Live => {
    const domain = engine.domain();
    const definition = definitionOf(domain, name);
    const known = lives.get(name);
    if (known !== undefined) {
      known.changed ||= known.definition !== definition;
      if (known.domain !== domain) known.by = fingerprintOf(domain, name);
      Object.assign(known, { domain, definition });
      return known;
    }
    const live: Live = {
      domain,
      definition,
      by: fingerprintOf(domain, name),
      reader: createRowReader(engine, () => live),
      restarts: 0,
      late: [],
      heldBy: undefined,
      changed: false,
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
      live.beginning = (async () => {
        const to = await startingPosition(engine.store, live.definition.start, generation);
        const { event: end } = engine.store.knownPosition();
        await consumers.turn(name, (before) => {
          const isThere = before.acknowledged !== undefined && before.generation === generation;
          if (isThere) return { changes: [], result: () => undefined };
          const begins: ConsumerChange = { is: 'begun', to, generation };
          const isLost = live.definition.webhook !== undefined && generation <= openedAt && end > 0;
          return {
            changes: isLost ? [begins, { is: 'stopped', reason: lostPlace }] : [begins],
            result: () => undefined,
          };
        });
      })();
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
  /** The reader goes on from where the state is, which another server may have moved. */
  const followState = (live: Live, state: ConsumerState): void => {
    const { acknowledged = 0, restarts } = state;
    const { reader } = live;
    if (live.restarts !== restarts) live.late = [];
    if (live.restarts !== restarts || reader.through() < acknowledged) reader.restart(acknowledged);
    else reader.passed(acknowledged);
    live.restarts = restarts;
  };
  /** Runs a turn after the leases whose time is over. `decide` may run several times. */
  const turn = <T>(
    live: Live,
    decide: (state: ConsumerState) => {
      changes?: readonly ConsumerChange[];
      result: (state: ConsumerState) => T;
    },
  ): Promise<T> =>
    consumers
      .turn(live.definition.name, (state) => {
        followState(live, state);
        const time = now();
        const over = [...state.leases.values()].filter((lease) => lease.until <= time && outIn(lease).length > 0);
        if (over.length > 0) {
          // The decision sees the rows as given back, so it takes the next turn.
          const expired = over.flatMap((lease) => [
            ...firstOfKeys(lease).map((row) =>
              failureChange(state, { row, reason: 'its lease ran out', delay: 0 }, live.definition.options, time),
            ),
            returned(lease.id, outIn(lease), 'expired'),
          ]);
          return {
            changes: expired,
            result: (after) => {
              pass(live, after);
              return undefined;
            },
          };
        }
        const { changes = [], result } = decide(state);
        return { changes, result: (after) => ({ value: result(after) }) };
      })
      .then((done) => (done === undefined ? turn(live, decide) : done.value));
  /** Rows that are behind the acknowledged position are not kept. */
  const pass = (live: Live, state: ConsumerState): void => {
    followState(live, state);
    wake(live);
  };
  /** The changes after which these rows are done. */
  const doneChanges = (live: Live, state: ConsumerState, positions: readonly number[]): readonly ConsumerChange[] => {
    const { to, last } = reachedBy(live.reader, state, new Set(positions));
    const beyond = positions.filter((position) => position > to || state.late.has(position));
    const moves = to > (state.acknowledged ?? 0);
    if (positions.length === 0 && !moves) return [];
    return [
      {
        is: 'done',
        positions: beyond,
        ...(moves && { to }),
        ...(moves && last !== undefined && { last: { position: last.position, event: last.event } }),
      },
    ];
  };

  const readLate = async (name: string, live: Live): Promise<void> => {
    const { late } = consumers.stateOf(name);
    live.late = live.late.filter(({ position }) => late.has(position));
    const missing = [...late.keys()].filter((position) => !live.late.some((row) => row.position === position));
    for (const position of missing.slice(0, 100)) {
      const [row] = (await readRows(engine, live.domain, live.definition, { after: position - 1, until: position }))
        .rows;
      if (row !== undefined) live.late.push(row);
      // The definition leaves it out by now.
      else await turn(live, () => ({ changes: [{ is: 'done', positions: [position] }], result: () => undefined }));
    }
  };
  /** Reads ahead so that there are as many rows as wanted, if the log has them. */
  const readAhead = (name: string, live: Live, wanted: number): Promise<void> =>
    readWhile(name, live, () => freeRows(name, live) < wanted);
  const readWhile = async (name: string, live: Live, isWanted: () => boolean): Promise<void> => {
    const { reader } = live;
    const end = durableEnd();
    while (!reader.isFull() && reader.through() < end && isWanted() && !closed) {
      const faulty = await reader.readOn(end);
      const at = now();
      if (faulty.length > 0)
        await turn(live, () => ({
          changes: faulty.map(({ position, reason }) => ({
            is: 'parked',
            row: { position, event: '', key: null, attempts: 0, reason, at },
          })),
          result: () => undefined,
        }));
      // A long run of events without rows is remembered now and then.
      const { acknowledged = 0 } = consumers.stateOf(name);
      if (reader.rows().length === 0 && reader.through() > acknowledged + farBehind)
        await turn(live, (state) => ({ changes: doneChanges(live, state, []), result: () => undefined }));
    }
  };
  const freeRows = (name: string, live: Live): number => {
    const { done, failed, out } = consumers.stateOf(name);
    return live.reader.rows().length - out.size - done.size - failed.size;
  };

  const take = (live: Live, request: NextRequest): Promise<HandedOut & { readonly soonest: number | undefined }> =>
    turn<HandedOut & { readonly soonest: number | undefined }>(live, (state) => {
      const { definition } = live;
      const time = now();
      const nothing = { definition, lease: undefined, until: time, rows: [], soonest: undefined };
      if (state.stopped !== undefined || live.changed || hasRowsOfAnother(state, live.by))
        return { result: () => nothing };
      const waiting = {
        ...{ rows: live.reader.rows(), late: live.late, state, options: definition.options, now: time },
        isOut: (position: number) => state.out.has(position),
      };
      const { rows, heldBy, soonest } = chooseRows(waiting, request.max);
      live.heldBy = heldBy ?? rows[0]?.position;
      if (rows.length === 0) return { result: () => ({ ...nothing, soonest }) };
      const seconds = request.leaseSeconds ?? definition.options.leaseSeconds;
      const lease = Buffer.from(random(16)).toString('hex');
      const until = time + seconds * 1000;
      const handed = rows.map((row) => ({
        ...row,
        attempt: attemptsOf(state, row.position) + 1,
        late: state.late.has(row.position),
      }));
      const leased = rows.map(({ position, event, key }) => ({ position, event, key }));
      return {
        changes: [
          // Rows whose acknowledgement came to a server that had not read them.
          ...(consumers.isShared ? doneChanges(live, state, []) : []),
          { is: 'leased', lease, by: live.by, until, rows: leased },
        ],
        result: () => ({ definition, lease, until, rows: handed, soonest: undefined }),
      };
    });

  /** By a new definition, once the rows of the old one are back. */
  const startOver = (name: string, live: Live): void => {
    if (!live.changed || hasRowsOfAnother(consumers.stateOf(name), live.by)) return;
    live.changed = false;
    live.late = [];
    live.reader.restart(consumers.stateOf(name).acknowledged ?? 0);
  };
  const sleep = async (live: Live, milliseconds: number, signal: AbortSignal): Promise<void> => {
    let resume = (): void => undefined;
    const slept = tail.change(milliseconds, (awaken) => {
      resume = awaken;
      live.sleepers.add(resume);
      signal.addEventListener('abort', resume, { once: true });
    });
    if (signal.aborted) resume();
    await slept;
    live.sleepers.delete(resume);
    signal.removeEventListener('abort', resume);
  };

  const next = async (name: string, request: NextRequest): Promise<HandedOut> => {
    const end = now() + request.waitSeconds * 1000;
    let wanted = request.max;
    for (;;) {
      const live = await begun(name);
      await readLate(name, live);
      startOver(name, live);
      if (!live.changed) await readAhead(name, live, wanted);
      const seen = live.changes;
      const { soonest, ...handed } = await take(live, request);
      if (handed.lease !== undefined) {
        if (request.signal.aborted) await giveBack(name, handed.lease);
        return handed;
      }
      const time = now();
      if (time >= end || request.signal.aborted || closed) return handed;
      // There may be rows of other keys behind those that wait.
      if (!live.reader.isFull() && live.reader.through() < durableEnd()) {
        wanted = freeRows(name, live) + request.max;
        continue;
      }
      const leaseEnd = Math.min(...[...consumers.stateOf(name).out.values()].map(({ until }) => until));
      const longest = consumers.isShared ? sharedSleep : longestSleep;
      const wait = Math.min(end, soonest ?? Infinity, leaseEnd, time + longest) - time;
      if (wait > 0 && seen === live.changes) await sleep(live, Math.max(1, wait), request.signal);
    }
  };
  const giveBack: Subscriptions['giveBack'] = async (name, id, positions) => {
    const live = lives.get(name);
    if (live === undefined) return;
    const isNamed = (position: number): boolean => positions?.includes(position) ?? true;
    await turn(live, ({ leases }) => {
      const lease = leases.get(id);
      return {
        changes: lease === undefined ? [] : [returned(id, outIn(lease).filter(isNamed), 'given back')],
        result: (after) => pass(live, after),
      };
    });
  };

  const acknowledge: Subscriptions['acknowledge'] = async (name, id, positions) => {
    const live = await begun(name);
    const handed = consumers.stateOf(name).leases.get(id);
    // Another server may have read the rows; a server that has read them can tell how far all are done.
    if (consumers.isShared && !live.changed && handed !== undefined) {
      const last = Math.max(...handed.rows.keys());
      await readWhile(name, live, () => live.reader.through() < last);
    }
    return turn<Answered>(live, (state) => {
      const lease = state.leases.get(id);
      if (lease === undefined) return { result: () => ({ known: false, lost: positions ?? [] }) };
      const wanted = positions ?? [...lease.rows.keys()];
      const isLost = (position: number): boolean => {
        const fate = lease.fates.get(position);
        if (fate === 'out' || fate === 'acknowledged') return false;
        return fate !== 'expired' || state.parked.has(position);
      };
      const gone = wanted.filter(isLost);
      // Nor those behind them with their key, which follow once they are done elsewhere.
      const after = behindLost(lease, gone);
      const lost = wanted.filter((position) => gone.includes(position) || after.has(position));
      const done = wanted.filter(
        (position) => !lost.includes(position) && lease.fates.get(position) !== 'acknowledged',
      );
      return {
        changes: [
          ...doneChanges(live, state, done),
          ...(done.length === 0 ? [] : [returned(id, done, 'acknowledged')]),
        ],
        result: (state) => {
          acknowledgedRows += done.length;
          pass(live, state);
          return { known: true, lost };
        },
      };
    });
  };

  const refuse: Subscriptions['refuse'] = async (name, id, { reason, delaySeconds, park }, positions) => {
    const live = await begun(name);
    const { options } = live.definition;
    return turn<Answered>(live, (state) => {
      const lease = state.leases.get(id);
      if (lease === undefined) return { result: () => ({ known: false, lost: positions ?? [] }) };
      const wanted = positions ?? outIn(lease);
      const lost = wanted.filter((position) => lease.fates.get(position) !== 'out');
      const named = wanted.flatMap((position) => (lost.includes(position) ? [] : (lease.rows.get(position) ?? [])));
      // Of one key only the first has failed; those behind it were not tried on their own.
      const after = new Set(behind(lease, named));
      const rows = named.filter(({ position }) => park || !after.has(position));
      const time = now();
      const failed = rows.map((row): FailedNow => ({
        row,
        reason,
        delay: park ? 'park' : (delaySeconds ?? backoff(options, attemptsOf(state, row.position))) * 1000,
      }));
      const back = [...new Set([...named.map(({ position }) => position), ...after])];
      return {
        changes: [
          ...failed.map((each) => failureChange(state, each, options, time)),
          ...(back.length === 0 ? [] : [returned(id, back, 'given back')]),
        ],
        result: () => ({ known: true, lost }),
      };
    }).then(async (answered) => {
      // A parked row no longer holds the acknowledged position back.
      await turn(live, (state) => ({ changes: doneChanges(live, state, []), result: (after) => pass(live, after) }));
      return answered;
    });
  };

  const change = async (
    name: string,
    changes: (state: ConsumerState) => readonly ConsumerChange[],
  ): Promise<boolean> => {
    const live = await begun(name);
    return turn(live, (state) => {
      const made = changes(state);
      return {
        changes: made,
        result: (after) => {
          pass(live, after);
          return made.length > 0;
        },
      };
    });
  };

  return {
    next,
    acknowledge,
    refuse,
    giveBack,
    lastRow: async (name) => {
      const { domain, definition } = await begun(name);
      return readLastRow(engine, domain, definition, durableEnd());
    },
    extend: async (name, id, seconds) => {
      const live = await begun(name);
      return turn(live, ({ leases }) => {
        const lease = leases.get(id);
        if (lease === undefined || outIn(lease).length === 0) return { result: () => undefined };
        const until = now() + seconds * 1000;
        return { changes: [{ is: 'extended', lease: id, until }], result: () => until };
      });
    },
    parked: async (name) => {
      await begun(name);
      return byPosition(consumers.stateOf(name).parked.values());
    },
    settleParked: (name, position, how) =>
      change(name, ({ parked }) => (parked.has(position) ? [{ is: how, position }] : [])),
    retryAll: async (name, count) => {
      let parked = 0;
      const done = await change(name, (state) => {
        parked = state.parked.size;
        return parked === count ? [...state.parked.keys()].map((position) => ({ is: 'retried', position })) : [];
      });
      return { parked, done: done || (parked === 0 && count === 0) };
    },
    reset: async (name, position) => {
      const live = await begun(name);
      const { event: end } = await engine.store.freshPosition();
      if (position > end) return { end, done: false };
      await turn(live, () => ({
        changes: [{ is: 'reset', to: position }],
        result: (after) => pass(live, after),
      }));
      return { end, done: true };
    },
    stop: async (name, reason) => {
      await change(name, () => [{ is: 'stopped', reason }]);
    },
    start: async (name) => {
      await change(name, ({ stopped }) => (stopped === undefined ? [] : [{ is: 'started' }]));
    },
    standing: async (name) => {
      const live = await begun(name);
      await readAhead(name, live, 1);
      const { acknowledged = 0, parked, done, out, stopped, lastError } = consumers.stateOf(name);
      const rows = live.reader.rows();
      const oldest = rows.find(({ position }) => !done.has(position) && !parked.has(position));
      const waiting = rows.filter(({ position }) => !done.has(position) && !parked.has(position)).length;
      return {
        acknowledged,
        out: out.size,
        parked: byPosition(parked.values()),
        lag: waiting,
        more: live.reader.through() < durableEnd(),
        lagSeconds: oldest === undefined ? 0 : Math.max(0, Math.floor(now() / 1000 - Number(oldest.at / 1_000_000n))),
        stopped,
        heldBy: oldest === undefined ? undefined : live.heldBy,
        lastError,
      };
    },
    totals: () => {
      const states = consumers.names().map(consumers.stateOf);
      return {
        out: states.reduce((sum, { out }) => sum + out.size, 0),
        parked: states.reduce((sum, { parked }) => sum + parked.size, 0),
        stopped: states.filter(({ stopped }) => stopped !== undefined).length,
        acknowledged: acknowledgedRows,
      };
    },
    close: () => {
      closed = true;
      for (const live of lives.values()) wake(live);
      if (joined !== undefined) tail.leave();
    },
  };
}

/** Of a webhook: beginning again by itself would send every row of the log once more, also from a copy of the data. */
const lostPlace = 'its place was not kept beside this log; say where to begin with start and a position';

/** Events without a row after which the place is kept. */
const farBehind = 10_000;

/** Seconds before the next try: twice as long each time. */
function backoff(
  { firstDelaySeconds, longestDelaySeconds }: SubscriptionDefinition['options'],
  attempts: number,
): number {
  return Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** Math.min(attempts, 30));
}

function returned(lease: string, positions: readonly number[], fate: Exclude<Fate, 'out'>): ConsumerChange {
  return { is: 'returned', lease, positions, fate };
}

function fingerprintOf({ blocks }: Domain, name: string): string {
  const text = blocks.find((block) => block.kind === 'subscription' && block.name === name)?.text ?? '';
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function byPosition(rows: Iterable<ParkedRow>): readonly ParkedRow[] {
  return [...rows].sort((one, other) => one.position - other.position);
}
