import type { Block } from '../../../language/catalog/block.ts';

/**
 * Remembers a result for a block while the block and all that it names are the same objects: blocks are immutable, so a
 * changed one is another object. `sources` starts with the block; `variant` is any other input of the result. `Source`:
 * what is made from blocks and remembered is immutable too.
 */
export type BlockMemory<T, Source extends object = Block> = (
  sources: readonly Source[],
  variant: string,
  make: () => T,
) => T;

export function createBlockMemory<T, Source extends object = Block>(): BlockMemory<T, Source> {
  const made = new WeakMap<
    Source,
    { readonly sources: readonly Source[]; readonly variant: string; readonly value: T }
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

function isSame(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((block, index) => block === b[index]);
}
