import { emitTerms, findBlock, type Catalog, type DecisionBlock } from '../../../compiler/index.ts';
import type { GuardTerms } from '../../../language/contract/terms.ts';
import { explainWith, type Explain } from '../../../runtime/engine/explain.ts';
import { loadText } from './load-text.ts';

const known = new WeakMap<DecisionBlock, Explain>();

/** Explains the rejections of a decision of the catalog; its terms are compiled when they are first asked for. Undefined for an unknown one. */
export function explainOf(catalog: Catalog, decision: string): Explain | undefined {
  const block = findBlock(catalog, 'decision', decision);
  if (block === undefined) return undefined;
  const before = known.get(block);
  if (before !== undefined) return before;
  let made: Explain | undefined;
  const guards = block.branches.map(({ guardText }) => guardText ?? null);
  const explain: Explain = (rejection) => {
    // The text that `emitTerms` makes exports the terms of the block.
    made ??= explainWith(loadText(emitTerms(block)) as GuardTerms, guards);
    return made(rejection);
  };
  known.set(block, explain);
  return explain;
}
