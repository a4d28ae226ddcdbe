import type { ClientOptions } from './options.ts';

/** A client's options with all defaults. */
export interface Connection {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly token: () => Promise<string | undefined>;
  readonly format: 'arrow' | 'json';
  readonly attempts: number;
  readonly timeout: number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The newest state that an answer came from. Every other server of the store shows at least that. */
  readonly seen: Seen;
}

export interface Seen {
  store: string | null;
  /** Number of an entry of the log. */
  entry: number;
}

/** Throws a `TypeError` when no request could be sent. */
export function connect(options: ClientOptions): Connection {
  const { baseUrl, token } = options;
  if (!/^(https?:\/\/[^/]|$|\/)/i.test(baseUrl))
    throw new TypeError(`baseUrl takes an http or https address, not '${baseUrl}'`);
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    token: async () => (typeof token === 'function' ? token() : token),
    format: options.format ?? 'arrow',
    attempts: options.attempts ?? 4,
    timeout: options.timeout ?? 30_000,
    // Called by its own name: browsers refuse `fetch` as a method of another object.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    sleep: options.sleep ?? sleep,
    randomBytes: options.randomBytes ?? ((count) => crypto.getRandomValues(new Uint8Array(count))),
    seen: { store: null, entry: 0 },
  };
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}
