import type { Catalog } from '../language/catalog/catalog.ts';
import type { RunOptions, Session } from '../server/session/session.ts';
import { compilePaths } from './compile-paths.ts';
import { withProgress } from './progress.ts';
import { reportProblems } from './output/problem-report.ts';
import { hasErrors } from '../language/diagnostics/has-errors.ts';
import { reportDiagnostics } from './report.ts';
import type { Shell } from './shell.ts';

/** Schema files as a session takes them. */
export interface SchemaText {
  /** All blocks, those that templates stamped out as well, as a text that loads from top to bottom. */
  readonly blocks: string;
  /** The applications of templates behind them, so that the session knows the instances too. */
  readonly applications: string;
}

const nothing: SchemaText = { blocks: '', applications: '' };

/**
 * Puts the blocks of schema files into a session before its first statement. All files are one compilation, so their order does not
 * matter. Gives false, with everything said, when they cannot be taken.
 */
export async function loadSchema(
  shell: Shell,
  session: Session,
  paths: readonly string[],
  options: Pick<RunOptions, 'settle'> = {},
): Promise<boolean> {
  const text = await schemaText(shell, paths);
  if (text === undefined) return false;
  return withProgress(shell, 'taking in the schema', () => runSchema(shell, session, text, options));
}

/** What the files say; undefined, with everything said, when they do not compile. */
export async function schemaText(shell: Shell, paths: readonly string[]): Promise<SchemaText | undefined> {
  if (paths.length === 0) return nothing;
  const { diagnostics, catalog } = await compilePaths(shell, paths);
  await reportDiagnostics(shell, diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  const { exportRegistry } = await import('../compiler/index.ts');
  return { blocks: exportRegistry(catalog), applications: applicationsOf(catalog) };
}

function applicationsOf(catalog: Catalog): string {
  return catalog.blocks.template
    .flatMap(({ name, instances }) => instances.map(({ parameters }) => ({ name, parameters })))
    .filter(({ parameters }) => parameters !== '')
    .map(({ name, parameters }) => `APPLY TEMPLATE ${name} WITH (${parameters});\n`)
    .join('');
}

/**
 * Runs such a text; false, with everything said, when the session has other blocks of these names. Remarks are left out: the compilation
 * made all there are to make, and the session, which sees block after block, would find fields that no event carries *yet*.
 */
export async function runSchema(
  shell: Shell,
  session: Session,
  { blocks, applications }: SchemaText,
  options: Pick<RunOptions, 'settle'> = {},
): Promise<boolean> {
  for await (const outcome of session.run({ name: 'schema', text: blocks }, options)) {
    if (outcome.kind !== 'error') continue;
    await reportProblems(shell.messages, outcome);
    return false;
  }
  // Every block is there, so an application only tells of its instance, or, where the files replace one of its blocks, is refused.
  const told = session.run({ name: 'schema', text: applications }, { keepGoing: true });
  while ((await told.next()).done !== true);
  return true;
}
