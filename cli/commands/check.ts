import { diagnosticJson } from '../../language/diagnostics/json.ts';
import { sortedDiagnostics, usualErrors } from '../../language/diagnostics/sort.ts';
import { compilePaths, countCompiled, schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { optimiseLate } from '../optimise-late.ts';
import { writeJsonLine } from '../shell.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import { reportDiagnostics } from '../report.ts';
import { usageFault } from '../exit-fault.ts';
import { configurationWarnings, showWarnings } from '../settings/configuration-warnings.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';

/** `schemac check <paths…>`: all findings about the files as one compilation, cross-checks included; nothing is written. */
export const runCheck: Run = async (shell, words, flags) => {
  optimiseLate();
  const mostErrors = errorLimit(flags);
  const settings = resolveSettings(shell, flags);
  const paths = schemaPaths(words, settings);
  const compiled = await compilePaths(shell, paths, undefined, undefined, mostErrors);
  const { sources, registry, catalog } = compiled;
  const failed = hasErrors(compiled.diagnostics);
  const { crossCheck } = await import('../../compiler/index.ts');
  const diagnostics = failed
    ? compiled.diagnostics
    : sortedDiagnostics([...compiled.diagnostics, ...crossCheck(registry)], sources, mostErrors);
  const warnings = failed ? [] : await configurationWarnings(settings.config, catalog);
  if (flags['json'] === true) {
    const files = sources.map((source) => source.name);
    writeJsonLine(shell.output, { ok: !failed, files, diagnostics: diagnostics.map(diagnosticJson), warnings });
  } else {
    await reportDiagnostics(shell, diagnostics);
    showWarnings(shell.messages, warnings);
    if (!failed) shell.output.write(`checked ${countCompiled(compiled)}\n`);
  }
  return failed ? 1 : 0;
};

/** `--max-diagnostics`: 0 is all of them. */
function errorLimit({ maxDiagnostics = String(usualErrors) }: Flags): number {
  const given = String(maxDiagnostics);
  if (!/^\d{1,9}$/.test(given)) throw usageFault(`--max-diagnostics takes a whole number, 0 for all, not '${given}'`);
  return Number(given) === 0 ? Infinity : Number(given);
}
