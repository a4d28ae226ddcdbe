import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { bare, type AllowList } from './allow-list.ts';

/** One request to a receiver. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

export type Sent =
  | { readonly is: 'answered'; readonly status: number; readonly retryAfter?: string }
  /** No answer: no connection, no valid certificate, no time, or something that is not HTTP. */
  | { readonly is: 'failed'; readonly reason: string }
  /** It was not sent, because the configuration does not allow it. */
  | { readonly is: 'refused'; readonly reason: string };

export type Send = (post: Post) => Promise<Sent>;

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const connectMilliseconds = 5000;
const answerBytes = 64 * 1024;

/**
 * Sends each request over a connection of its own. The name is resolved for each, all its addresses are checked, and the connection goes to
 * the checked ones, so that a name which changes its address between check and connection gains nothing. A redirect is an answer like others.
 */
export function createSend(allow: AllowList, resolve: Resolve): Send {
  return async (post) => {
    const { url } = post;
    const signal = AbortSignal.any([post.signal, AbortSignal.timeout(post.timeoutSeconds * 1000)]);
    try {
      const refused = allow.refusesUrl(url);
      if (refused !== undefined) return { is: 'refused', reason: refused };
      const host = bare(url.hostname);
      const addresses = isIP(host) === 0 ? await beforeAbort(resolve(host), signal) : [host];
      if (addresses.length === 0) return { is: 'failed', reason: `${host} has no address` };
      for (const address of addresses) {
        const reason = allow.refusesAddress(url, address);
        if (reason !== undefined) return { is: 'refused', reason };
      }
      return await request(post, addresses, signal);
    } catch (error) {
      return { is: 'failed', reason: reasonOf(error, signal, post) };
    }
  };
}

function reasonOf(error: unknown, signal: AbortSignal, { signal: ended, timeoutSeconds }: Post): string {
  if (ended.aborted) return 'the server stops';
  if (signal.aborted) return `no answer within ${timeoutSeconds} s`;
  return error instanceof Error ? error.message || error.name : String(error);
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

async function request({ url, headers, body }: Post, addresses: readonly string[], signal: AbortSignal): Promise<Sent> {
  const isEncrypted = url.protocol === 'https:';
  const { request: open } = isEncrypted ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = open({
      protocol: url.protocol,
      hostname: bare(url.hostname),
      port: url.port === '' ? (isEncrypted ? 443 : 80) : Number(url.port),
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.byteLength) },
      lookup: fixedLookup(addresses),
      agent: false,
      signal,
      ...(isEncrypted ? { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const } : {}),
    });
    const connecting = setTimeout(() => {
      sent.destroy(new Error(`no connection within ${connectMilliseconds / 1000} s`));
    }, connectMilliseconds);
    sent.once('socket', (socket) => {
      socket.once(isEncrypted ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    sent.once('response', (answer) => {
      drain(answer);
      const { statusCode: status = 0, headers: answered } = answer;
      const retryAfter = answered['retry-after'];
      resolve({ is: 'answered', status, ...(retryAfter === undefined ? {} : { retryAfter }) });
    });
    // After the answer a failure means nothing any longer.
    sent.on('error', reject);
    sent.once('close', () => {
      clearTimeout(connecting);
      reject(new Error('the connection ended without an answer'));
    });
    sent.end(body);
  });
}

/** The head of an answer decides; its body is read so that the receiver can finish, up to a bound. */
function drain(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('error', () => answer.destroy());
  answer.on('data', (part: Uint8Array) => {
    bytes += part.byteLength;
    if (bytes > answerBytes) answer.destroy();
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
