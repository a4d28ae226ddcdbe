import { fieldDoc, type Docs } from '../language/contract/docs.ts';
import type { Block } from '../language/catalog/block.ts';
import { docsPart } from '../language/catalog/documented.ts';
import type { Code } from './code.ts';
import { dataCode } from './data.ts';

/** A sentence of the generator, and the doc comment of the block below it. */
export function blockDocumentation(sentence: string, docs: Docs | undefined): readonly string[] {
  return docs?.block === undefined ? [sentence] : [sentence, '', docs.block];
}

/** The comment above a member: the doc comment of its field, and a remark of the generator. */
export function memberDocumentation(
  docs: Docs | undefined,
  field: string,
  remark?: string,
): { readonly documentation?: readonly string[] } {
  const lines = [fieldDoc(docs, field), remark].filter((line) => line !== undefined);
  return lines.length === 0 ? {} : { documentation: lines };
}

/** The member `docs` of a definition; none without doc comments. */
export function docsEntry(block: Pick<Block, 'docs'>): readonly (readonly [string, Code])[] {
  const { docs } = docsPart(block);
  return docs === undefined ? [] : [['docs', dataCode(docs)]];
}
