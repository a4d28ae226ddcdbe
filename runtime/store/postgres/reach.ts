import type { StoreLog } from '../disk.ts';
import { JournalFailure, type Trouble } from '../journal.ts';
import { DatabaseFailure } from './failure.ts';

/** Whether the database can be used, and the log in it is still the one that this process has read. */
export interface Reach {
  /** The result of the work, whose failure is remembered as trouble until something works again. */
  readonly watched: <T>(work: Promise<T>) => Promise<T>;
  /** A connection was ended by the other side. The database is away until it answers a probe, which is sent at once. */
  readonly lost: (failure: DatabaseFailure) => void;
  /** From now on everything in this process fails, with the returned failure. */
  readonly breakOff: (reason: string) => JournalFailure;
  readonly refuseBroken: () => void;
  /** Pieces of work that were watched. */
  readonly roundTrips: () => number;
  readonly trouble: () => Trouble | undefined;
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

export interface ReachOptions {
  /** Asks the database for something small; called again and again while it is away. */
  readonly probe: () => Promise<unknown>;
  readonly shown: string;
  readonly log: StoreLog;
}

/** The database has ended a transaction that did nothing for too long, and works. */
const lockTimeout = '25P03';
const firstPause = 50;
const longestPause = 1_000;

export function createReach({ probe, shown, log }: ReachOptions): Reach {
  let broken: JournalFailure | undefined;
  let away: DatabaseFailure | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let trips = 0;

  const probeAfter = (pause: number): void => {
    timer = setTimeout(() => {
      void probe()
        .catch(() => undefined) // `away` has it
        .then(() => {
          timer = undefined;
          if (away !== undefined && !closed) probeAfter(Math.min(Math.max(firstPause, 2 * pause), longestPause));
        });
    }, pause).unref();
  };

  const goneAway = (failure: DatabaseFailure, pause: number): void => {
    if (closed) return;
    if (away === undefined) log('warn', failure.reason);
    away = failure;
    if (timer === undefined) probeAfter(pause);
  };

  return {
    lost: (failure) => {
      if (failure.state === lockTimeout) log('warn', `${failure.reason}; the lock of the log was held for too long`);
      else goneAway(failure, 0);
    },
    watched: async (work) => {
      trips += 1;
      try {
        const result = await work;
        if (away !== undefined) log('info', `the database ${shown} is back`);
        away = undefined;
        return result;
      } catch (error) {
        if (error instanceof DatabaseFailure) goneAway(error, firstPause);
        throw error;
      }
    },
    breakOff: (reason) => (broken ??= new JournalFailure({ reason, heals: false })),
    refuseBroken: () => {
      if (broken !== undefined) throw broken;
    },
    trouble: () => {
      const failure = broken ?? away;
      return failure === undefined ? undefined : { reason: failure.reason, heals: failure.heals };
    },
    roundTrips: () => trips,
    isClosed: () => closed,
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
