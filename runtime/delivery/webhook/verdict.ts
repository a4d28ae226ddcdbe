import type { Sent } from './send.ts';

/** Meaning of an answer. */
export type Verdict =
  | { readonly is: 'delivered' }
  /** The receiver refuses this row. */
  | { readonly is: 'row'; readonly reason: string }
  /** The endpoint does not work; this says nothing about the row unless rows of other keys are delivered. */
  | { readonly is: 'endpoint'; readonly reason: string }
  /** The endpoint asks for time, in ms, or it must not be called. This never says anything about the row. */
  | { readonly is: 'wait'; readonly reason: string; readonly milliseconds?: number }
  /** The receiver wants nothing any longer. */
  | { readonly is: 'gone'; readonly reason: string };

const shortestWait = 1000;
const longestWait = 24 * 60 * 60 * 1000;

/** `now` is in ms since 1970, for a date in `Retry-After`. */
export function verdictOf(sent: Sent, now: number): Verdict {
  if (sent.is === 'refused') return { is: 'wait', reason: sent.reason };
  if (sent.is === 'failed') return { is: 'endpoint', reason: sent.reason };
  const { status, retryAfter } = sent;
  const reason = `the receiver answered ${status}`;
  if (status >= 200 && status <= 299) return { is: 'delivered' };
  if (status === 410) return { is: 'gone', reason };
  if (status === 429 || status === 503) {
    const milliseconds = retryAfter === undefined ? undefined : readRetryAfter(retryAfter, now);
    if (milliseconds !== undefined) return { is: 'wait', reason, milliseconds };
    if (status === 429) return { is: 'wait', reason };
  }
  return { is: status === 408 || status >= 500 ? 'endpoint' : 'row', reason };
}

/** Seconds or a date of HTTP (RFC 9110, section 10.2.3), as ms from now within bounds; undefined for another text. */
function readRetryAfter(text: string, now: number): number | undefined {
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(longestWait, Math.max(shortestWait, wait));
}
