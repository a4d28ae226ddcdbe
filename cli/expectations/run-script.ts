import type { SourceFile } from '../../language/source/source-file.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { StatementOutcome } from '../../server/session/outcome.ts';
import type { OpenSession } from '../../server/session/open-session.ts';
import { ExactNumber, type JsonObject } from '../../language/values/json.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { judgeScript, type JudgeOptions, type Verdict } from './judge-script.ts';

/** A script run and judged. */
export interface ScriptReport {
  readonly file: SourceFile;
  readonly verdicts: readonly Verdict[];
  readonly statements: number;
  readonly seconds: number;
}

export interface ScriptOptions extends JudgeOptions {
  /** Time limit of one statement; past it, the statement and its script are stopped. */
  readonly milliseconds: number;
  readonly onOutcome: (outcome: StatementOutcome) => void;
}

/** Runs a script to its end, despite failures, and checks each outcome against its expectations. */
export async function runScript(
  session: OpenSession,
  file: SourceFile,
  { milliseconds, onOutcome, ...judging }: ScriptOptions,
): Promise<ScriptReport> {
  const began = performance.now();
  const outcomes: JsonObject[] = [];
  const ended: Verdict[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const statementTimer = (): NodeJS.Timeout => setTimeout(() => stopping.abort(), milliseconds);
  let timer = statementTimer();
  try {
    for await (const outcome of session.run(file, { keepGoing: true, signal })) {
      clearTimeout(timer);
      outcomes.push(readExactJson(outcomeJson(outcome)) as JsonObject);
      onOutcome(outcome);
      timer = statementTimer();
    }
  } catch (error) {
    // Other scripts have their own sessions, and their outcomes are still useful.
    const problem = `the script ended with an internal error of schemac: ${error instanceof Error ? error.message : String(error)}`;
    ended.push({ line: 1, name: 'to run to its end', mismatch: { problem } });
  } finally {
    clearTimeout(timer);
  }
  if (signal.aborted) {
    const problem = `the script was stopped: a statement took longer than ${milliseconds / 1000} s`;
    ended.push({ line: Number(lastLine(outcomes)), name: 'to run to its end', mismatch: { problem } });
  }
  const seconds = (performance.now() - began) / 1000;
  const verdicts = [...judgeScript(file.text, outcomes, judging), ...ended];
  return { file, verdicts, statements: outcomes.length, seconds };
}

/** Line of the last statement that has an outcome. */
function lastLine(outcomes: readonly JsonObject[]): string {
  const line = outcomes.at(-1)?.get('statement_line');
  return line instanceof ExactNumber ? line.text : '1';
}
