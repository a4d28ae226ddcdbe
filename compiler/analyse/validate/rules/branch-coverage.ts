import { branchWords } from '../branch-words.ts';
import { cellsOf, type Cells } from '../cells.ts';
import { finding, type Finding, type Rule } from '../finding.ts';
import type { DecisionBlock } from '../../../../language/catalog/block.ts';

/** Branches that overlap or leave a gap, in decisions whose guards all have one subject. */
export const branchCoverage: Rule = ({ blocks }) =>
  blocks.decision.flatMap((decision) => {
    const guards = decision.branches.flatMap((branch) => branch.guard ?? []);
    if (decision.branches.length < 2 || guards.length < decision.branches.length) return [];
    const cells = cellsOf(guards);
    return cells === undefined ? [] : [...overlaps(decision, cells), ...gaps(decision, cells)];
  });

function overlaps(decision: DecisionBlock, { holds }: Cells): readonly Finding[] {
  return holds.flatMap((first, index) =>
    holds.slice(index + 1).flatMap((second, offset) => {
      if (!first.some((value, cell) => value && second[cell] === true)) return [];
      const names = { first: branchWords(decision, index), second: branchWords(decision, index + 1 + offset) };
      return [finding('E1007', `decision ${decision.name}`, { decision: decision.name, ...names })];
    }),
  );
}

function gaps(decision: DecisionBlock, { labels, holds }: Cells): readonly Finding[] {
  const open = labels.filter((_, cell) => !holds.some((values) => values[cell] === true));
  if (open.length === 0) return [];
  return [finding('E1008', `decision ${decision.name}`, { decision: decision.name, gap: open.join(', ') })];
}
