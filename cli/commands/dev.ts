/** `schemac dev <paths…>`: the last schema that compiled is what is served; the files are the whole truth. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Domain } from '../../runtime/contract/domain.ts';
import { createDomainLoader } from '../../runtime/registry/domain-loader.ts';
import { readHistoryFromLog } from '../../runtime/registry/history-from-log.ts';
import type { RunningServer } from '../../runtime/server/run-server.ts';
import { buildProject } from '../build-project.ts';
import { schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { asExitFault } from '../environment-error.ts';
import { createdFile, keepPosted } from '../serve/created-file.ts';
import { serve } from '../serve/serve.ts';
import { resolveSettings, type Settings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';
import { watchPaths } from '../watch-paths.ts';
import { reportBuild } from './build.ts';

/** How often a posted block is looked for. */
const pollMilliseconds = 200;

interface Live {
  server: RunningServer;
  domain: Domain;
  /** The last log entry that the files know of. */
  known: number;
}

export const runDev: Run = async (shell, words, flags) => {
  const given = resolveSettings(shell, flags);
  const settings: Settings = { accept: 'files', ...given, enableCreate: true, enableQuery: true };
  const paths = schemaPaths(words, settings);
  const out = settings.out ?? resolve(shell.cwd, 'generated');
  const posted = createdFile(shell.cwd, paths);
  const modules = mkdtempSync(join(tmpdir(), 'schemac-dev-'));
  const loader = createDomainLoader(modules, productVersion());
  let live: Live | undefined;

  const poll = setInterval(() => {
    if (live === undefined || live.server.engine.store.position().entry === live.known) return;
    const { server, known } = live;
    live.known = server.engine.store.position().entry;
    void keepPosted(server.engine.store, known, posted);
  }, pollMilliseconds);
  const update = async (): Promise<void> => {
    const history = live === undefined ? undefined : await readHistoryFromLog(live.server.engine.store).read();
    const all = existsSync(posted) ? [...paths, posted] : paths;
    const build = await buildProject(shell, all, out, history);
    await reportBuild(shell, build, out);
    if (build.files === undefined) return;
    const domain = await loader.load(build.compiled.catalog);
    if (domain.hash === live?.server.engine.domain().hash) return;
    live = await replaceServer(shell, settings, domain, live);
  };
  try {
    await watchPaths(shell, [...paths, posted], () => sayFaults(shell, update));
  } finally {
    clearInterval(poll);
    await live?.server.stop();
    rmSync(modules, { recursive: true, force: true });
  }
  return 0;
};

/** A change that cannot be served is told, and the server that runs goes on. Without one, there is nothing to go on with. */
async function sayFaults(shell: Shell, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const fault = asExitFault(error);
    if (fault === undefined || fault.status === 3) throw error;
    shell.messages.write(`schemac: ${fault.message}\n`);
  }
}

/** The new domain on the same address and store; the old one again when that is refused. */
async function replaceServer(shell: Shell, settings: Settings, domain: Domain, live: Live | undefined): Promise<Live> {
  const port = live?.server.port ?? settings.port;
  const wanted: Settings = port === undefined ? settings : { ...settings, port };
  await live?.server.stop();
  const begin = async (served: Domain): Promise<Live> => {
    const server = await serve(shell, served, wanted);
    return { server, domain: served, known: server.engine.store.position().entry };
  };
  try {
    return await begin(domain);
  } catch (error) {
    if (live === undefined) throw error;
    const fault = asExitFault(error);
    if (fault === undefined) throw error;
    shell.messages.write(`schemac: ${fault.message}\n`);
    return begin(live.domain);
  }
}
