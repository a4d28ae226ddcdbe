import type { SourceFile } from '../../compiler/source/source-file.ts';
import { outcomeJson } from '../../runtime/session/outcome-json.ts';
import type { StatementOutcome } from '../../runtime/session/outcome.ts';
import type { Run } from '../declaration.ts';
import { renderOutcome } from '../output/outcome-text.ts';
import { reportProblems } from '../output/problem-report.ts';
import { withSession } from '../open-session.ts';
import { readInput } from '../read-input.ts';
import { findFiles, readSchemaFile } from '../schema-files.ts';
import { resolveSettings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** `schemac run <scripts…>`: in one session, in order; the first failed statement ends it unless `--keep-going`. */
export const runRun: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const scripts = await readScripts(shell, words);
  const keepGoing = flags['keepGoing'] === true;
  const failOnReject = flags['failOnReject'] === true;
  const show = flags['json'] === true ? showJson : showText;
  return withSession(shell, settings, async (session) => {
    let failed = false;
    for (const script of scripts) {
      for await (const outcome of session.run(script, { keepGoing })) {
        await show(shell, outcome);
        const rejected = outcome.kind === 'execute' && outcome.outcome.outcome === 'rejected';
        const fails = outcome.kind === 'error' || (failOnReject && rejected);
        failed ||= fails;
        if (fails && rejected && !keepGoing) return 1;
      }
      if (failed && !keepGoing) return 1;
    }
    return failed ? 1 : 0;
  });
};

async function readScripts(shell: Shell, words: readonly string[]): Promise<readonly SourceFile[]> {
  const scripts: SourceFile[] = [];
  for (const word of words) {
    if (word === '-') scripts.push(await readInput(shell));
    else scripts.push(...findFiles(shell.cwd, word).map((path) => readSchemaFile(shell.cwd, path)));
  }
  return scripts;
}

function showJson(shell: Shell, outcome: StatementOutcome): void {
  shell.output.write(`${outcomeJson(outcome)}\n`);
}

async function showText(shell: Shell, outcome: StatementOutcome): Promise<void> {
  await reportProblems(shell.messages, outcome);
  const { output } = shell;
  output.write(
    renderOutcome(outcome, { width: output.width(), expanded: false, colour: output.colour, terminal: output.terminal }),
  );
}
