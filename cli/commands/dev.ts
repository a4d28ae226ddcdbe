/** `schemac dev <paths…>`: serves the last schema that compiled; the files hold the complete schema. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import type { RunningServer } from '../../server/start/run-server.ts';
import { checkOutFolder, createBuildMemory, writeProject, type BuildMemory } from '../build-project.ts';
import { compilePaths, schemaPaths, type Compiled } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { asExitFault } from '../exit-of-error.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import { reportDiagnostics } from '../report.ts';
import { createdFile, keepPosted, storesToOpen } from '../serve/created-file.ts';
import { createLiveFiles, type LiveFiles } from '../serve/live-files.ts';
import { serve } from '../serve/serve.ts';
import { resolveSettings, type Settings } from '../settings/settings.ts';
import type { ServedBy } from '../open-api.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';
import { watchPaths } from '../watch-paths.ts';
import { reportBuild } from './build.ts';
import type { CatalogChange } from '../../compiler/index.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';

export const runDev: Run = async (shell, words, flags) => {
  const given = resolveSettings(shell, flags);
  const settings: Settings = { accept: 'files', ...given, enableCreate: true, enableQuery: true, enableInspect: true };
  const paths = schemaPaths(words, settings);
  const out = settings.out ?? resolve(shell.cwd, 'generated');
  checkOutFolder(shell.cwd, out);
  const posted = createdFile(shell.cwd, paths);
  const memory = await createBuildMemory(out);
  const { session } = memory;
  const faults = createFaultMessages(shell);
  // The files are those that `build` writes, so without the routes that only `dev` enables.
  const project = { out, served: { settings: given, environment: shell.environment }, memory };
  let running: { readonly server: RunningServer; readonly files: LiveFiles } | undefined;

  const begin = async (): Promise<void> => {
    const all = existsSync(posted) ? [...paths, posted] : paths;
    const started = await compilePaths(shell, all, session);
    await writeAndReport(shell, started, project);
    faults.compiled(started.diagnostics, 'nothing is served yet: dev waits for a schema that compiles');
    if (hasErrors(started.diagnostics)) return;
    const server = await startServer(shell, settings, started, { posted, shared: flags['shared'] === true });
    running = { server, files: createLiveFiles({ shell, server, session, paths, posted, started }) };
    // Prepares the first change, and reads a file that was saved since the start.
    await update(running.files, 'changes');
  };
  const update = async (files: LiveFiles, tell: 'everything' | 'changes'): Promise<void> => {
    const began = performance.now();
    const { compiled, changes } = await files.update();
    const took = Math.round(performance.now() - began);
    if (changes.length > 0) shell.output.write(`live in ${took} ms: ${changeText(changes)}\n`);
    else if (tell === 'changes' && !hasErrors(compiled.diagnostics)) return;
    await writeAndReport(shell, compiled, project);
    faults.compiled(compiled.diagnostics, 'the last schema that compiled is still served');
  };
  try {
    await watchPaths(shell, [...paths, posted], () =>
      sayFaults(shell, running !== undefined, () =>
        running === undefined ? begin() : update(running.files, 'everything'),
      ),
    );
  } finally {
    await running?.server.stop();
  }
  return 0;
};

/** A posted change is saved to its file before it is in force. */
async function startServer(
  shell: Shell,
  settings: Settings,
  { sources, catalog }: Compiled,
  { posted, shared }: { readonly posted: string; readonly shared: boolean },
): Promise<RunningServer> {
  const domain = await createDomainLoader({ version: productVersion() }).load(catalog);
  return serve(shell, domain, settings, {
    keep: (changes) => {
      const takeBack = keepPosted(posted, changes);
      shell.output.write(`posted, and saved in ${relative(shell.cwd, posted)}: ${changeText(changes)}\n`);
      return takeBack;
    },
    shared,
    stores: storesToOpen(catalog, sources, posted, shell.cwd),
  });
}

interface Project {
  readonly out: string;
  readonly served: ServedBy;
  readonly memory: BuildMemory;
}

async function writeAndReport(shell: Shell, compiled: Compiled, { out, served, memory }: Project): Promise<void> {
  await reportDiagnostics(shell, compiled.diagnostics);
  await reportBuild(shell, { ...(await writeProject(compiled, out, served, memory)), diagnostics: [] }, out);
}

/** A change that cannot be served is reported, and the running server continues. If none is running, the error ends the command. */
async function sayFaults(shell: Shell, isRunning: boolean, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const fault = asExitFault(error);
    if (fault === undefined || (fault.status !== 1 && !isRunning)) throw error;
    shell.messages.write(`schemac: ${fault.message}\n`);
  }
}

/** Maximum number of names listed for each kind of change. */
const most = 5;

/** `decision PutIn, projection Sums; gone: command Take`. */
function changeText(changes: readonly CatalogChange[]): string {
  const names = (wanted: CatalogChange['change']): string => {
    const all = changes.filter(({ change }) => change === wanted).map(({ block, name }) => `${block} ${name}`);
    const more = all.length > most ? ` and ${all.length - most} more` : '';
    return `${all.slice(0, most).join(', ')}${more}`;
  };
  const [put, gone] = [names('put'), names('drop')];
  return [put, ...(gone === '' ? [] : [`gone: ${gone}`])].filter((part) => part !== '').join('; ');
}

interface FaultMessages {
  /** After each compilation: says `consequence` when errors appear, and afterwards which files have none any longer. */
  readonly compiled: (diagnostics: readonly Diagnostic[], consequence: string) => void;
}

/** Messages of a watching command that are not diagnostics, so that the end of an error is as visible as its beginning. */
function createFaultMessages({ output, messages }: Pick<Shell, 'output' | 'messages'>): FaultMessages {
  let faulty: ReadonlySet<string> = new Set();
  return {
    compiled: (diagnostics, consequence) => {
      const now = new Set(diagnostics.flatMap(({ severity, span }) => (severity === 'error' ? [span.file.name] : [])));
      const repaired = Array.from(faulty).filter((name) => !now.has(name));
      if (repaired.length > 0) output.write(`without errors again: ${repaired.join(', ')}\n`);
      if (now.size > 0 && faulty.size === 0) messages.write(`${consequence}\n`);
      faulty = now;
    },
  };
}
