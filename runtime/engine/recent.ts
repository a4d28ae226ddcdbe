/** A map of strings that forgets what was not asked for in a long time; every call costs the same, however much it holds. */
export interface Recent<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
  readonly forget: (isUnwanted: (key: string) => boolean) => void;
  readonly clear: () => void;
}

/**
 * Holds `capacity` at most, and at least the half of it that was used last: two generations, of which the old one goes when the
 * young one is full. (Taking the first key out of one `Map` again and again walks over all that was taken out before.)
 */
export function createRecent<T>(capacity: number): Recent<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  const set = (key: string, value: T): void => {
    if (young.size >= capacity / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
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
    set,
    forget: (isUnwanted) => {
      for (const generation of [young, old])
        for (const key of generation.keys()) if (isUnwanted(key)) generation.delete(key);
    },
    clear: () => {
      young = new Map();
      old = new Map();
    },
  };
}
