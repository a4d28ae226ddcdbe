/** Random values that are made from a seed, so that a command can be decided again with the same ones. */
import { createHash } from 'node:crypto';
import { randomUuid } from './uuid.ts';

export interface Draws {
  /** A DOUBLE in [0, 1). `place` is the occurrence in the schema that draws; calls without one share a place. */
  readonly random: (place?: string) => number;
  /** A random UUID in canonical text. */
  readonly uuid: (place?: string) => string;
}

/** Seeds of 16 bytes give draws in their order: entries have them that were written before draws had places. */
const orderedDigits = 32;
const byPlace = '01';

/** The form of a seed: hex of 17 bytes, the first of which says how it draws, or of 16. */
export const seedForm = /^(?:01)?[0-9a-f]{32}$/;

/** A new seed, of 16 random bytes. */
export function newSeed(randomBytes: (length: number) => Uint8Array): string {
  return byPlace + Buffer.from(randomBytes(16)).toString('hex');
}

/** The seed for a command that was recorded without one, because it drew nothing: the same each time it is decided again. */
export function seedOf(text: string): string {
  return byPlace + createHash('sha256').update(text).digest('hex').slice(0, orderedDigits);
}

/**
 * Draws from a seed. Each is made of the seed, its place, and the number of draws at that place before it, so that a draw which is added or
 * removed elsewhere changes no other.
 */
export function createDraws(seed: () => string): Draws {
  const drawn = new Map<string, number>();
  const bytesAt = (place: string): ((length: number) => Uint8Array) => {
    const given = seed();
    const key = given.length === orderedDigits ? '' : place;
    const before = drawn.get(key) ?? 0;
    drawn.set(key, before + 1);
    const text = given.length === orderedDigits ? `draw ${before + 1} ${given}` : `${given} ${before} ${place}`;
    return (length) => createHash('sha256').update(text).digest().subarray(0, length);
  };
  return {
    random: (place = '') => randomFraction(bytesAt(place)(8)),
    uuid: (place = '') => randomUuid(bytesAt(place)),
  };
}

/** A DOUBLE in [0, 1) from 53 random bits. */
export function randomFraction(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return ((view.getUint32(0) >>> 5) * 2 ** 26 + (view.getUint32(4) >>> 6)) / 2 ** 53;
}
