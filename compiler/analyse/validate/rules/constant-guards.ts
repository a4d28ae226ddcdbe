import { branchWords } from '../branch-words.ts';
import { alwaysHolds, neverHolds } from '../constant-condition.ts';
import { finding, type Rule } from '../finding.ts';

/** Guards that are never or always true, if that is decidable. */
export const constantGuards: Rule = ({ blocks }) =>
  blocks.decision.flatMap((decision) =>
    decision.branches.flatMap((branch, index) => {
      if (branch.guard === undefined) return [];
      const parameters = { decision: decision.name, branch: branchWords(decision, index) };
      const block = `decision ${decision.name}`;
      if (neverHolds(branch.guard)) return [finding('E1005', block, parameters)];
      return alwaysHolds(branch.guard) ? [finding('E1006', block, parameters)] : [];
    }),
  );
