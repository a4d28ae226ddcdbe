/** Pseudorandom numbers, repeatable by their seed (mulberry32). */
export interface Chance {
  /** A whole number from 0 to `below` - 1. */
  readonly below: (below: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}

/** The seed of this run, printed so that it can be run again with `SCHEMAC_SEED`. */
export function seedOf(test: string): number {
  const seed = Number(process.env['SCHEMAC_SEED'] ?? Date.now() % 1_000_000_000);
  console.log(`${test}: SCHEMAC_SEED=${seed}`);
  return seed;
}

/** A count from the environment, for the long run. */
export function parameter(name: string, usual: number): number {
  return Number(process.env[name] ?? usual);
}
