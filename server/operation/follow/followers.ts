import { Refused } from '../../../runtime/delivery/refused.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import { accountOf, type Caller } from '../caller.ts';
import { createLogTail, type LogTail } from './log-tail.ts';
import { createSharedPages, type SharedPages } from './pages.ts';

/** All streams of a server that follow the log, and the parts that they share. */
export interface Followers {
  /** Takes a place; refuses when there are too many. Gives the function that releases it. */
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
  readonly pages: SharedPages;
  /** Limits how many pages are read at once. */
  readonly gate: <T>(read: () => Promise<T>) => Promise<T>;
}

export interface FollowerLimits {
  readonly followers: number;
  readonly followersOfCaller: number;
}

/** The read model answers the queries of commands, too. */
const readAtOnce = 2;

export function createFollowers(
  { store }: Pick<Engine, 'store'>,
  limits: FollowerLimits,
  monotonic: () => number,
): Followers {
  const tail = createLogTail(store, monotonic);
  const pages = createSharedPages();
  const byCaller = new Map<string, number>();
  let count = 0;
  let sent = 0;
  let stopped = false;
  return {
    tail,
    pages,
    gate: createReadingGate(readAtOnce),
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
    enter: (caller) => {
      const account = accountOf(caller);
      const own = byCaller.get(account) ?? 0;
      if (count >= limits.followers)
        throw new Refused('no place', `this server has ${count} streams that follow the log, its limit`);
      // Where callers are not distinguished, one caller may take all places.
      if (caller.identity !== undefined && own >= limits.followersOfCaller) {
        const who = caller.subject === null ? 'this caller' : `'${caller.subject}'`;
        throw new Refused('no place', `${who} has ${own} streams that follow the log, the limit of one caller`);
      }
      count += 1;
      byCaller.set(account, own + 1);
      let isThere = true;
      return () => {
        if (!isThere) return;
        isThere = false;
        count -= 1;
        const left = (byCaller.get(account) ?? 1) - 1;
        if (left === 0) byCaller.delete(account);
        else byCaller.set(account, left);
        if (count === 0) pages.clear();
      };
    },
  };
}

/** Lets a few readings run at once; the others wait in order. */
function createReadingGate(most: number): Followers['gate'] {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (read) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
