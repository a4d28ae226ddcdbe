import type { Randomness } from '../disk.ts';

/** Ids that are unique among all processes: a random prefix, and a count. */
export function createBatchIds(random: Randomness): () => string {
  const own = Buffer.from(random(8)).toString('hex');
  let made = 0;
  return () => `${own}-${++made}`;
}
