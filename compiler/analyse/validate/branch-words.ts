import type { DecisionBlock } from '../../../language/catalog/block.ts';

/** The name of a branch: `BRANCH Full`, else its position, which counts from 1. */
export function branchWords(decision: DecisionBlock, index: number): string {
  const label = decision.branches[index]?.label;
  if (label !== undefined) return `BRANCH ${label}`;
  return decision.branches.length === 1 ? 'its branch' : `branch ${index + 1}`;
}
