import type { SubscriptionOptions } from '../../../language/contract/subscription.ts';
import type { DeliveredRow } from '../hand-out/delivered-row.ts';
import { pauseAfter } from '../retry.ts';
import type { Verdict } from './verdict.ts';

type Place = Pick<DeliveredRow, 'position' | 'key'>;

/**
 * The state of an endpoint (docs/operation.md#what-an-answer-means). A failure that may be the endpoint's holds the whole subscription back
 * and counts no attempt. Once a row of another key was delivered after it, the endpoint works, and the next failure of that row is its own.
 */
export interface Endpoint {
  /** Nothing is sent before, in ms since 1970. */
  readonly until: () => number;
  /** True while only one row at a time is sent, to see whether the endpoint works again. */
  readonly isFailing: () => boolean;
  readonly lastError: () => string | undefined;
  /** The row that tells most of those that can be sent: its key has not failed. */
  readonly probe: <T extends Place>(rows: readonly T[]) => T | undefined;
  readonly succeeded: (row: Place) => void;
  /** Whose failure it is; `over` if it fails for longer than the subscription waits. `began`: when the row was sent. */
  readonly failed: (
    row: Place,
    verdict: Extract<Verdict, { readonly is: 'endpoint' | 'wait' }>,
    began: number,
    options: SubscriptionOptions,
  ) => 'row' | 'endpoint' | 'over';
  /** Tries again at once, with all forgotten, also the time that the endpoint asked for. */
  readonly reset: () => void;
  /** Forgets what was learnt from rows that are sent again, and not the time that the endpoint asked for. */
  readonly renew: () => void;
  /** Sends nothing for this number of ms. */
  readonly hold: (milliseconds: number) => void;
}

/** Rows that are remembered because they failed. */
const mostSuspects = 1000;
/** ms of the first wait at most, however short the options want it: each wait is by chance up to its bound. */
const leastBound = 1000;
const hour = 60 * 60 * 1000;

/** `now` in ms since 1970; `chance` from 0 up to 1. */
export function createEndpoint(now: () => number, chance: () => number): Endpoint {
  /** Rows whose failure may have been the endpoint's; `true` once the endpoint worked for another key. */
  const suspects = new Map<number, { readonly key: string | null; own: boolean }>();
  let failures = 0;
  /** The end of the wait after a failure, which a success ends early. */
  let until = 0;
  /** The time that the endpoint asked for by `Retry-After`, also when requests that were under way are answered otherwise. */
  let asked = 0;
  let since: number | undefined;
  let lastFailure = 0;
  let lastError: string | undefined;

  const forget = (): void => {
    failures = 0;
    until = 0;
    since = undefined;
  };
  const renew = (): void => {
    forget();
    suspects.clear();
  };
  const isOfKey = (one: { readonly key: string | null }, other: { readonly key: string | null }): boolean =>
    one.key !== null && one.key === other.key;
  return {
    until: () => Math.max(until, asked),
    isFailing: () => failures > 0,
    lastError: () => lastError,
    probe: (rows) =>
      rows.find((row) => ![...suspects.values()].some((one) => isOfKey(one, row)) && !suspects.has(row.position)) ??
      rows[0],
    succeeded: (row) => {
      forget();
      lastError = undefined;
      suspects.delete(row.position);
      for (const suspect of suspects.values()) if (!isOfKey(suspect, row)) suspect.own = true;
    },
    failed: (row, verdict, began, { firstDelaySeconds, longestDelaySeconds, giveUpHours }) => {
      lastError = verdict.reason;
      if (verdict.is === 'endpoint' && suspects.get(row.position)?.own === true) return 'row';
      if (verdict.is === 'endpoint') {
        suspects.set(row.position, { key: row.key, own: false });
        const [oldest] = suspects.keys();
        if (suspects.size > mostSuspects && oldest !== undefined) suspects.delete(oldest);
      }
      const time = now();
      since ??= time;
      if (time - since >= giveUpHours * hour) return 'over';
      // Rows that were under way when one failed fail with it: that is one failure.
      const isNew = failures === 0 || began >= lastFailure;
      if (isNew) {
        failures += 1;
        lastFailure = time;
      }
      const wait = verdict.is === 'wait' ? verdict.milliseconds : undefined;
      const bound = pauseAfter(failures, firstDelaySeconds, longestDelaySeconds) * 1000;
      if (wait !== undefined) asked = Math.max(asked, time + wait);
      else if (isNew) until = Math.max(until, time + Math.round(chance() * Math.max(leastBound, bound)));
      return 'endpoint';
    },
    reset: () => {
      renew();
      asked = 0;
    },
    renew,
    hold: (milliseconds) => {
      until = Math.max(until, now() + milliseconds);
    },
  };
}
