import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { exchange } from '../../../runtime/outgoing/exchange.ts';
import { within } from '../../../runtime/outgoing/within.ts';

/** Keys are read again after this many ms, also if no token asks for another one. */
const longest = 5 * 60_000;
/** Tokens with unknown keys make a file, or a URL, be read at most this often, in ms. */
const soonest = { file: 5_000, url: 30_000 } as const;
/** Bounds of the answer of a URL; the keys of a large provider have some kilobytes. */
const mostBytes = 1024 * 1024;
const fetchMilliseconds = 5_000;

export interface KeySetOptions {
  readonly now: () => number;
  readonly warn: (message: string) => void;
}

export interface KeySet {
  /** The file or URL. */
  readonly source: string;
  readonly find: JWTVerifyGetKey;
  /** Reads the keys again if they are known; resolves when a file is read, and at once for a URL. */
  readonly refresh: () => Promise<void>;
}

/**
 * The keys of a file or a URL that may change while the server runs: they are read again when a token names an unknown key, and every few minutes.
 * After a failure the last keys stay, with a warning. A file is read at the start, which rejects if that fails; a URL when the first token comes, and again
 * while tokens are verified by the last keys, so that a server of keys that stalls holds up only tokens that need it.
 */
export async function createKeySet(source: string, { now, warn }: KeySetOptions): Promise<KeySet> {
  const kind = /^https?:/i.test(source) ? 'url' : 'file';
  const read = kind === 'url' ? () => fetchText(new URL(source)) : () => readFile(source, 'utf8');
  let keys: JWTVerifyGetKey | undefined;
  let readAt = 0;
  let reading: Promise<JWTVerifyGetKey> | undefined;
  const readOnce = (): Promise<JWTVerifyGetKey> => {
    reading ??= read()
      .then((text) => (keys = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet)))
      .finally(() => {
        reading = undefined;
        readAt = now();
      });
    return reading;
  };
  const readAgain = async (known: JWTVerifyGetKey): Promise<JWTVerifyGetKey> => {
    readAt = now();
    try {
      return await readOnce();
    } catch (error) {
      warn(`the keys that verify tokens could not be read again, so the previous keys stay in use: ${String(error)}`);
      return known;
    }
  };
  if (kind === 'file') await readOnce();
  const refresh = async (): Promise<void> => {
    const known = keys;
    if (known === undefined) return;
    // A reading that is under way may have begun before the change. Its failure is reported to the token that it is for.
    const before = reading?.then(
      () => undefined,
      () => undefined,
    );
    const again = (before ?? Promise.resolve()).then(() => readAgain(keys ?? known));
    if (kind === 'file') await again;
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    let known = keys ?? (await readOnce());
    if (now() - readAt > longest) {
      const again = readAgain(known);
      if (kind === 'file') known = await again;
    }
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || now() - readAt < soonest[kind]) throw error;
      return (await readAgain(known))(header, token);
    }
  };
  return { source, find, refresh };
}

async function fetchText(url: URL): Promise<string> {
  const headers = { accept: 'application/json, application/jwk-set+json', 'user-agent': 'schemac' };
  const { status, body } = await within([], fetchMilliseconds, (signal) =>
    exchange({ url, method: 'GET', headers, signal, mostBytes }).catch((error: unknown) => {
      throw signal.aborted ? new Error(`${url.origin} did not answer within ${fetchMilliseconds / 1000} s`) : error;
    }),
  );
  if (status !== 200) throw new Error(`${url.origin} answered ${status}`);
  return Buffer.from(body).toString('utf8');
}
