import type { Engine } from '../../../runtime/engine/engine.ts';
import { Problem } from '../answers/problem.ts';
import type { Caller } from '../../operation/caller.ts';
import type { HttpSettings } from '../settings.ts';
import { createLogTail, type LogTail } from './log-tail.ts';
import { createReadingGate } from './reading-gate.ts';
import { createSharedPages, type SharedPages } from './shared-pages.ts';

/** Some events as they are sent. */
export interface PrintedPage {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** Bytes of the rows in memory, from which the next page's size is estimated. */
  readonly size: number;
  /** Every event up to here was looked at. */
  readonly through: number;
}

/** All streams of a server that follow the log, and the parts that they share. */
export interface Followers {
  /** Takes a place; throws a `Problem` (503) when there are too many. Gives the function that releases it. */
  readonly enter: (caller: Caller) => () => void;
  readonly count: () => number;
  /** Events sent so far. */
  readonly sent: () => number;
  /** Counts events as sent. */
  readonly countSent: (rows: number) => void;
  /** Ends all streams after what is whole. */
  readonly stop: () => void;
  readonly stopped: () => boolean;
  readonly tail: LogTail;
  readonly pages: SharedPages<PrintedPage>;
  /** Limits how many pages are read at once. */
  readonly gate: <T>(read: () => Promise<T>) => Promise<T>;
}

/** The read model answers the queries of commands, too. */
const readAtOnce = 2;
/** Seconds after which a client that found no place may try again. */
const tryAgain = '5';

export function createFollowers(
  { store }: Pick<Engine, 'store'>,
  { limits, auth }: Pick<HttpSettings, 'limits' | 'auth'>,
  monotonic: () => number,
): Followers {
  const tail = createLogTail(store, monotonic);
  const pages = createSharedPages<PrintedPage>();
  const gate = createReadingGate(readAtOnce);
  const byCaller = new Map<string, number>();
  let count = 0;
  let sent = 0;
  let stopped = false;
  return {
    tail,
    pages,
    gate,
    count: () => count,
    sent: () => sent,
    countSent: (rows) => {
      sent += rows;
    },
    stopped: () => stopped,
    stop: () => {
      stopped = true;
      tail.wakeAll();
    },
    enter: ({ subject }) => {
      const own = byCaller.get(subject) ?? 0;
      if (count >= limits.followers) throw tooMany(`this server has ${count} streams that follow the log, its limit`);
      // Without a policy all callers are one.
      if (auth !== undefined && own >= limits.followersOfCaller)
        throw tooMany(`'${subject}' has ${own} streams that follow the log, the limit of one caller`);
      count += 1;
      byCaller.set(subject, own + 1);
      let isThere = true;
      return () => {
        if (!isThere) return;
        isThere = false;
        count -= 1;
        const left = (byCaller.get(subject) ?? 1) - 1;
        if (left === 0) byCaller.delete(subject);
        else byCaller.set(subject, left);
        if (count === 0) pages.clear();
      };
    },
  };
}

function tooMany(message: string): Problem {
  return new Problem('H5035', message, { 'Retry-After': tryAgain });
}
