import type { SourceFile } from '../../language/source/source-file.ts';
import type { Session } from '../../server/session/session.ts';
import { clockFlag } from '../clock-flag.ts';
import type { Run } from '../declaration.ts';
import type { ExitStatus } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { withSession } from '../open-session.ts';
import { showOutcome } from '../output/show-outcome.ts';
import { readInput } from '../read-input.ts';
import { findFiles, readSchemaFile } from '../schema-files.ts';
import { runStatements } from '../run-statements.ts';
import { resolveSettings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { asOfFlag, schemaFlag } from './statement.ts';

/** `schemac run <scripts…>`: all scripts in one session, in order; the first failed statement ends it unless `--keep-going`. */
export const runRun: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const scripts = await readScripts(shell, words);
  const rules: Rules = {
    keepGoing: flags['keepGoing'] === true,
    failOnReject: flags['failOnReject'] === true,
    json: flags['json'] === true,
    ...asOfFlag(flags),
  };
  const work = async (session: Session): Promise<ExitStatus> => {
    if (!(await loadSchema(shell, session, schemaFlag(flags)))) return 1;
    let status: ExitStatus = 0;
    for (const script of scripts) {
      if (await runScript(shell, session, script, rules)) continue;
      status = 1;
      if (!rules.keepGoing) break;
    }
    return status;
  };
  return withSession(shell, settings, work, clockFlag(flags, settings));
};

interface Rules {
  readonly keepGoing: boolean;
  readonly failOnReject: boolean;
  readonly json: boolean;
  readonly asOf?: string;
}

/** False if a statement failed. */
async function runScript(shell: Shell, session: Session, script: SourceFile, rules: Rules): Promise<boolean> {
  let failures = 0;
  for await (const outcome of runStatements(shell, session.run, script, rules)) {
    await showOutcome(shell, outcome, rules.json);
    const rejected = outcome.kind === 'execute' && outcome.outcome.outcome === 'rejected';
    if (outcome.kind === 'error' || (rejected && rules.failOnReject)) failures++;
    if (rejected && rules.failOnReject && !rules.keepGoing) break;
  }
  return failures === 0;
}

async function readScripts(shell: Shell, words: readonly string[]): Promise<readonly SourceFile[]> {
  const scripts: SourceFile[] = [];
  for (const word of words) {
    if (word === '-') scripts.push(await readInput(shell));
    else scripts.push(...findFiles(shell.cwd, word).map((path) => readSchemaFile(shell.cwd, path)));
  }
  return scripts;
}
