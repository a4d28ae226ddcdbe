/**
 * The subscriptions of a server: hands rows out to consumers that compete, each row under a lease, and keeps what they acknowledge. A row is
 * delivered at least once; its position is the key by which a consumer recognises it.
 */
import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ParkedRow } from '../../store/side/consumer-state.ts';
import type { Consumers } from '../../store/side/consumers.ts';
import type { DeliveredRow } from './delivered-row.ts';
import { createNext } from './next.ts';
import { createOperating } from './operate.ts';
import { createPlaceWriter } from './places.ts';
import { createReturnRows } from './return-rows.ts';
import { createServing } from './serving.ts';

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
  /** Names this server among those of the log. */
  readonly holder: string;
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
  /** True if it was parked, and comes out of turn. */
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

export interface Answered {
  /** Rows that the consumer named and no longer had; the others are done. */
  readonly lost: readonly number[];
  /** Every row up to here is done by now. */
  readonly acknowledged: number;
}

/** A position of the log, or its end. */
export type Position = number | 'end';

/** Rows that a consumer could not process. */
export interface Refusal {
  readonly reason: string;
  /** Until they are handed out again; by default longer each time. */
  readonly delaySeconds?: number;
  /** True if they are not tried again by themselves. */
  readonly park: boolean;
  /** True if they count no attempt, and nothing is handed out until an operator starts the subscription. */
  readonly stop?: boolean;
}

export interface Standing {
  readonly acknowledged: number;
  readonly out: number;
  readonly parked: readonly ParkedRow[];
  /** Rows behind the acknowledged position that are not acknowledged; at least this number if `more`. */
  readonly lag: number;
  readonly more: boolean;
  /** Age of the oldest of them in seconds. */
  readonly lagSeconds: number;
  readonly stopped: string | undefined;
  readonly heldBy: number | undefined;
  readonly lastError: string | undefined;
}

/** A call that can do nothing throws `Refused`. */
export interface Subscriptions {
  readonly next: (name: string, request: NextRequest) => Promise<HandedOut>;
  readonly acknowledge: (name: string, lease: string, positions?: readonly number[]) => Promise<Answered>;
  readonly refuse: (name: string, lease: string, refusal: Refusal, positions?: readonly number[]) => Promise<Answered>;
  /** Gives the new end of the lease in ms since 1970. */
  readonly extend: (name: string, lease: string, seconds: number) => Promise<number>;
  /** Gives rows back that were not tried: all of the lease, or those named. */
  readonly giveBack: (name: string, lease: string, positions?: readonly number[]) => Promise<void>;
  /** Gives back untried all rows that are out by the present definition, also those of other servers. */
  readonly takeBack: (name: string) => Promise<void>;
  /** The last row of the log, as far as it is among the last events; it is not handed out. */
  readonly lastRow: (name: string) => Promise<DeliveredRow | undefined>;
  readonly parked: (name: string) => Promise<readonly ParkedRow[]>;
  readonly settleParked: (name: string, position: number, how: 'retried' | 'discarded') => Promise<void>;
  /** Retries all rows that are parked; `count`, their number, guards against a slip. */
  readonly retryAll: (name: string, count: number) => Promise<void>;
  /** Begins again behind a position, which it gives. */
  readonly reset: (name: string, position: Position) => Promise<number>;
  readonly stop: (name: string, reason: string) => Promise<void>;
  /** With a position both are one turn, so that a call which fails has done neither. */
  readonly start: (name: string, position?: Position) => Promise<void>;
  /** Number of times that an operator has started it, at any server. */
  readonly starts: (name: string) => Promise<number>;
  readonly standing: (name: string) => Promise<Standing>;
  /**
   * Totals of all subscriptions: rows out, parked, and acknowledged since the start, the number that hand nothing out, and the parked rows
   * that a new definition left out since the start.
   */
  readonly totals: () => {
    readonly out: number;
    readonly parked: number;
    readonly stopped: number;
    readonly acknowledged: number;
    readonly leftOut: number;
  };
  /** Writes to the log how far they have come, if they have moved since the last time. */
  readonly logPlaces: () => Promise<void>;
  /** Consumers that wait get nothing any longer. */
  readonly close: () => void;
}

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const serving = createServing(options);
  const returning = createReturnRows(serving);
  return {
    next: createNext(serving, returning.giveBack),
    ...returning,
    ...createOperating(serving),
    logPlaces: createPlaceWriter(options),
    close: serving.close,
  };
}
