import type { Catalog } from '../language/catalog/catalog.ts';
import type { RunOptions, Session } from '../server/session/session.ts';
import { compilePaths } from './compile-paths.ts';
import { withProgress } from './progress.ts';
import { reportProblems } from './output/problem-report.ts';
import { hasErrors } from '../language/diagnostics/has-errors.ts';
import { reportDiagnostics } from './report.ts';
import type { Shell } from './shell.ts';

/** Schema files in the form that a session loads. */
export interface SchemaText {
  /** All blocks, including those from templates, as a text that loads from top to bottom. */
  readonly blocks: string;
  /** The applications of templates behind them, so that the session knows the instances too. */
  readonly applications: string;
}

const nothing: SchemaText = { blocks: '', applications: '' };

/**
 * Puts the blocks of schema files into a session before its first statement. All files are one compilation, so their order does not matter.
 * Gives false, after reporting all errors, when they cannot be put.
 */
export async function loadSchema(
  shell: Shell,
  session: Session,
  paths: readonly string[],
  options: Pick<RunOptions, 'adoptAtEnd'> = {},
): Promise<boolean> {
  const text = await schemaText(shell, paths);
  if (text === undefined) return false;
  return withProgress(shell, 'loading the schema', () => runSchema(shell, session, text, options));
}

/** The text of the files; undefined, after reporting all errors, when they do not compile. */
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
 * Runs such a text; false, after reporting all errors, when the session has other blocks with these names. Notes are left out: the
 * compilation already reported them, and the session, which puts one block after another, would report fields that no event carries *yet*.
 */
export async function runSchema(
  shell: Shell,
  session: Session,
  { blocks, applications }: SchemaText,
  options: Pick<RunOptions, 'adoptAtEnd'> = {},
): Promise<boolean> {
  for await (const outcome of session.run({ name: 'schema', text: blocks }, options)) {
    if (outcome.kind !== 'error') continue;
    await reportProblems(shell.messages, outcome);
    return false;
  }
  // All blocks exist, so an application only adds its instance. It is refused if the files replace one of its blocks.
  const outcomes = session.run({ name: 'schema', text: applications }, { keepGoing: true });
  while ((await outcomes.next()).done !== true);
  return true;
}
