import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Failure } from '../../language/failure/failure.ts';
import { gathered } from '../http/log/gathered.ts';
import { createLog } from '../http/log/log.ts';
import { onUnfinished } from './end-on-fault.ts';
import { loadDomain } from './load-domain.ts';
import { optimiseSqliteLate } from './optimise-sqlite-late.ts';
import type { RunningServer } from './run-server.ts';
import { serveDomain } from './serve-domain.ts';
import { createStarting, StartStopped } from './starting.ts';
import { SettingsFault } from './settings/settings-fault.ts';
import { findSettings, type Flags } from './settings/settings.ts';

export interface StartOptions {
  /** `import.meta.url` of `server.js`, whose folder has the domain. */
  readonly module: string;
  readonly arguments: readonly string[];
}

const flags = {
  config: { type: 'string' },
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  data: { type: 'string' },
  eventstore: { type: 'string' },
  accept: { type: 'string' },
  'accept-loss': { type: 'string' },
  as: { type: 'string' },
  wait: { type: 'string' },
  'read-only': { type: 'boolean' },
  'no-push': { type: 'boolean' },
  'no-reactions': { type: 'boolean' },
  'enable-create': { type: 'boolean' },
  'enable-query': { type: 'boolean' },
  'enable-inspect': { type: 'boolean' },
  insecure: { type: 'boolean' },
} as const;

/**
 * Serves the domain of a generated folder until SIGINT or SIGTERM: `node generated/server.js` runs this, for images without the tool. Flags, `SCHEMAC_*`
 * variables and `schemac.config.json` of the working directory, including roles and credentials, have the same meaning as for `schemac
 * start`. Ends the process with 1 for an invalid configuration, 2 for wrong usage and 3 when store or port cannot be opened, with the
 * reason on stderr.
 */
export async function startServer(options: StartOptions): Promise<void> {
  optimiseSqliteLate();
  const forget = onUnfinished(({ message }) => {
    process.stderr.write(`internal error: ${message}\n`);
    process.exitCode = 3;
  });
  try {
    const stop = stopSignal();
    const server = await open(options, stop);
    await aborted(stop);
    await server.stop();
  } catch (error) {
    if (error instanceof StartStopped) return;
    const { code, message } = explain(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = code;
  } finally {
    forget();
  }
}

async function open({ module, arguments: words }: StartOptions, stop: AbortSignal): Promise<RunningServer> {
  const { values } = parseArgs({ args: [...words], options: flags, strict: true });
  const environment = process.env;
  const settings = findSettings({ cwd: process.cwd(), environment }, settingNames(values), () => '');
  const write = gathered((text) => process.stderr.write(text));
  const log = createLog({ write, level: 'info', pretty: process.stderr.isTTY });
  const folder = dirname(fileURLToPath(module));
  const domain = await loadDomain(folder, relative(process.cwd(), folder) || '.');
  const starting = createStarting(stop, (message) => log.info({}, message));
  const { server, told } = await serveDomain({
    domain,
    version: packageVersion(),
    settings,
    environment,
    log,
    starting,
  });
  process.stdout.write(told);
  return server;
}

/** Flags by the names of their settings: `readOnly` for `--read-only`. */
function settingNames(values: Flags): Flags {
  return Object.fromEntries(
    Object.entries(values).map(([flag, value]) => [
      flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Faults of store, registry and port come from the environment; faults of the command line from the caller. */
function explain(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof Failure) return { code: 3, message: error.message };
  if (!(error instanceof Error)) return { code: 1, message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof SettingsFault) return { code: error.status, message: error.problems.map(harmless).join('\n') };
  if (code?.startsWith('ERR_PARSE_ARGS') === true) return { code: 2, message: harmless(error.message) };
  if (code === 'EADDRINUSE') return { code: 3, message: 'the port is taken; choose another with --port' };
  return { code: code === undefined ? 1 : 3, message: error.message };
}

/** Text from a file or a command line must not corrupt a terminal or a log. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd');
}

/** The version of the running package, from the nearest `package.json` above this module. */
function packageVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  return version;
}
