/**
 * A connection to a shared log as a bad network has it: slow, cut in the middle of an append, away for a while, or frozen forever. A seeded
 * chance decides its behaviour, so that a run can be repeated.
 */
import { JournalFailure, type Journal, type JournalEnd } from '../../runtime/store/journal.ts';

/** Probabilities, and times in ms. */
export interface Shakes {
  /** Each question takes up to this long. */
  readonly delay: number;
  /** An append reaches the log, and its answer is lost. */
  readonly cutAfter: number;
  /** An append does not reach the log at once, and perhaps later; the connection is cut. */
  readonly cutBefore: number;
  /** Milliseconds for which the log cannot be reached after a cut. */
  readonly away: number;
}

export const calm: Shakes = { delay: 0, cutAfter: 0, cutBefore: 0, away: 0 };

export interface ShakyJournal extends Journal {
  /** From now on nothing is answered; what was sent may still arrive. */
  readonly freeze: () => void;
  readonly isFrozen: () => boolean;
  /** The log cannot be reached until `comeBack`. */
  readonly goAway: () => void;
  readonly comeBack: () => void;
  /** Appends from now on wait until what it gives is called. */
  readonly holdAppends: () => () => void;
  /** The log says from now on that it ends there. */
  readonly pretendEnd: (end: JournalEnd) => void;
  /** Changes what happens from now on. */
  readonly shake: (shakes: Shakes) => void;
  /** Number of times that the log was asked for its end, appended to, and locked. */
  readonly asked: { fresh: number; append: number; behind: number; lock: number };
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const forever = new Promise<never>(() => undefined);

export function shakyJournal(inner: Journal, chance: () => number, start: Shakes = calm): ShakyJournal {
  let shakes = start;
  let frozen = false;
  const isFrozen = (): boolean => frozen;
  let awayUntil = 0;
  let pretended: JournalEnd | undefined;
  let held: Promise<void> | undefined;
  const asked = { fresh: 0, append: 0, behind: 0, lock: 0 };
  const cut = (): JournalFailure => {
    void inner.unlock(); // as a database does when a connection ends
    return new JournalFailure({ reason: 'the connection is cut', heals: true });
  };
  const onWire = async <T>(work: () => Promise<T>): Promise<T> => {
    if (frozen) return forever;
    if (shakes.delay > 0) await wait(chance() * shakes.delay);
    if (Date.now() < awayUntil) throw cut();
    const result = await work();
    if (shakes.delay > 0) await wait(chance() * shakes.delay);
    return isFrozen() ? forever : result;
  };
  const leave = (): JournalFailure => {
    awayUntil = Math.max(awayUntil, Date.now() + chance() * shakes.away);
    return cut();
  };
  return {
    ...inner,
    fresh: () => {
      asked.fresh += 1;
      return onWire(() => (pretended === undefined ? inner.fresh() : Promise.resolve(pretended)));
    },
    settle: (batch) => onWire(() => inner.settle(batch)),
    lock: () => {
      asked.lock += 1;
      return onWire(inner.lock);
    },
    unlock: () => onWire(inner.unlock),
    append: async (batch) => {
      asked.append += 1;
      await held;
      const fate = chance();
      if (fate < shakes.cutBefore) {
        // The bytes may still be somewhere on the way.
        if (chance() < 0.5) setTimeout(() => void inner.append(batch), chance() * 10 * (shakes.away + 1));
        throw leave();
      }
      const outcome = await onWire(() => inner.append(batch));
      if (fate > 1 - shakes.cutAfter) throw leave();
      if (outcome === 'behind') asked.behind += 1;
      return outcome;
    },
    async *follow(from, signal) {
      for await (const lines of inner.follow(from, signal)) {
        // A hint may come late.
        if (shakes.delay > 0) await wait(chance() * shakes.delay * 20);
        yield lines;
      }
    },
    isFrozen,
    freeze: () => {
      frozen = true;
      setTimeout(() => void inner.unlock(), 20);
    },
    goAway: () => {
      awayUntil = Infinity;
    },
    comeBack: () => {
      awayUntil = 0;
    },
    holdAppends: () => {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    pretendEnd: (end) => {
      pretended = end;
    },
    shake: (next) => {
      shakes = next;
    },
    asked,
  };
}
