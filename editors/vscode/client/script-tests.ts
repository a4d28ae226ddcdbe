/** The tests of a script, as an editor lists them, with the verdicts of `schemac test --json`. */
import { readExpectations } from '../../../cli/expectations/expectation.ts';

/** An expectation: `schemac test` names it by its line. */
export interface ScriptTest {
  /** From 1. */
  readonly line: number;
  /** The statement that it is about, in one line. */
  readonly statement: string;
  readonly expectation: string;
}

export interface ScriptVerdict {
  readonly line: number;
  readonly name: string;
  readonly mismatch?: { readonly problem: string; readonly expected?: string; readonly got?: string };
}

const mostShown = 80;

export function testsOf(text: string): readonly ScriptTest[] {
  const lines = text.split('\n');
  return readExpectations(text).map(({ line, word, rest }) => ({
    line,
    statement: shortened(statementBefore(lines, line - 1)),
    expectation: shortened(`${word} ${rest}`.trim()),
  }));
}

/** The lines above that are neither comments nor empty, up to the end of the statement before. */
function statementBefore(lines: readonly string[], index: number): string {
  const isNote = (line: string): boolean => /^\s*(--|$)/.test(line);
  let last = index - 1;
  while (last >= 0 && isNote(lines[last] ?? '')) last--;
  let first = last;
  while (first > 0 && !isNote(lines[first - 1] ?? '') && !/;\s*$/.test(lines[first - 1] ?? '')) first--;
  return lines
    .slice(Math.max(0, first), last + 1)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function shortened(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text;
}

/** The verdicts by the path of their script as it was named; undefined when the output is no report: the schema has errors, for example. */
export function readReport(stdout: string): ReadonlyMap<string, readonly ScriptVerdict[]> | undefined {
  try {
    const { scripts } = JSON.parse(stdout) as {
      readonly scripts?: readonly { readonly file: string; readonly verdicts: readonly ScriptVerdict[] }[];
    };
    return scripts === undefined ? undefined : new Map(scripts.map(({ file, verdicts }) => [file, verdicts]));
  } catch {
    return undefined;
  }
}

/** Text of a failed expectation for a person. */
export function failureText({ mismatch }: ScriptVerdict): string {
  if (mismatch === undefined) return '';
  const { problem, expected, got } = mismatch;
  return [
    problem,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(got === undefined ? [] : [`got: ${got}`]),
  ].join('\n');
}
