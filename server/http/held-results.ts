/**
 * One budget for all results that are held at once (docs/http.md#long-answers). A request is charged before its result is computed, with
 * the most that the result may take; then with its real size; and with nothing once the last byte is handed to the socket. A request waits
 * for room that is only lent to unfinished results, and is refused if the room is held for clients that do not read.
 */
import { createHeldAccount, nothing, smallResult, type Charge, type HeldAccount } from './held-account.ts';
import { Busy, HungUp } from './answers/problem.ts';
import { createQuickReads, type QuickReads } from './quick-reads.ts';
import type { HttpLimits } from './settings.ts';

export interface HeldResults {
  /** For the results of one request, which must be released in the end. `forWhom` identifies the caller, `what` the requested resource. */
  readonly open: (forWhom: string, what: string) => Lease;
  /** Bytes charged now. */
  readonly bytes: () => number;
}

/** The memory held for one request. */
export interface Lease {
  /**
   * Charges for a result that is about to be computed, replacing the previous charge. Gives the bytes that the result may take, which is
   * less than `most` while little is left. Rejects with `Busy` if there is no room at all.
   */
  readonly forResult: (most: number, by?: Computing) => Promise<number>;
  /** Charges for a small part of a result, likewise. */
  readonly forPart: (bytes: number, how?: PartOptions) => Promise<number>;
  /** Charges for a text that exists or is being received. */
  readonly forText: (bytes: number) => Promise<number>;
  /** The result takes this many bytes. Throws `Busy` if that is more than the charge, more than a small result, and has no room. */
  readonly holds: (bytes: number) => void;
  /** This many bytes are being sent, besides the result. Throws `Busy` likewise. */
  readonly sends: (bytes: number) => void;
  /** Whether the requested resource was recently seen to be large: then it need not be tried as a small one. */
  readonly isKnownLarge: () => boolean;
  /** The result is larger than a small one may be. */
  readonly isLarge: () => void;
  /** Which reads of all requests were quick. */
  readonly quickReads: QuickReads;
  /** Ends all holding and waiting; a result that is being computed stays charged until it is done. */
  readonly release: () => void;
}

/**
 * The part of the program that computes a result. The read model also answers the queries of commands, so few results are computed there at
 * once, and more of those that are known to be quick.
 */
export type Computing = 'read model' | 'quick read' | 'other';

interface PartOptions {
  readonly by?: Computing;
  /** Also waits for room that is held for others. */
  readonly patient?: boolean;
}

type Limits = Pick<HttpLimits, 'resultBytes' | 'resultMilliseconds' | 'heldBytes'>;

/** The shares of one connection and of one caller. A connection has one running request. */
const ofConnection = 1 / 4;
const ofCaller = 1 / 2;

/** Maximum number of results that the read model computes or queues at once, and that a command may have to wait for. */
const askedAtOnce: Readonly<Record<Computing, number>> = { 'read model': 2, 'quick read': 64, other: Infinity };
/** How long a large result is remembered, and how many are. */
const knownMilliseconds = 10_000;
const mostKnown = 1_000;

/** The maximum size of one result. */
export function mostOfResult({ resultBytes, heldBytes }: Pick<Limits, 'resultBytes' | 'heldBytes'>): number {
  return Math.min(resultBytes, Math.floor(heldBytes * ofConnection));
}

interface Wanted {
  /** The first size that has room. */
  readonly sizes: readonly number[];
  readonly by: Computing;
  readonly patient: boolean;
}

/** A request that waits for room. */
interface Waiting {
  readonly by: Computing;
  /** Tries again to get room; true if it no longer waits. */
  readonly tryAgain: () => boolean;
}

interface Shared {
  /** When each requested resource was last seen to be large. */
  readonly large: Map<string, number>;
  /** Results that are being computed. */
  readonly asked: Record<Computing, number>;
  readonly quickReads: QuickReads;
  readonly milliseconds: number;
  readonly waiting: Set<Waiting>;
  /** Room became free. */
  readonly freed: () => void;
}

export function createHeldResults(limits: Limits): HeldResults {
  const allCallers = createHeldAccount(limits.heldBytes);
  const callers = new Map<string, HeldAccount>();
  const waiting = new Set<Waiting>();
  let isScheduled = false;
  const serveWaiting = (): void => {
    isScheduled = false;
    // Waiting requests are tried in order of arrival; one that still has no room does not block the others.
    for (const one of waiting) {
      const isCrowded = shared.asked[one.by] >= askedAtOnce[one.by];
      if (!isCrowded && one.tryAgain()) waiting.delete(one);
    }
  };
  const shared: Shared = {
    large: new Map(),
    asked: { 'read model': 0, 'quick read': 0, other: 0 },
    quickReads: createQuickReads(),
    milliseconds: limits.resultMilliseconds,
    waiting,
    // Once per turn of the event loop: a thousand may wait, and a thousand may release.
    freed: () => {
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(serveWaiting);
    },
  };
  return {
    bytes: allCallers.bytes,
    open: (forWhom, what) => {
      const caller = callers.get(forWhom) ?? createHeldAccount(limits.heldBytes * ofCaller);
      callers.set(forWhom, caller);
      caller.requests += 1;
      return createLease(shared, what, [allCallers, caller], () => {
        caller.requests -= 1;
        if (caller.requests === 0) callers.delete(forWhom);
      });
    },
  };
}

function createLease(shared: Shared, what: string, accounts: readonly HeldAccount[], forget: () => void): Lease {
  const { waiting } = shared;
  let charged = nothing;
  /** What is computing for it. */
  let asks: Computing | undefined;
  let released = false;
  let giveUp: (() => void) | undefined;

  const charge = (after: Charge): void => {
    const before = charged;
    charged = after;
    for (const account of accounts) account.replace(before, after);
    if (asks !== undefined && !after.lent) {
      shared.asked[asks] -= 1;
      asks = undefined;
    }
    if (waiting.size > 0 && isLess(after, before)) shared.freed();
  };
  const fits = (after: Charge, later = false): boolean =>
    accounts.every((account) => account.fits(charged, after, later));
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    charge(nothing);
    forget();
  };
  const isLarge = (): void => {
    shared.large.delete(what);
    shared.large.set(what, performance.now());
    if (shared.large.size > mostKnown)
      for (const oldest of shared.large.keys()) return void shared.large.delete(oldest);
  };
  const isKnownLarge = (): boolean => performance.now() - (shared.large.get(what) ?? -Infinity) < knownMilliseconds;
  /** A small existing result is charged whether there is room or not. */
  const chargeAtOnce = (more: number, after: Charge): void => {
    if (more > smallResult && !fits(after)) throw noRoom();
    charge(after);
  };
  /** The first of these sizes that has room; `later` while waiting for one of them makes sense. */
  const choose = ({ sizes, by }: Wanted): number | 'later' | 'never' => {
    const isCrowded = asks === undefined && shared.asked[by] >= askedAtOnce[by];
    for (const bytes of sizes) {
      const after = { ...charged, bytes };
      if (fits(after)) return isCrowded ? 'later' : bytes;
      if (fits(after, true)) return 'later';
    }
    return 'never';
  };

  const grant = (bytes: number, { by }: Wanted): number => {
    charge({ bytes, lent: true, sending: charged.sending });
    if (asks === undefined) {
      asks = by;
      shared.asked[by] += 1;
    }
    return bytes;
  };
  const room = async (wanted: Wanted): Promise<number> => {
    if (released) throw new HungUp();
    const found = choose(wanted);
    if (typeof found === 'number') return grant(found, wanted);
    if (found === 'never' && !wanted.patient) throw noRoom();
    return waitFor(wanted);
  };
  const waitFor = (wanted: Wanted): Promise<number> =>
    new Promise((resolve, reject) => {
      const entry: Waiting = {
        by: wanted.by,
        tryAgain: () => {
          const found = choose(wanted);
          if (found === 'later' || (found === 'never' && wanted.patient)) return false;
          leave();
          if (found === 'never') reject(noRoom());
          else resolve(grant(found, wanted));
          return true;
        },
      };
      const leave = (): void => {
        clearTimeout(timer);
        giveUp = undefined;
        waiting.delete(entry);
      };
      const timer = setTimeout(() => {
        leave();
        reject(noRoom());
      }, shared.milliseconds);
      giveUp = () => {
        leave();
        reject(new HungUp());
      };
      waiting.add(entry);
    });

  return {
    forResult: (most, by = 'read model') =>
      room({ sizes: most > smallResult && !isKnownLarge() ? [most, smallResult] : [most], by, patient: false }),
    forPart: (bytes, { by = 'read model', patient = false } = {}) => room({ sizes: [bytes], by, patient }),
    forText: async (bytes) => {
      const given = await room({ sizes: [bytes], by: 'other', patient: false });
      charge({ ...charged, lent: false });
      return given;
    },
    holds: (bytes) => {
      if (bytes > smallResult) isLarge();
      else if (bytes > 0) shared.large.delete(what);
      if (released) end();
      else chargeAtOnce(bytes - charged.bytes, { bytes, lent: false, sending: charged.sending });
    },
    sends: (sending) => {
      if (!released) chargeAtOnce(sending - charged.sending, { bytes: charged.bytes, lent: charged.lent, sending });
    },
    isKnownLarge,
    isLarge,
    quickReads: shared.quickReads,
    release: () => {
      if (released) return;
      released = true;
      giveUp?.();
      if (!charged.lent) end();
    },
  };
}

function isLess(after: Charge, before: Charge): boolean {
  return after.bytes + after.sending < before.bytes + before.sending || (before.lent && !after.lent);
}

export function noRoom(): Busy {
  return new Busy('there is no room for this result while other results are held; try again in a moment');
}
