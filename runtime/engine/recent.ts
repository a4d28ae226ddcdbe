import { createTextHash, createTextMap } from '../store/text-map.ts';

/** A map of strings that drops entries without recent use; every call has constant cost. */
export interface Recent<T> {
  readonly get: (key: string) => T | undefined;
  /** The value only if it was set or got lately: half the price of `get` where it mostly is new. */
  readonly young: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
  /** The value that was got last takes one more place. */
  readonly grew: () => void;
  readonly remove: (key: string) => void;
  /** Replaces each value by what is left of it, if anything. */
  readonly reduce: (left: (value: T) => T | undefined) => void;
  readonly clear: () => void;
}

/**
 * Holds values that take `capacity` places at most, and always the half of them that was used last: there are two generations, and the
 * old one is dropped when the young one is full. (Removing the first key of one `Map` repeatedly walks over all removed
 * ones.) A value takes one place or more. `seed`: callers who choose keys must not know it.
 */
export function createRecent<T>(capacity: number, seed: number, places: (value: T) => number = () => 1): Recent<T> {
  const hash = createTextHash(seed);
  let young = createTextMap<T>(hash);
  let old = createTextMap<T>(hash);
  /** Places of young values beyond the first one of each. */
  let further = 0;
  const set = (key: string, value: T): void => {
    if (young.size() + further >= capacity / 2) {
      old = young;
      young = createTextMap(hash);
      further = 0;
    }
    young.set(key, value);
    further += places(value) - 1;
  };
  return {
    get: (key) => {
      const known = young.get(key);
      if (known !== undefined) return known;
      const before = old.get(key);
      if (before === undefined) return undefined;
      old.delete(key);
      set(key, before);
      return before;
    },
    young: (key) => young.get(key),
    set,
    grew: () => {
      further += 1;
    },
    remove: (key) => {
      young.delete(key);
      old.delete(key);
    },
    reduce: (left) => {
      for (const generation of [young, old])
        for (const [key, value] of generation.entries()) {
          const rest = left(value);
          if (rest === undefined) generation.delete(key);
          else generation.set(key, rest);
        }
    },
    clear: () => {
      young = createTextMap(hash);
      old = createTextMap(hash);
      further = 0;
    },
  };
}
