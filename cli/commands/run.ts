import type { SourceFile } from '../../compiler/source/source-file.ts';
import type { Run } from '../declaration.ts';
import { loadSchema } from '../load-schema.ts';
import { withSession } from '../open-session.ts';
import { showOutcome } from '../output/show-outcome.ts';
import { readInput } from '../read-input.ts';
import { findFiles, readSchemaFile } from '../schema-files.ts';
import { resolveSettings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { schemaFlag } from './statement.ts';

/** `schemac run <scripts…>`: in one session, in order; the first failed statement ends it unless `--keep-going`. */
export const runRun: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const scripts = await readScripts(shell, words);
  const keepGoing = flags['keepGoing'] === true;
  const failOnReject = flags['failOnReject'] === true;
  return withSession(settings, async (session) => {
    if (!(await loadSchema(shell, session, schemaFlag(flags)))) return 1;
    let failed = false;
    for (const script of scripts) {
      for await (const outcome of session.run(script, { keepGoing })) {
        await showOutcome(shell, outcome, flags['json'] === true);
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
