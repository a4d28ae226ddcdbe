import type { DecisionBlock } from '../../../language/catalog/block.ts';

/** How a branch is called: `BRANCH Full`, else by its place, which counts from 1. */
export function branchWords(decision: DecisionBlock, index: number): string {
  const label = decision.branches[index]?.label;
  if (label !== undefined) return `BRANCH ${label}`;
  return decision.branches.length === 1 ? 'its branch' : `branch ${index + 1}`;
}
