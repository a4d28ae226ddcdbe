import type { Block } from '../../../language/catalog/block.ts';

/**
 * Remembers a result for a block while the block and all that it names are the same objects: blocks are immutable, so a
 * changed one is another object. `sources` starts with the block; `variant` is any other input of the result.
 */
export type BlockMemory<T> = (sources: readonly Block[], variant: string, make: () => T) => T;

export function createBlockMemory<T>(): BlockMemory<T> {
  const made = new WeakMap<
    Block,
    { readonly sources: readonly Block[]; readonly variant: string; readonly value: T }
  >();
  return (sources, variant, make) => {
    const [block] = sources;
    const known = block === undefined ? undefined : made.get(block);
    if (known?.variant === variant && isSame(known.sources, sources)) return known.value;
    const value = make();
    if (block !== undefined) made.set(block, { sources, variant, value });
    return value;
  };
}

function isSame(a: readonly Block[], b: readonly Block[]): boolean {
  return a.length === b.length && a.every((block, index) => block === b[index]);
}
