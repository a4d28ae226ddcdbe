import type { Randomness } from '../disk.ts';

/** Ids that no batch of any process has: a random beginning, and a count. */
export function createBatchIds(random: Randomness): () => string {
  const own = Buffer.from(random(8)).toString('hex');
  let made = 0;
  return () => `${own}-${++made}`;
}
