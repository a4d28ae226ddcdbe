import type { SourceFile } from '../../compiler/source/source-file.ts';
import { outcomeJson } from '../../runtime/session/outcome-json.ts';
import type { StatementOutcome } from '../../runtime/session/outcome.ts';
import type { OpenSession } from '../../runtime/session/open-session.ts';
import type { JsonObject } from '../../runtime/values/json.ts';
import { readExactJson } from './exact-json.ts';
import { judgeScript, type Verdict } from './judge-script.ts';

/** A script run and judged. */
export interface ScriptReport {
  readonly file: SourceFile;
  readonly verdicts: readonly Verdict[];
  readonly statements: number;
  readonly seconds: number;
}

/** Runs a script to its end, whatever fails, and holds each outcome against its expectations. */
export async function runScript(
  session: OpenSession,
  file: SourceFile,
  onOutcome: (outcome: StatementOutcome) => void,
): Promise<ScriptReport> {
  const began = performance.now();
  const outcomes: JsonObject[] = [];
  for await (const outcome of session.run(file, { keepGoing: true })) {
    outcomes.push(readExactJson(outcomeJson(outcome)) as JsonObject);
    onOutcome(outcome);
  }
  const seconds = (performance.now() - began) / 1000;
  return { file, verdicts: judgeScript(file.text, outcomes), statements: outcomes.length, seconds };
}
