/**
 * Opens the port, then connects a generated domain to a store, an engine and HTTP (`serve-store.ts`). Takes the domain and the settings of
 * command line and configuration; gives a running server. Modules that take long to load are loaded once the port is open.
 */
import type { Domain } from '../../language/contract/domain.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { startAhead } from '../../runtime/store/tables/thread/start-ahead.ts';
import { openListener } from '../http/listening/listener.ts';
import type { AuthPolicy } from '../http/auth/policy.ts';
import type { Log } from '../http/log/log.ts';
import type { KeepPosted } from '../registry/live/live-registry.ts';
import { boundConnections, descriptorLimit } from './bound-connections.ts';
import type { StoreChoice, StoreRequest } from './choose-store.ts';
import type { ServerSettings } from './settings/server-settings.ts';
import { createStarting, type Starting } from './starting.ts';
import type { RegistryServices } from './registry-services.ts';
import type { ServerRegistry } from './start-registry.ts';

export interface ServerOptions {
  readonly domain: Domain;
  readonly version: string;
  readonly store: StoreChoice;
  readonly host: string;
  readonly port: number;
  readonly accept?: 'files' | 'log';
  /** If the log has lost its end, continue without the entries from this one on. */
  readonly acceptLoss?: number;
  /** Time to wait for a database that is away, in seconds. */
  readonly waitSeconds?: number;
  readonly readOnly: boolean;
  /** Sends nothing to webhooks. */
  readonly noPush?: boolean;
  /** Lets no reaction answer events. */
  readonly noReactions?: boolean;
  readonly enableCreate: boolean;
  /** If files hold the complete schema: saves posted definitions there. */
  readonly keepPosted?: KeepPosted;
  readonly enableQuery: boolean;
  readonly enableInspect?: boolean;
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Shows how far the start is, and can end it; if absent, nothing does. */
  readonly starting?: Starting;
  /** Base folder and variables for EVENTSTORE blocks when a session names another store; the process's own if absent. */
  readonly others?: Pick<StoreRequest, 'base' | 'environment'>;
}

export interface RunningServer {
  readonly port: number;
  readonly engine: Engine;
  readonly registry: ServerRegistry;
  /** The compiler's view of the registry, which every change goes through. */
  readonly live: RegistryServices['live'];
  /** Puts another policy in force for all later requests; rejects, and changes nothing, when its key set file cannot be read. */
  readonly replacePolicy: (policy: AuthPolicy) => Promise<void>;
  /** Stops accepting, finishes running requests, makes everything durable, closes the store. */
  readonly stop: () => Promise<void>;
}

/**
 * Throws a `Failure` when store or registry cannot be opened, Node's own error when the port cannot, and `StartStopped`. The port is open before the store is:
 * whether the process is running must be known also while a large store is read.
 */
export async function runServer(given: ServerOptions): Promise<RunningServer> {
  const { starting = createStarting(undefined, (message) => given.log.info({}, message)) } = given;
  const options = { ...given, starting, settings: withinDescriptors(given) };
  const randomBytes = createSystemRandom();
  const parts = { settings: options.settings, log: options.log, randomBytes };
  const listener = await openListener(parts, options, starting.text);
  try {
    if ((options.store.readEngine ?? 'memory') === 'memory') startAhead();
    const { serveStore } = await import('./serve-store.ts');
    return await serveStore(options, listener, randomBytes);
  } catch (error) {
    await listener.stop(0);
    throw error;
  } finally {
    starting.ended();
  }
}

/** Bounds the connections: one too many would leave no descriptor for a file that the server must read. */
function withinDescriptors({ settings, log }: ServerOptions): ServerSettings {
  const descriptors = descriptorLimit();
  if (descriptors === undefined) return settings;
  const { limits, push } = settings;
  const { connections: wanted } = limits;
  const pushes = push !== undefined && (push.loopback === true || push.allowedHosts.length > 0);
  const { connections, webhooks } = boundConnections(wanted, descriptors, pushes);
  if (connections !== wanted)
    log.warn(
      {},
      `at most ${connections} connections are accepted, not ${wanted}: this process may open ${descriptors} files and connections (ulimit -n)${pushes ? `, ${webhooks} of them for webhooks` : ''}`,
    );
  return {
    ...settings,
    limits: { ...limits, connections },
    ...(push === undefined ? {} : { push: { ...push, connections: webhooks } }),
  };
}
