import type { Session } from '../runtime/session/session.ts';
import { compilePaths } from './compile-paths.ts';
import { reportProblems } from './output/problem-report.ts';
import { hasErrors, reportDiagnostics } from './report.ts';
import type { Shell } from './shell.ts';

/**
 * Puts the blocks of schema files into a session before its first statement. All files are one compilation, so their order does not
 * matter. Gives false, with everything said, when they cannot be taken.
 */
export async function loadSchema(shell: Shell, session: Session, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return true;
  const { diagnostics, catalog } = await compilePaths(shell, paths);
  await reportDiagnostics(shell, diagnostics);
  if (hasErrors(diagnostics)) return false;
  const { exportRegistry } = await import('../compiler/index.ts');
  let taken = true;
  for await (const outcome of session.run({ name: 'schema', text: exportRegistry(catalog) })) {
    if (outcome.kind === 'error') taken = false;
    await reportProblems(shell.messages, outcome);
  }
  return taken;
}
