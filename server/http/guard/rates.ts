import { setTimeout as pause } from 'node:timers/promises';
import { accountOf, type Caller } from '../../operation/caller.ts';
import { HungUp } from '../../operation/room/busy.ts';
import type { Lease } from '../../operation/room/held-results.ts';
import { Problem } from '../wire/problem.ts';
import type { HttpLimits } from '../settings.ts';
import { createCallerRate, type CallerRate } from './caller-rate.ts';

/** The rates of each caller; undefined where any number is allowed. */
export interface Rates {
  readonly requests: CallerRate | undefined;
  readonly commands: CallerRate | undefined;
  /** Commands that are inspected. */
  readonly inspected: CallerRate;
}

export function createRates(limits: HttpLimits, monotonic: () => number): Rates {
  const rateOf = (most: number): CallerRate | undefined =>
    most === 0 ? undefined : createCallerRate(most, most, monotonic);
  return {
    requests: rateOf(limits.requestsOfCaller),
    commands: rateOf(limits.commandsOfCaller),
    inspected: createCallerRate(limits.inspectCommands, limits.inspectRate, monotonic),
  };
}

/** Refuses a caller that asks for more of something in a second than it may (429). */
export function takeOne(rate: CallerRate, caller: Caller, what: 'requests' | 'commands'): void {
  const wait = rate.take(accountOf(caller), 1);
  if (wait === undefined) return;
  const limit = `a caller may send ${rate.perSecond} ${what} a second here`;
  throw new Problem('H4292', `${limit}; try again in ${wait} s`, { 'Retry-After': String(wait) });
}

/** Milliseconds between two looks at an account, at least. */
const shortestPause = 10;

/**
 * Gives what `next` gives, in parts that are as large as the caller's rate allows, and pauses where it allows nothing. Rejects with `HungUp` when
 * the request that it is for has ended.
 */
export function paced<T>(
  next: () => Promise<readonly T[] | undefined>,
  rate: CallerRate,
  { caller, lease }: { readonly caller: Caller; readonly lease: Pick<Lease, 'released'> },
): () => Promise<readonly T[] | undefined> {
  const { released: signal } = lease;
  const account = accountOf(caller);
  let rest: readonly T[] = [];
  return async () => {
    if (rest.length === 0) {
      const read = await next();
      if (read === undefined) return undefined;
      rest = read;
    }
    let taken = rate.takeSome(account, rest.length);
    while (taken === 0) {
      await pause(Math.max(shortestPause, 1000 / rate.perSecond), undefined, { signal }).catch(() => {
        throw new HungUp();
      });
      taken = rate.takeSome(account, rest.length);
    }
    const part = rest.slice(0, taken);
    rest = rest.slice(taken);
    return part;
  };
}
