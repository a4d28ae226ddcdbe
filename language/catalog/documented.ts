import type { Docs } from '../contract/docs.ts';
import type { Block } from './block.ts';

/** The definition as it is exported, logged and shown: canonical print with the doc comments. Only `text` is compared. */
export function writtenText({ text, docs }: Pick<Block, 'text' | 'docs'>): string {
  return docs?.text ?? text;
}

/** The doc comments of a block as a part of its definition in a server; no part without any. */
export function docsPart({ docs }: Pick<Block, 'docs'>): { readonly docs?: Docs } {
  if (docs === undefined) return {};
  const { block, fields } = docs;
  return { docs: { ...(block === undefined ? {} : { block }), fields } };
}
