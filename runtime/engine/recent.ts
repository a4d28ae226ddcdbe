/** A map of strings that drops entries without recent use; every call has constant cost. */
export interface Recent<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
  readonly remove: (key: string) => void;
  readonly forget: (isUnwanted: (key: string) => boolean) => void;
  readonly clear: () => void;
}

/**
 * Holds at most `capacity` entries, and always the half of them that was used last: there are two generations, and the
 * old one is dropped when the young one is full. (Removing the first key of one `Map` repeatedly walks over all removed
 * ones.)
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
    remove: (key) => {
      young.delete(key);
      old.delete(key);
    },
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
