import { parseArgs } from 'node:util';
import type { Domain } from '../contract/domain.ts';
import { Failure } from '../failure/failure.ts';
import { refusesListening } from '../http/auth/policy.ts';
import { gathered } from '../http/log/gathered.ts';
import { createLog } from '../http/log/log.ts';
import { defaultLimits } from '../http/settings.ts';
import { chooseStore } from './choose-store.ts';
import { runServer } from './run-server.ts';
import { packageVersion } from './package-version.ts';

export interface StartOptions {
  readonly domain: Domain;
  /** `import.meta.url` of the entry that calls. */
  readonly module: string;
  readonly arguments: readonly string[];
}

const flags = {
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  data: { type: 'string' },
  eventstore: { type: 'string' },
  accept: { type: 'string' },
  'read-only': { type: 'boolean' },
  'enable-create': { type: 'boolean' },
  'enable-query': { type: 'boolean' },
  insecure: { type: 'boolean' },
} as const;

/**
 * Serves a generated domain until SIGINT or SIGTERM: what `node generated/server.js` runs, for images that hold no tool. Flags are
 * those of `schemac start`; a policy for callers needs that command and its configuration file. Ends the process with 2 for
 * wrong usage and 3 when store or port cannot be had, with one line on stderr.
 */
export async function startServer(options: StartOptions): Promise<void> {
  try {
    const server = await open(options);
    process.stdout.write(`serving on http://${server.host}:${server.port}\n`);
    await stopSignal();
    await server.stop();
  } catch (error) {
    const { code, message } = explain(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = code;
  }
}

async function open({
  domain,
  arguments: words,
}: StartOptions): Promise<{ port: number; host: string; stop: () => Promise<void> }> {
  const { values } = parseArgs({ args: [...words], options: flags, strict: true });
  const host = values.host ?? '127.0.0.1';
  const refused = refusesListening(host, undefined, values.insecure === true);
  if (refused !== undefined) throw new UsageFault(refused);
  const write = gathered((text) => process.stderr.write(text));
  const log = createLog({ write, level: 'info', pretty: process.stderr.isTTY });
  const accept = acceptOf(values.accept);
  const server = await runServer({
    domain,
    version: packageVersion(),
    store: chooseStore(domain.eventStores, {
      base: process.cwd(),
      environment: process.env,
      ...(values.data === undefined ? {} : { data: values.data }),
      ...(values.eventstore === undefined ? {} : { eventStore: values.eventstore }),
    }),
    host,
    port: portOf(values.port),
    readOnly: values['read-only'] === true,
    enableCreate: values['enable-create'] === true,
    enableQuery: values['enable-query'] === true,
    settings: { allowedHosts: [], allowedOrigins: [], metrics: 'here', limits: defaultLimits },
    log,
    ...(accept === undefined ? {} : { accept }),
  });
  return { port: server.port, host, stop: server.stop };
}

class UsageFault extends Error {}

function portOf(given: string | undefined): number {
  if (given === undefined) return 8080;
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65535)
    throw new UsageFault(`--port takes a port from 0 to 65535, not '${given}'`);
  return Number(given);
}

function acceptOf(given: string | undefined): 'files' | 'log' | undefined {
  if (given === undefined || given === 'files' || given === 'log') return given;
  throw new UsageFault(`--accept takes 'files' or 'log', not '${given}'`);
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/** Store, registry and port are the environment's fault; words on the command line the caller's. */
function explain(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof Failure) return { code: 3, message: error.message };
  if (!(error instanceof Error)) return { code: 1, message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof UsageFault || code?.startsWith('ERR_PARSE_ARGS') === true)
    return { code: 2, message: error.message };
  if (code === 'EADDRINUSE') return { code: 3, message: 'the port is taken; choose another with --port' };
  return { code: code === undefined ? 1 : 3, message: error.message };
}
