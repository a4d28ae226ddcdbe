import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SourceFile } from '../../compiler/source/source-file.ts';
import { schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { readInput } from '../read-input.ts';
import { hasErrors, reportDiagnostics } from '../report.ts';
import { readSchemaFiles } from '../schema-files.ts';
import { resolveSettings } from '../settings/settings.ts';

/** `schemac fmt <paths…> [--check]`. A file that does not parse is reported and left as it is. */
export const runFmt: Run = async (shell, words, flags) => {
  const { formatScript } = await import('../../compiler/index.ts');
  const fromInput = words.length === 1 && words[0] === '-';
  const sources: readonly SourceFile[] = fromInput
    ? [await readInput(shell)]
    : readSchemaFiles(shell.cwd, schemaPaths(words, resolveSettings(shell, flags)));
  const check = flags['check'] === true;
  let broken = 0;
  const changed: SourceFile[] = [];
  for (const source of sources) {
    const { text, diagnostics } = formatScript(source);
    if (text === undefined || hasErrors(diagnostics)) {
      await reportDiagnostics(shell, diagnostics);
      broken++;
    } else if (fromInput && !check) shell.output.write(text);
    else if (text !== source.text) {
      changed.push(source);
      if (!check) writeFileSync(resolve(shell.cwd, source.name), text);
    }
  }
  if (check) for (const { name } of changed) shell.output.write(`${name}\n`);
  else if (!fromInput) shell.output.write(`formatted ${changed.length} of ${sources.length} file(s)\n`);
  return broken > 0 || (check && changed.length > 0) ? 1 : 0;
};
