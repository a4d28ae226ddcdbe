import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { exchange } from '../../outgoing/exchange.ts';
import { within } from '../../outgoing/within.ts';
import { bare, type AllowList } from './allow-list.ts';

/** A request to a receiver. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutSeconds: number;
  /** The first of them that is aborted ends the request. */
  readonly signals: readonly AbortSignal[];
}

export type Sent =
  | { readonly is: 'answered'; readonly status: number; readonly retryAfter?: string }
  /** No answer: no connection, no valid certificate, no time, or something that is not HTTP. */
  | { readonly is: 'failed'; readonly reason: string }
  /** The request was not sent, because the configuration does not allow it. */
  | { readonly is: 'refused'; readonly reason: string };

export type Send = (post: Post) => Promise<Sent>;

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Sends each request over a connection of its own. The name is resolved for each, all its addresses are checked, and the connection goes to
 * the checked ones, so that a name which changes its address between check and connection gains nothing. The head of an answer decides; its body is
 * not read.
 */
export function createSend(allow: AllowList, resolve: Resolve): Send {
  const resolveOnce = sharing(resolve);
  const work = async ({ url, headers, body }: Post, signal: AbortSignal): Promise<Sent> => {
    const refused = allow.refusesUrl(url);
    if (refused !== undefined) return { is: 'refused', reason: refused };
    const host = bare(url.hostname);
    const addresses = isIP(host) === 0 ? await beforeAbort(resolveOnce(host), signal) : [host];
    if (addresses.length === 0) return { is: 'failed', reason: `${host} has no address` };
    for (const address of addresses) {
      const reason = allow.refusesAddress(url, address);
      if (reason !== undefined) return { is: 'refused', reason };
    }
    const lookup = fixedLookup(addresses);
    const answer = await exchange({ url, method: 'POST', headers, body, lookup, signal, mostBytes: 0 });
    const retryAfter = answer.headers['retry-after'];
    return { is: 'answered', status: answer.status, ...(typeof retryAfter === 'string' ? { retryAfter } : {}) };
  };
  return (post) =>
    within(post.signals, post.timeoutSeconds * 1000, (signal) =>
      work(post, signal).catch((error: unknown) => ({ is: 'failed', reason: reasonOf(error, signal, post) })),
    );
}

function reasonOf(error: unknown, signal: AbortSignal, { signals, timeoutSeconds }: Post): string {
  if (signals.some(({ aborted }) => aborted)) return 'the server stops';
  if (signal.aborted) return `no answer within ${timeoutSeconds} s`;
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Looks a name up once at a time: a lookup cannot be stopped, and takes one of few threads until it is answered. */
function sharing(resolve: Resolve): Resolve {
  const underWay = new Map<string, ReturnType<Resolve>>();
  return (host) => {
    const known = underWay.get(host);
    if (known !== undefined) return known;
    const found = resolve(host).finally(() => underWay.delete(host));
    underWay.set(host, found);
    return found;
  };
}

/** Looking a name up cannot be stopped, only left alone. */
function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (host, { all }, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error(`${host} has no address`), '');
    else if (all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
