import { connect, type Connection } from '../../client/connection.ts';
import type { ClientOptions } from '../../client/options.ts';
import { arrowType } from '../../client/arrow-rows.ts';

export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer; `cut` breaks it off after its body, `silent` sends nothing after it. */
export interface Reply {
  readonly status?: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly then?: 'cut' | 'silent';
}

export interface Scripted {
  readonly connection: Connection;
  readonly sent: Sent[];
  /** Milliseconds of each pause between attempts. */
  readonly pauses: number[];
  /** Requests that the client ended before their answers were complete. */
  readonly given: { ended: number };
}

/**
 * A connection that records its requests and answers them in order: 'gone' is no answer, 'never' one that does not
 * come. Its time passes only when nothing else can happen: a timeout that fires at once means a silent server.
 */
export function scripted(
  replies: readonly (Reply | 'gone' | 'never')[],
  options: Partial<ClientOptions> = {},
): Scripted {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const given = { ended: 0 };
  const left = [...replies];
  let silent = false;
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const { signal, ...said } = init;
    sent.push({ url, ...said } as Sent);
    const reply = left.shift();
    silent = reply === 'never' || (typeof reply === 'object' && reply.then === 'silent');
    if (reply === undefined || reply === 'gone')
      return Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      if (reply !== 'never') resolve(responseOf(reply, signal ?? undefined, given));
    });
  };
  // A wait for the server has a signal that is aborted when an answer has come; a pause has only that of its call.
  const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    // A wait a little shorter than the timeout is the rest of it after pieces that came.
    if (milliseconds > timeout || milliseconds < timeout - 5_000) {
      pauses.push(milliseconds);
      return;
    }
    if (silent) await new Promise((resolve) => setTimeout(resolve, 20));
    else await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  };
  const timeout = options.timeout ?? 30_000;
  const randomBytes = (count: number): Uint8Array => new Uint8Array(count).fill(128);
  return {
    connection: connect({ baseUrl: 'http://host:1/', fetch, sleep, randomBytes, ...options }),
    sent,
    pauses,
    given,
  };
}

function responseOf(
  { status = 200, body, headers, then }: Reply,
  signal: AbortSignal | undefined,
  given: { ended: number },
): Response {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const type = typeof body === 'string' ? 'application/json; charset=utf-8' : arrowType;
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const end = (): void => {
        given.ended++;
        controller.error(signal?.reason);
      };
      signal?.addEventListener('abort', () => (at < bytes.length || then !== undefined ? end() : undefined));
    },
    pull: (controller) => {
      if (at < bytes.length) {
        // In small pieces, so that every boundary of the format is split somewhere.
        controller.enqueue(bytes.slice(at, at + 61));
        at += 61;
      } else if (then === 'cut') controller.error(new TypeError('terminated'));
      else if (then === undefined) controller.close();
      else return new Promise<void>(() => undefined);
      return undefined;
    },
  });
  return new Response(stream, { status, headers: { 'content-type': type, ...headers } });
}
