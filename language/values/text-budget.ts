/**
 * Bounds the text that the functions of one decision read and make, which the thread of all commands waits for: each call takes time linear in its
 * texts, but a decision may have many calls. Characters are counted, not time, so that a command is refused everywhere or nowhere.
 */
import { fail } from '../failure/failure.ts';

/** Characters that the functions of one decision may read and make, as units of UTF-16. */
export const decisionCharacters = 1_048_576;

/** Outside of decisions nothing is counted: a query has a time limit and a thread of its own. */
let left = Infinity;

/** Runs synchronous expressions of a decision; past the budget they fail with R0210. */
export function withinTextBudget<T>(evaluate: () => T): T {
  left = decisionCharacters;
  try {
    return evaluate();
  } finally {
    left = Infinity;
  }
}

/** Counts characters that a function reads or makes. */
export function spendText(characters: number): void {
  left -= characters;
  if (left < 0) throw fail('R0210', { most: decisionCharacters });
}
