import type { ImportPart } from './module.ts';

/** Collects the imports of a module from one other while its parts are made. */
export interface Imports {
  /** Records a value and gives its name. */
  readonly value: (name: string) => string;
  /** Records a type and gives its name. */
  readonly type: (name: string) => string;
  /** The imports recorded so far, names sorted. */
  readonly parts: () => readonly ImportPart[];
}

export function createImports(from: 'schemac/runtime' | 'schemac/client' = 'schemac/runtime'): Imports {
  const values = new Set<string>();
  const types = new Set<string>();
  const add = (set: Set<string>, name: string): string => {
    set.add(name);
    return name;
  };
  const part = (set: ReadonlySet<string>, typesOnly: boolean): readonly ImportPart[] =>
    set.size === 0 ? [] : [{ from, types: typesOnly, names: [...set].sort().map((name) => ({ name })) }];
  return {
    value: (name) => add(values, name),
    type: (name) => add(types, name),
    parts: () => [...part(types, true), ...part(values, false)],
  };
}
