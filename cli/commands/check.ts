import type { Catalog } from '../../language/catalog/catalog.ts';
import { nearestNames, suggestion } from '../../language/diagnostics/suggestion.ts';
import { diagnosticJson } from '../../language/diagnostics/json.ts';
import { sortedDiagnostics, usualErrors } from '../../language/diagnostics/sort.ts';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { ConfigFile } from '../../server/start/settings/config-file.ts';
import { compilePaths, countCompiled, schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { optimiseLate } from '../optimise-late.ts';
import { writeJsonLine } from '../shell.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import { reportDiagnostics } from '../report.ts';
import { usageFault } from '../exit-fault.ts';
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
    for (const warning of warnings) shell.messages.write(`warning: ${visibleText(warning)}\n`);
    if (!failed) shell.output.write(`checked ${countCompiled(compiled)}\n`);
  }
  return failed ? 1 : 0;
};

/** Parts of the configuration's policy that have no effect on the blocks. */
async function configurationWarnings(config: ConfigFile, catalog: Catalog): Promise<readonly string[]> {
  if (config.values['auth'] === undefined) return [];
  const { authPolicy } = await import('../../server/start/settings/server-settings.ts');
  const { policyWarnings } = await import('../../server/http/auth/policy-warnings.ts');
  const policy = authPolicy(config);
  if (policy === undefined) return [];
  const { rolesNamed } = await import('../../compiler/index.ts');
  const { aggregate: aggregates, projection: projections, decision: decisions } = catalog.blocks;
  const { subscription: subscriptions, reaction: reactions } = catalog.blocks;
  const roles = rolesNamed(catalog);
  const names = { aggregates, projections, decisions, subscriptions, reactions, roles };
  const found = policyWarnings(policy, names, (right, known) => suggestion(nearestNames(right, known)));
  return found.map((warning) => `${config.path ?? 'configuration'}: ${warning}`);
}

/** `--max-diagnostics`: 0 is all of them. */
function errorLimit({ maxDiagnostics = String(usualErrors) }: Flags): number {
  const given = String(maxDiagnostics);
  if (!/^\d{1,9}$/.test(given)) throw usageFault(`--max-diagnostics takes a whole number, 0 for all, not '${given}'`);
  return Number(given) === 0 ? Infinity : Number(given);
}
