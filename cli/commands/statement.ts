import type { Run } from '../declaration.ts';
import type { ExitStatus } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { isInMemory, withSession, type ToolSession } from '../open-session.ts';
import { showOutcome } from '../output/show-outcome.ts';
import { runStatements } from '../run-statements.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** `schemac describe <words…>`: the statement of the same name. */
export const runDescribe: Run = (shell, words, flags) =>
  runStatement(shell, `DESCRIBE ${words.join(' ')}`, schemaFlag(flags), flags);

/** `schemac export [paths…]`. */
export const runExport: Run = (shell, words, flags) => runStatement(shell, 'EXPORT REGISTRY', words, flags);

/** The moment after `--as-of`, as an option of a run. */
export function asOfFlag(flags: Flags): { readonly asOf?: string } {
  const given = flags['asOf'];
  return typeof given === 'string' ? { asOf: given } : {};
}

/** The paths after `--schema`. */
export function schemaFlag(flags: Flags): readonly string[] {
  return (flags['schema'] as readonly string[] | undefined) ?? [];
}

/** Runs one statement on the registry of schema files, of a store, or of both; by default of the configuration's files. */
async function runStatement(shell: Shell, text: string, paths: readonly string[], flags: Flags): Promise<ExitStatus> {
  const settings = resolveSettings(shell, flags);
  const schema = paths.length === 0 && isInMemory(settings) ? (settings.schema ?? []) : paths;
  const work = async (session: ToolSession): Promise<ExitStatus> => {
    if (!(await loadSchema(shell, session, schema))) return 1;
    let status: ExitStatus = 0;
    for await (const outcome of runStatements(shell, session.run, { name: 'command line', text }, asOfFlag(flags))) {
      await showOutcome(shell, outcome, flags['json'] === true);
      if (outcome.kind === 'error') status = 1;
    }
    return status;
  };
  return withSession(shell, settings, work, { seldomReads: true });
}
