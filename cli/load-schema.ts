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
  const text = await schemaText(shell, paths);
  return text !== undefined && runSchema(shell, session, text);
}

/** The files' blocks as one text that loads from top to bottom; undefined, with everything said, when they do not compile. */
export async function schemaText(shell: Shell, paths: readonly string[]): Promise<string | undefined> {
  if (paths.length === 0) return '';
  const { diagnostics, catalog } = await compilePaths(shell, paths);
  await reportDiagnostics(shell, diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  const { exportRegistry } = await import('../compiler/index.ts');
  return exportRegistry(catalog);
}

/**
 * Runs such a text; false, with everything said, when the session has other blocks of these names. Remarks are left out: the compilation
 * made all there are to make, and the session, which sees block after block, would find fields that no event carries *yet*.
 */
export async function runSchema(shell: Shell, session: Session, text: string): Promise<boolean> {
  for await (const outcome of session.run({ name: 'schema', text })) {
    if (outcome.kind !== 'error') continue;
    await reportProblems(shell.messages, outcome);
    return false;
  }
  return true;
}
