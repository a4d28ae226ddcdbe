/**
 * A map from texts for hundreds of thousands of keys. Looking up a key that is not there costs one access to memory outside the processor's caches,
 * where a `Map` makes one for each key of its bucket, twice: it compares hashes that are in the texts. Here they are in one array.
 */
export interface TextMap<T> {
  readonly get: (key: string) => T | undefined;
  /** Whether it is new; then `kept` makes the text that is kept as its key, if not the key itself. */
  readonly set: (key: string, value: T, kept?: (key: string) => string) => boolean;
  /** Whether it was there. */
  readonly delete: (key: string) => boolean;
  readonly size: () => number;
  /** In no order. */
  readonly entries: () => IterableIterator<readonly [key: string, value: T]>;
}

const firstSlots = 16;

/**
 * The hash of a key. Maps with the same keys share one function: it remembers the last key and its hash, because the next question is
 * mostly about that key.
 */
export type TextHash = (key: string) => number;

/** Callers who choose keys must not know `seed`: otherwise they can have all of them searched one after the other. */
export function createTextHash(seed: number): TextHash {
  let lastKey = '';
  let last = hashOf(lastKey, seed);
  return (key) => {
    if (key !== lastKey) {
      last = hashOf(key, seed);
      lastKey = key;
    }
    return last;
  };
}

export function createTextMap<T>(hash: TextHash): TextMap<T> {
  /** For each slot the hash, and the place of the key and its value plus one, 0 when it is free. At most three quarters are taken. */
  let slots = new Int32Array(2 * firstSlots);
  let mask = firstSlots - 1;
  let size = 0;
  const keys: (string | undefined)[] = [];
  const values: (T | undefined)[] = [];
  const freePlaces: number[] = [];

  /** The slot of the key, or the free one where it belongs. */
  const slotOf = (key: string): number => {
    const wanted = hash(key);
    let slot = wanted & mask;
    for (;;) {
      const place = slots[2 * slot + 1] as number; // within its length
      if (place === 0 || (slots[2 * slot] === wanted && keys[place - 1] === key)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const grow = (): void => {
    const old = slots;
    slots = new Int32Array(2 * old.length);
    mask = slots.length / 2 - 1;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      const kept = old[at] as number;
      let slot = kept & mask;
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = kept;
      slots[2 * slot + 1] = old[at + 1] as number;
    }
  };
  /** Moves keys behind a slot that was freed to it, as far as they were only pushed behind it. */
  const close = (freed: number): void => {
    let hole = freed;
    for (let slot = (freed + 1) & mask; slots[2 * slot + 1] !== 0; slot = (slot + 1) & mask) {
      const wanted = (slots[2 * slot] as number) & mask;
      if (((slot - wanted) & mask) < ((slot - hole) & mask)) continue;
      slots[2 * hole] = slots[2 * slot] as number;
      slots[2 * hole + 1] = slots[2 * slot + 1] as number;
      hole = slot;
    }
    slots[2 * hole + 1] = 0;
  };

  return {
    get: (key) => {
      const place = slots[2 * slotOf(key) + 1] as number;
      return place === 0 ? undefined : values[place - 1];
    },
    set: (key, value, kept) => {
      let slot = slotOf(key);
      const known = slots[2 * slot + 1] as number;
      if (known !== 0) {
        values[known - 1] = value;
        return false;
      }
      if (4 * (size + 1) > 3 * (mask + 1)) {
        grow();
        slot = slotOf(key);
      }
      const place = freePlaces.pop() ?? keys.length;
      keys[place] = kept === undefined ? key : kept(key);
      values[place] = value;
      slots[2 * slot] = hash(key);
      slots[2 * slot + 1] = place + 1;
      size += 1;
      return true;
    },
    delete: (key) => {
      const slot = slotOf(key);
      const place = slots[2 * slot + 1] as number;
      if (place === 0) return false;
      keys[place - 1] = undefined;
      values[place - 1] = undefined;
      freePlaces.push(place - 1);
      size -= 1;
      close(slot);
      return true;
    },
    size: () => size,
    *entries() {
      for (const [place, key] of keys.entries()) if (key !== undefined) yield [key, values[place] as T];
    },
  };
}

/** Multiply and xor, unit by unit, mixed at the end. */
function hashOf(text: string, seed: number): number {
  let hash = seed | 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
