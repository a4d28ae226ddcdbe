/**
 * A budget for all results that are held at once (docs/http.md#long-answers). A request is charged before its result is computed, with the
 * most that the result may take; then with its real size; and with nothing once the last byte is handed to the socket. A request waits for
 * room that is only lent to unfinished results, and is refused if the room is held for clients that do not read.
 */
import { createHeldAccount, nothing, smallResult, type Charge, type HeldAccount } from './held-account.ts';
import { Busy, HungUp } from './busy.ts';
import { createQuickReads, type QuickReads } from './quick-reads.ts';

export interface HeldResults {
  /** For the results of one request, which must be released in the end. `forWhom` identifies the caller, `what` the requested resource. */
  readonly open: (forWhom: string, what: string) => Lease;
  /** Bytes charged now. */
  readonly bytes: () => number;
}

/**
 * The part of the program that computes a result. The read model also answers the queries of commands, so few results are computed there at
 * once, and more of those that are known to be quick.
 */
export type Computing = 'read model' | 'quick read' | 'copy' | 'other';

interface PartOptions {
  readonly by?: Computing;
  /** Also waits for room that is held for others. */
  readonly patient?: boolean;
}

/** Limits of a single result, and of all that are held at once. */
export interface RoomLimits {
  readonly resultBytes: number;
  readonly resultMilliseconds: number;
  readonly heldBytes: number;
}

/** The shares of one connection and of one caller. A connection has one running request. */
const ofConnection = 1 / 4;
const ofCaller = 1 / 2;

/** Maximum number of results that the read model or its copy computes or queues at once; a command may have to wait for those of the read model. */
const askedAtOnce: Readonly<Record<Computing, number>> = {
  'read model': 2,
  'quick read': 64,
  copy: 2,
  other: Infinity,
};
/** Time for which a large result is remembered, and the number of remembered ones. */
const knownMilliseconds = 10_000;
const mostKnown = 1_000;

/** The maximum size of one result. */
export function mostOfResult({ resultBytes, heldBytes }: Omit<RoomLimits, 'resultMilliseconds'>): number {
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

/** A caller with a request under way. */
interface Caller {
  readonly name: string;
  readonly account: HeldAccount;
}

interface Shared {
  /** The account of all callers. */
  readonly all: HeldAccount;
  /** A request of the caller has ended. */
  readonly leave: (caller: Caller) => void;
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

export function createHeldResults(limits: RoomLimits): HeldResults {
  const callers = new Map<string, Caller>();
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
    all: createHeldAccount(limits.heldBytes),
    leave: ({ name, account }) => {
      account.requests -= 1;
      if (account.requests === 0) callers.delete(name);
    },
    large: new Map(),
    asked: { 'read model': 0, 'quick read': 0, copy: 0, other: 0 },
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
    bytes: shared.all.bytes,
    open: (forWhom, what) => {
      let caller = callers.get(forWhom);
      if (caller === undefined) {
        caller = { name: forWhom, account: createHeldAccount(limits.heldBytes * ofCaller) };
        callers.set(forWhom, caller);
      }
      caller.account.requests += 1;
      return new Lease(shared, what, caller);
    },
  };
}

/** The memory held for one request. A class, because twenty closures for each request take a kilobyte. */
export class Lease {
  /** Which reads of all requests were quick. */
  readonly quickReads: QuickReads;
  private readonly shared: Shared;
  private readonly what: string;
  private readonly caller: Caller;
  private charged = nothing;
  /** The computation for it. */
  private asks: Computing | undefined;
  private isReleased = false;
  private hasEnded = false;
  private giveUp: (() => void) | undefined;
  private stop: AbortController | undefined;

  constructor(shared: Shared, what: string, caller: Caller) {
    this.shared = shared;
    this.quickReads = shared.quickReads;
    this.what = what;
    this.caller = caller;
  }

  /**
   * Charges for a result that is about to be computed, replacing the previous charge. Gives the bytes that the result may take, which is
   * less than `most` while little is left. Rejects with `Busy` if there is no room at all.
   */
  forResult(most: number, by: Computing = 'read model'): Promise<number> {
    return this.room({
      sizes: most > smallResult && !this.isKnownLarge() ? [most, smallResult] : [most],
      by,
      patient: false,
    });
  }

  /** Charges for a small part of a result, in the same way. */
  forPart(bytes: number, { by = 'read model', patient = false }: PartOptions = {}): Promise<number> {
    return this.room({ sizes: [bytes], by, patient });
  }

  /** Charges for a text that exists or is being received. */
  async forText(bytes: number): Promise<number> {
    const given = await this.room({ sizes: [bytes], by: 'other', patient: false });
    this.charge({ ...this.charged, lent: false });
    return given;
  }

  /** The result takes this many bytes. Throws `Busy` if that is more than the charge, more than a small result, and has no room. */
  holds(bytes: number): void {
    if (bytes > smallResult) this.isLarge();
    else if (bytes > 0 && this.shared.large.size > 0) this.shared.large.delete(this.what);
    const { charged } = this;
    if (this.isReleased) this.end();
    else this.chargeAtOnce(bytes - charged.bytes, { bytes, lent: false, sending: charged.sending });
  }

  /** This many bytes are being sent, in addition to the result. Throws `Busy` in the same way. */
  sends(sending: number): void {
    const { charged } = this;
    if (!this.isReleased)
      this.chargeAtOnce(sending - charged.sending, { bytes: charged.bytes, lent: charged.lent, sending });
  }

  /** Whether the requested resource was recently seen to be large: then it need not be tried as a small one. */
  isKnownLarge(): boolean {
    return performance.now() - (this.shared.large.get(this.what) ?? -Infinity) < knownMilliseconds;
  }

  /** The result is larger than a small one may be. */
  isLarge(): void {
    const { large } = this.shared;
    large.delete(this.what);
    large.set(this.what, performance.now());
    if (large.size > mostKnown) for (const oldest of large.keys()) return void large.delete(oldest);
  }

  /** Aborts when the answer has ended or its caller has left: for what waits elsewhere than for room. */
  get released(): AbortSignal {
    this.stop ??= new AbortController();
    if (this.isReleased) this.stop.abort();
    return this.stop.signal;
  }

  /** Ends all holding and waiting; a result that is being computed stays charged until it is done. */
  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.giveUp?.();
    this.stop?.abort();
    if (!this.charged.lent) this.end();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.charge(nothing);
    this.shared.leave(this.caller);
  }

  private charge(after: Charge): void {
    const before = this.charged;
    this.charged = after;
    this.shared.all.replace(before, after);
    this.caller.account.replace(before, after);
    if (this.asks !== undefined && !after.lent) {
      this.shared.asked[this.asks] -= 1;
      this.asks = undefined;
    }
    if (this.shared.waiting.size > 0 && isLess(after, before)) this.shared.freed();
  }

  /** A small existing result is charged whether there is room or not. */
  private chargeAtOnce(more: number, after: Charge): void {
    if (more > smallResult && !this.fits(after)) throw noRoom();
    this.charge(after);
  }

  private fits(after: Charge, later = false): boolean {
    return this.shared.all.fits(this.charged, after, later) && this.caller.account.fits(this.charged, after, later);
  }

  /** The first of these sizes that has room; `later` while waiting for one of them makes sense. */
  private choose({ sizes, by }: Wanted): number | 'later' | 'never' {
    const isCrowded = this.asks === undefined && this.shared.asked[by] >= askedAtOnce[by];
    for (const bytes of sizes) {
      const after = { ...this.charged, bytes };
      if (this.fits(after)) return isCrowded ? 'later' : bytes;
      if (this.fits(after, true)) return 'later';
    }
    return 'never';
  }

  private grant(bytes: number, { by }: Wanted): number {
    this.charge({ bytes, lent: true, sending: this.charged.sending });
    if (this.asks === undefined) {
      this.asks = by;
      this.shared.asked[by] += 1;
    }
    return bytes;
  }

  private async room(wanted: Wanted): Promise<number> {
    if (this.isReleased) throw new HungUp();
    const found = this.choose(wanted);
    if (typeof found === 'number') return this.grant(found, wanted);
    if (found === 'never' && !wanted.patient) throw noRoom();
    return this.waitFor(wanted);
  }

  private waitFor(wanted: Wanted): Promise<number> {
    const { waiting } = this.shared;
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        by: wanted.by,
        tryAgain: () => {
          const found = this.choose(wanted);
          if (found === 'later' || (found === 'never' && wanted.patient)) return false;
          leave();
          if (found === 'never') reject(noRoom());
          else resolve(this.grant(found, wanted));
          return true;
        },
      };
      const leave = (): void => {
        clearTimeout(timer);
        this.giveUp = undefined;
        waiting.delete(entry);
      };
      const timer = setTimeout(() => {
        leave();
        reject(noRoom());
      }, this.shared.milliseconds);
      this.giveUp = () => {
        leave();
        reject(new HungUp());
      };
      waiting.add(entry);
    });
  }
}

function isLess(after: Charge, before: Charge): boolean {
  return after.bytes + after.sending < before.bytes + before.sending || (before.lent && !after.lent);
}

export function noRoom(): Busy {
  return new Busy('there is no room for this result while other results are held; try again in a moment');
}
