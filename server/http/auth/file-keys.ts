import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** A key that was taken out of the file is good no longer than this, in ms. */
const longest = 5 * 60_000;
/** Tokens that name keys nobody knows make the file be read no more often than this, in ms. */
const soonest = 5_000;

/**
 * The keys of a file that may change while serving: it is read again when a token names a key that is not there, and every few
 * minutes. Rejects when it cannot be read at first; later the keys that were read last stay, with a warning.
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
      warn(`the keys that verify tokens could not be read again, and stay as they were: ${String(error)}`);
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
