import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { diagnosticJson } from '../../language/diagnostics/json.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import type { ExitStatus } from '../exit-fault.ts';
import { writeJsonLine } from '../shell.ts';
import { readInput } from '../read-input.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import { reportDiagnostics } from '../report.ts';
import { readSchemaFiles } from '../schema-files.ts';
import { resolveSettings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** `schemac fmt <paths…> [--check]`. A file that does not parse is reported and left unchanged. */
export const runFmt: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  if (words.length === 1 && words[0] === '-') return formatInput(shell, flags['check'] === true);
  const scripts = words.length > 0 ? [] : (settings.tests ?? []);
  const sources = readSchemaFiles(shell.cwd, [...schemaPaths(words, settings), ...scripts]);
  const { formatScript } = await import('../../compiler/index.ts');
  const changed: SourceFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of sources) {
    const formatted = formatScript(source);
    diagnostics.push(...formatted.diagnostics);
    if (formatted.text === undefined || formatted.text === source.text) continue;
    changed.push({ name: source.name, text: formatted.text });
  }
  const check = flags['check'] === true;
  if (!check) for (const { name, text } of changed) writeFileSync(resolve(shell.cwd, name), text);
  const failed = hasErrors(diagnostics) || (check && changed.length > 0);
  if (flags['json'] === true) {
    const names = changed.map(({ name }) => name);
    writeJsonLine(shell.output, { ok: !failed, changed: names, diagnostics: diagnostics.map(diagnosticJson) });
  } else {
    await reportDiagnostics(shell, diagnostics);
    if (check) for (const { name } of changed) shell.output.write(`${name}\n`);
    else shell.output.write(`formatted ${changed.length} of ${sources.length} file(s)\n`);
  }
  return failed ? 1 : 0;
};

/** stdin to stdout; with `--check`, only whether it is in canonical form. */
async function formatInput(shell: Shell, check: boolean): Promise<ExitStatus> {
  const source = await readInput(shell);
  const { formatScript } = await import('../../compiler/index.ts');
  const { text, diagnostics } = formatScript(source);
  await reportDiagnostics(shell, diagnostics);
  if (text === undefined || hasErrors(diagnostics)) return 1;
  if (check) return text === source.text ? 0 : 1;
  shell.output.write(text);
  return 0;
}
