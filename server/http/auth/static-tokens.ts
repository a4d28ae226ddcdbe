import { createHash, timingSafeEqual } from 'node:crypto';
import type { StaticToken } from './policy.ts';

/** Finds the static token that was sent. Every candidate is compared, in constant time, so that the time reveals nothing. */
export function createStaticTokens(tokens: readonly StaticToken[]): (sent: string) => StaticToken | undefined {
  const known = tokens.map((token) => ({ token, hash: Buffer.from(token.sha256, 'hex') }));
  return (sent) => {
    const hash = createHash('sha256').update(sent).digest();
    let found: StaticToken | undefined;
    for (const candidate of known) if (timingSafeEqual(candidate.hash, hash)) found = candidate.token;
    return found;
  };
}
