import { ExactNumber, type JsonObject } from '../../language/values/json.ts';
import { canonicalText } from './exact-json.ts';
import { readExpectations, type Expectation } from './expectation.ts';
import { errorText, judge, type Mismatch } from './judge.ts';

export type { Mismatch };

/** A checked fact about a script: an expectation, or an unexpected failure of a statement. */
export interface Verdict {
  readonly line: number;
  readonly name: string;
  readonly mismatch?: Mismatch;
}

export interface JudgeOptions {
  /** An EXECUTE without an expectation may be rejected. */
  readonly allowRejected?: boolean;
}

/**
 * Checks the outcomes of a script, in the form of `run --json`, against its expectations. Each expectation is about the last statement that
 * begins at or before it; a statement without one must neither fail nor be rejected.
 */
export function judgeScript(
  text: string,
  outcomes: readonly JsonObject[],
  { allowRejected = false }: JudgeOptions = {},
): readonly Verdict[] {
  const lines = text.split('\n');
  const starts = outcomes.map(lineOf);
  const claimed = new Set<number>();
  let before = 0;
  const verdicts = readExpectations(text).map((expectation): Verdict => {
    const index = lastIndexBy(starts, expectation.line);
    // If a statement is between this expectation and the previous one, its own outcome is required.
    const fresh = lines
      .slice(before, expectation.line - 1)
      .some((line) => line.trim() !== '' && !/^\s*(--|\/\*)/.test(line));
    const missing = fresh && (starts[index] ?? 0) <= before;
    before = expectation.end;
    if (!missing) claimed.add(index);
    const mismatch = missing
      ? { problem: 'the statement before it has no outcome' }
      : judge(expectation, outcomes[index]);
    return { line: expectation.line, name: nameOf(expectation), ...(mismatch === undefined ? {} : { mismatch }) };
  });
  const unexpected = outcomes.flatMap((outcome, index): readonly Verdict[] => {
    if (claimed.has(index)) return [];
    const line = lineOf(outcome);
    if (outcome.get('kind') === 'error')
      return [{ line, name: 'not to fail', mismatch: { problem: `the statement failed: ${errorText(outcome)}` } }];
    const rejection = outcome.get('rejection');
    if (allowRejected || rejection === undefined) return [];
    const problem = `the command was rejected; '--= rejected' after it expects that: ${canonicalText(rejection)}`;
    return [{ line, name: 'not to be rejected', mismatch: { problem } }];
  });
  return [...verdicts, ...unexpected];
}

function lineOf(outcome: JsonObject): number {
  const line = outcome.get('statement_line');
  return line instanceof ExactNumber ? Number(line.text) : 0;
}

/** The index of the greatest start up to `line`, the last of equal ones; -1 when there is none. */
function lastIndexBy(starts: readonly number[], line: number): number {
  let best = -1;
  starts.forEach((start, index) => {
    if (start <= line && start >= (starts[best] ?? 0)) best = index;
  });
  return best;
}

function nameOf({ word, rest }: Expectation): string {
  const whole = rest === '' ? word : `${word} ${rest}`;
  return whole.length > 80 ? `${whole.slice(0, 79)}…` : whole;
}
