import { randomFillSync } from 'node:crypto';

const POOL = 8192;

/**
 * Random bytes of the system, drawn in bulk: an id needs ten, and drawing thousands costs the same. No byte is used
 * twice.
 */
export function createSystemRandom(): (length: number) => Uint8Array {
  const pool = new Uint8Array(POOL);
  let used = POOL;
  return (length) => {
    if (length > POOL) return randomFillSync(new Uint8Array(length));
    if (used + length > POOL) {
      randomFillSync(pool);
      used = 0;
    }
    used += length;
    return pool.slice(used - length, used);
  };
}
