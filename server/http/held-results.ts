/**
 * One budget for all results that are held at once (docs/http.md#long-answers). A request is charged before its result is computed, with
 * the most that the result may take; then with what it takes; and with nothing once the last byte is handed to the socket. A request waits
 * for room that is only lent to results under way, and is refused where the room is held for clients that do not read.
 */
import { createHeldAccount, nothing, smallResult, type Charge, type HeldAccount } from './held-account.ts';
import { Busy, HungUp } from './answers/problem.ts';
import type { HttpLimits } from './settings.ts';

export interface HeldResults {
  /** For the results of one request, which must be released in the end. `forWhom` tells callers apart, `what` what is asked for. */
  readonly open: (forWhom: string, what: string) => Lease;
  /** Charged at the moment. */
  readonly bytes: () => number;
}

/** What one request holds. */
export interface Lease {
  /**
   * Charges for a result that is about to be computed, in place of what was charged; gives how many bytes it may take, which is less than
   * `most` while little is left. Rejects with `Busy` where there is no room at all.
   */
  readonly forResult: (most: number, by?: Computing) => Promise<number>;
  /** Charges for a small part of a result, likewise; `patient` waits for room that is held for others, too. */
  readonly forPart: (bytes: number, patient?: boolean) => Promise<number>;
  /** Charges for what is there, or is being received. */
  readonly forText: (bytes: number) => Promise<number>;
  /** The result takes so many bytes. Throws `Busy` where that is more than was charged, no small thing, and has no room. */
  readonly holds: (bytes: number) => void;
  /** So many bytes are being sent, beside the result. Throws `Busy` likewise. */
  readonly sends: (bytes: number) => void;
  /** Whether what is asked for was seen to be no small result a moment ago: then it need not be tried as one. */
  readonly isKnownLarge: () => boolean;
  /** The result is past what a small one may take. */
  readonly isLarge: () => void;
  /** Nothing is held any more, and nothing waited for; what is being computed stays charged until it is there. */
  readonly release: () => void;
}

/** What computes a result. The read model also answers what commands ask, so few of its results are computed at once. */
export type Computing = 'read model' | 'other';

type Limits = Pick<HttpLimits, 'resultBytes' | 'resultMilliseconds' | 'heldBytes'>;

/** What one connection and what one caller may hold. A connection has one request under way. */
const ofConnection = 1 / 4;
const ofCaller = 1 / 2;

/** Results that the read model is asked for at once: one that it computes, and the next. A command waits behind no more of them. */
const askedAtOnce = 2;
/** How long it is known that a result is no small one, and of how many. */
const knownMilliseconds = 10_000;
const mostKnown = 1_000;

/** The most that one result may take. */
export function mostOfResult({ resultBytes, heldBytes }: Pick<Limits, 'resultBytes' | 'heldBytes'>): number {
  return Math.min(resultBytes, Math.floor(heldBytes * ofConnection));
}

interface Wanted {
  /** The first that there is room for. */
  readonly sizes: readonly number[];
  readonly by: Computing;
  readonly patient: boolean;
}

/** A request that waits for room. */
interface Waiting {
  readonly by: Computing;
  /** Whether it waits no longer. */
  readonly settle: () => boolean;
}

interface Shared {
  /** When it was last seen that what is asked for is no small result. */
  readonly large: Map<string, number>;
  /** Results that the read model is computing. */
  asked: number;
  readonly milliseconds: number;
  readonly waiting: Set<Waiting>;
  /** Room became free. */
  readonly freed: () => void;
}

export function createHeldResults(limits: Limits): HeldResults {
  const everybody = createHeldAccount(limits.heldBytes);
  const callers = new Map<string, HeldAccount>();
  const waiting = new Set<Waiting>();
  let settling = false;
  const settle = (): void => {
    settling = false;
    // The first that came is asked first; one that still has no room does not hold up the others.
    for (const one of waiting) {
      const isCrowded = one.by === 'read model' && shared.asked >= askedAtOnce;
      if (!isCrowded && one.settle()) waiting.delete(one);
    }
  };
  const shared: Shared = {
    large: new Map(),
    asked: 0,
    milliseconds: limits.resultMilliseconds,
    waiting,
    // Once in a turn of the event loop: a thousand may wait, and a thousand let go.
    freed: () => {
      if (settling) return;
      settling = true;
      setImmediate(settle);
    },
  };
  return {
    bytes: everybody.bytes,
    open: (forWhom, what) => {
      const caller = callers.get(forWhom) ?? createHeldAccount(limits.heldBytes * ofCaller);
      callers.set(forWhom, caller);
      caller.requests += 1;
      return createLease(shared, what, [everybody, caller], () => {
        caller.requests -= 1;
        if (caller.requests === 0) callers.delete(forWhom);
      });
    },
  };
}

function createLease(shared: Shared, what: string, accounts: readonly HeldAccount[], forget: () => void): Lease {
  const { waiting } = shared;
  let charged = nothing;
  /** Whether the read model is computing for it. */
  let asks = false;
  let released = false;
  let giveUp: (() => void) | undefined;

  const charge = (change: Partial<Charge>): void => {
    const before = charged;
    charged = { ...before, ...change };
    for (const account of accounts) account.replace(before, charged);
    if (asks && !charged.lent) {
      asks = false;
      shared.asked -= 1;
    }
    if (waiting.size > 0 && isLess(charged, before)) shared.freed();
  };
  const fits = (change: Partial<Charge>, later = false): boolean =>
    accounts.every((account) => account.fits(charged, { ...charged, ...change }, later));
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
  /** What is there already is charged whatever room there is, as long as it is small. */
  const chargeAtOnce = (more: number, change: Partial<Charge>): void => {
    if (released) {
      if (change.lent === false) end();
      return;
    }
    if (more > smallResult && !fits(change)) throw noRoom();
    charge(change);
  };
  /** The first of these sizes that there is room for; `later` while one of them is worth waiting for. */
  const choose = ({ sizes, by }: Wanted): number | 'later' | 'never' => {
    const isCrowded = by === 'read model' && !asks && shared.asked >= askedAtOnce;
    for (const bytes of sizes) {
      if (fits({ bytes })) return isCrowded ? 'later' : bytes;
      if (fits({ bytes }, true)) return 'later';
    }
    return 'never';
  };

  const grant = (bytes: number, { by }: Wanted): number => {
    charge({ bytes, lent: true });
    if (by === 'read model' && !asks) {
      asks = true;
      shared.asked += 1;
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
        settle: () => {
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
    forPart: (bytes, patient = false) => room({ sizes: [bytes], by: 'read model', patient }),
    forText: async (bytes) => {
      const given = await room({ sizes: [bytes], by: 'other', patient: false });
      charge({ lent: false });
      return given;
    },
    holds: (bytes) => {
      if (bytes > smallResult) isLarge();
      else if (bytes > 0) shared.large.delete(what);
      chargeAtOnce(bytes - charged.bytes, { bytes, lent: false });
    },
    sends: (sending) => chargeAtOnce(sending - charged.sending, { sending }),
    isKnownLarge,
    isLarge,
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
  return new Busy('there is no room for this result beside those that are held for others; try again in a moment');
}
