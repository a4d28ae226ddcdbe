import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** A key that was removed from the file is valid for at most this long, in ms. */
const longest = 5 * 60_000;
/** Tokens with unknown keys make the file be read at most this often, in ms. */
const soonest = 5_000;

/**
 * The keys of a file that may change while the server runs: it is read again when a token names an unknown key, and every few minutes.
 * Rejects when the first read fails; after a later failure the last keys stay, with a warning.
 */
export async function createFileKeys(
  path: string,
  now: () => number,
  warn: (message: string) => void,
): Promise<JWTVerifyGetKey> {
  const read = async (): Promise<JWTVerifyGetKey> =>
    createLocalJWKSet(JSON.parse(await readFile(path, 'utf8')) as JSONWebKeySet);
  let keys = await read();
  let readAt = now();
  const readAgain = async (): Promise<void> => {
    readAt = now();
    try {
      keys = await read();
    } catch (error) {
      warn(`the keys that verify tokens could not be read again, so the previous keys stay in use: ${String(error)}`);
    }
  };
  return async (header, token) => {
    if (now() - readAt > longest) await readAgain();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || now() - readAt < soonest) throw error;
      await readAgain();
      return keys(header, token);
    }
  };
}
