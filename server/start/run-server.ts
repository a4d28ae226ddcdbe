/**
 * Connects a generated domain to a store, an engine and HTTP. Takes the domain and the settings of command line and configuration; gives a
 * running server. The parts that need the compiler (filters, posted schema, the console, sessions of tools) are loaded once the server
 * listens, so that its first answer comes early; differences between files and log need the compiler earlier.
 */
import { join } from 'node:path';
import type { Domain } from '../../language/contract/domain.ts';
import { createEngine } from '../../runtime/engine/create-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import type { Log } from '../http/log/log.ts';
import type { HttpOptions } from '../http/options.ts';
import type { HttpServer, startHttp as StartHttp } from '../http/listening/start-http.ts';
import type { KeepPosted } from '../registry/live/live-registry.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { boundConnections, descriptorLimit } from './bound-connections.ts';
import type { StoreChoice, StoreRequest } from './choose-store.ts';
import { locateStore } from './locate-store.ts';
import type { ServerSettings } from './settings/server-settings.ts';
import { loadSessions, openSessionSocket, type SessionSocket } from './session-socket.ts';
import { startRegistry, type RegistryServices, type ServerRegistry } from './start-registry.ts';

export interface ServerOptions {
  readonly domain: Domain;
  readonly version: string;
  readonly store: StoreChoice;
  readonly host: string;
  readonly port: number;
  readonly accept?: 'files' | 'log';
  /** If the log has lost its end, go on without the entries from this one on. */
  readonly acceptLoss?: number;
  readonly readOnly: boolean;
  readonly enableCreate: boolean;
  /** If files hold the complete schema: saves posted definitions there. */
  readonly keepPosted?: KeepPosted;
  readonly enableQuery: boolean;
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Base folder and variables for EVENTSTORE blocks when a session names another store; the process's own if absent. */
  readonly others?: Pick<StoreRequest, 'base' | 'environment'>;
}

export interface RunningServer {
  readonly port: number;
  readonly engine: Engine;
  readonly registry: ServerRegistry;
  /** The compiler's view of the registry, which every change goes through. */
  readonly live: RegistryServices['live'];
  /** Stops accepting, finishes running requests, makes everything durable, closes the store. */
  readonly stop: () => Promise<void>;
}

const bytes = createSystemRandom();

/** Delay between listening and loading the remaining parts, in ms, because loading delays the first answers. */
const patienceForFirstAnswer = 100;

/** Throws a `Failure` when store or registry cannot be opened, and Node's own error when the port cannot. */
export async function runServer(given: ServerOptions): Promise<RunningServer> {
  const options = { ...given, settings: withinDescriptors(given) };
  const store = await openStore(options);
  try {
    // Loaded only now, while the store's own thread starts.
    const exits = await loadExits();
    const registry = await startRegistry({
      store,
      domain: options.domain,
      version: options.version,
      modules: modulesFolder(options.store),
      limits: options.settings.limits,
      readOnly: options.readOnly,
      warn: (message) => options.log.warn({}, message),
      ...(options.keepPosted === undefined ? {} : { keepPosted: options.keepPosted }),
      ...(options.accept === undefined ? {} : { accept: options.accept }),
    });
    const engine = await createEngine({
      store,
      domain: registry.domain,
      clock: systemClock,
      randomBytes: bytes,
      readOnly: options.readOnly,
      limits: options.settings.limits,
      ...(options.store.name === undefined ? {} : { eventStore: options.store.name }),
    });
    if (registry.entry !== undefined) await engine.adopt(registry.domain, registry.entry);
    const services = registry.serve(engine);
    const loaded = async (): Promise<void> => {
      await services.load();
      if (options.store.kind !== 'memory') await loadSessions();
    };
    const http = await listen(options, { engine, services, loaded }, exits);
    const sessions = await openSessions(options, engine, services);
    const loading = setTimeout(() => {
      loaded().catch((error: unknown) => options.log.error({ err: error }, 'the server is not ready'));
    }, patienceForFirstAnswer).unref();
    return {
      port: http.port,
      engine,
      registry,
      live: services.live,
      stop: async () => {
        clearTimeout(loading);
        // From here on HTTP accepts no connection, whatever a session is doing.
        await Promise.all([http.stop(), sessions?.close()]);
        await engine.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** One connection too many would leave no descriptor for a file that the server must read. */
function withinDescriptors({ settings, log }: ServerOptions): ServerSettings {
  const descriptors = descriptorLimit();
  if (descriptors === undefined) return settings;
  const { connections: wanted } = settings.limits;
  const connections = boundConnections(wanted, descriptors);
  if (connections === wanted) return settings;
  log.warn(
    {},
    `at most ${connections} connections are accepted, not ${wanted}: this process may open ${descriptors} files and connections (ulimit -n)`,
  );
  return { ...settings, limits: { ...settings.limits, connections } };
}

type Exits = Pick<HttpOptions, 'arrow'> & { readonly startHttp: typeof StartHttp };

async function loadExits(): Promise<Exits> {
  const [{ startHttp }, { encodeTable }, { arrowStream, columnStream }] = await Promise.all([
    import('../http/listening/start-http.ts'),
    import('../../runtime/arrow/encode-table.ts'),
    import('../../runtime/arrow/arrow-stream.ts'),
  ]);
  return { startHttp, arrow: { whole: encodeTable, stream: arrowStream, byColumn: columnStream } };
}

function listen(
  options: ServerOptions,
  { engine, services, loaded }: { engine: Engine; services: RegistryServices; loaded: () => Promise<void> },
  { startHttp, arrow }: Exits,
): Promise<HttpServer> {
  const http: Omit<HttpOptions, 'stopping'> = {
    engine,
    version: options.version,
    settings: options.settings,
    select: services.select,
    head: services.head,
    inspections: services.inspections,
    arrow,
    ...(options.enableCreate ? { create: services.create } : {}),
    ...(options.enableQuery ? { console: services.console } : {}),
    loaded,
    log: options.log,
    time: { now: Date.now, monotonic: () => performance.now() },
    randomBytes: bytes,
  };
  return startHttp(http, { host: options.host, port: options.port });
}

/** Tools can join if there is a directory for the socket. */
async function openSessions(
  { store, version, log, others = { base: process.cwd(), environment: process.env } }: ServerOptions,
  engine: Engine,
  { live }: RegistryServices,
): Promise<SessionSocket | undefined> {
  if (store.kind === 'memory') return undefined;
  return openSessionSocket({
    directory: store.directory,
    version,
    engine,
    live,
    locate: (stores, name) => locateStore(stores, name, others),
    onFault: (error) => log.error({ err: error }, 'a session of a tool failed'),
  });
}

function openStore({ store: choice, log, acceptLoss }: ServerOptions): Promise<Store> {
  const remark = (level: 'info' | 'warn' | 'error', message: string): void => {
    log[level]({}, message);
  };
  const memory = choice.maxBytes === undefined ? {} : { maxBytes: choice.maxBytes };
  if (choice.kind === 'memory') return openMemoryStore({ log: remark, readModel: 'worker', ...memory });
  const rollover = choice.rolloverBytes === undefined ? {} : { rolloverBytes: choice.rolloverBytes };
  return openEmbeddedStore({
    directory: choice.directory,
    fsync: choice.fsync,
    log: remark,
    ...memory,
    ...rollover,
    ...(acceptLoss === undefined ? {} : { acceptLoss }),
  });
}

/** The folder for modules of posted blocks; undefined for a store without a directory. */
function modulesFolder(choice: StoreChoice): string | undefined {
  return choice.kind === 'memory' ? undefined : join(choice.directory, 'modules');
}
