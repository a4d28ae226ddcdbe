import { relative, resolve } from 'node:path';
import { diagnosticJson } from '../../language/diagnostics/json.ts';
import { buildProject, createBuildMemory, type Build } from '../build-project.ts';
import { countCompiled, schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import type { ExitStatus } from '../exit-fault.ts';
import { optimiseLate } from '../optimise-late.ts';
import { writeJsonLine } from '../shell.ts';
import { withProgress } from '../progress.ts';
import { reportDiagnostics } from '../report.ts';
import { resolveSettings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { watchAndTell } from '../watch-paths.ts';
import type { Catalog } from '../../compiler/index.ts';
import { isShadowed, takes } from '../../server/http/parameters/parameter-table.ts';

/** `schemac build <paths…> [-o generated] [--watch]`. */
export const runBuild: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const paths = schemaPaths(words, settings);
  const out = settings.out ?? resolve(shell.cwd, 'generated');
  const asJson = flags['json'] === true;
  const watching = flags['watch'] === true;
  if (!watching) optimiseLate();
  const served = { settings, environment: shell.environment };
  const memory = watching ? await createBuildMemory(out) : undefined;
  const once = async (): Promise<ExitStatus> => {
    const build = await withProgress(shell, 'building', () => buildProject(shell, paths, out, served, memory));
    if (asJson) writeJsonLine(shell.output, buildJson(build, out));
    else await reportBuild(shell, build, out);
    return build.files === undefined ? 1 : 0;
  };
  if (!watching) return once();
  await watchAndTell(shell, paths, once);
  return 0;
};

/** Diagnostics on stderr, and one line about the files. */
export async function reportBuild(shell: Shell, { compiled, diagnostics, files }: Build, out: string): Promise<void> {
  await reportDiagnostics(shell, diagnostics);
  if (files === undefined) return;
  const removed = files.removed.length > 0 ? `, ${files.removed.length} removed` : '';
  const shown = relative(shell.cwd, out) === '' ? '.' : relative(shell.cwd, out);
  shell.output.write(
    `built ${countCompiled(compiled)} to ${shown}: ${files.written.length} written, ${files.unchanged.length} unchanged${removed}\n`,
  );
  for (const note of shadowedColumns(compiled.catalog)) shell.messages.write(note);
  for (const path of files.kept) {
    shell.messages.write(`${shown}/${path} is no longer generated; kept because it was edited\n`);
  }
}

function buildJson({ diagnostics, files }: Build, out: string): object {
  return { ok: files !== undefined, out, diagnostics: diagnostics.map(diagnosticJson), ...(files ?? {}) };
}

/** A note for each relation with columns that have the name of a query parameter over HTTP (docs/http.md#filters-order-columns). */
export function shadowedColumns({ blocks }: Catalog): readonly string[] {
  const relations = [
    ...blocks.aggregate.flatMap(({ name, state, eventColumns }) => [
      { name: `${name}$Agg`, columns: state.columns, parts: takes.rows },
      { name: `${name}$Events`, columns: eventColumns, parts: takes.events },
    ]),
    ...blocks.projection.map(({ name, query }) => ({ name, columns: query.columns, parts: takes.rows })),
  ];
  return relations.flatMap(({ name, columns, parts }) => {
    const shadowed = columns
      .filter((column) => !column.sensitive && isShadowed(column.name, parts))
      .map((column) => column.name);
    if (shadowed.length === 0) return [];
    const named = shadowed.map((column) => `?.${column}=`).join(', ');
    return [`${name}: over HTTP, filter by ${named}; without the point it is a parameter of the read\n`];
  });
}
