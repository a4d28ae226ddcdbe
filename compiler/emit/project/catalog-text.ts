import type { Block } from '../../../language/catalog/block.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';

const texts = new WeakMap<Block, string>();

/** The catalog as one line of JSON; the text of each block is made only once. */
export function catalogText({ format, blocks }: Catalog): string {
  const kinds = Object.entries(blocks).map(
    ([kind, list]) => `${JSON.stringify(kind)}:[${list.map(blockText).join(',')}]`,
  );
  return `{"format":${JSON.stringify(format)},"blocks":{${kinds.join(',')}}}\n`;
}

function blockText(block: Block): string {
  const text = texts.get(block) ?? JSON.stringify(block);
  texts.set(block, text);
  return text;
}
