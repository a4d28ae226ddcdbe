/**
 * Connects a generated domain to a store, an engine and a listener, whose requests are answered from then on. The parts that need the compiler (filters, posted schema, the console, sessions of tools) are loaded once the server
 * answers, so that its first answer comes early; differences between files and log need the compiler earlier.
 */
import { lookup } from 'node:dns/promises';
import { setTimeout as setTimeoutOf } from 'node:timers/promises';
import { commandRules } from '../../runtime/engine/command-rules.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { RegistryMoved, type Engine } from '../../runtime/engine/engine.ts';
import { clockNote } from '../http/answers/clock-note.ts';
import type { AuthPolicy } from '../http/auth/policy.ts';
import { policyWarnings } from '../http/auth/policy-warnings.ts';
import { distinguishesCallers } from '../operation/asker.ts';
import type { HttpOptions } from '../http/options.ts';
import type { Listener } from '../http/listening/listener.ts';
import type { HttpServer, startHttp as StartHttp } from '../http/listening/start-http.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import { locateStore } from './locate-store.ts';
import { modulesFolder, openStore } from './open-store.ts';
import { scanningDecisions } from './scanning-decisions.ts';
import { loadSessions, openSessionSocket, type SessionSocket } from './session-socket.ts';
import type { RunningServer, ServerOptions } from './run-server.ts';
import { readLoggedBlocks } from '../registry/from-log/logged-blocks.ts';
import type { LiveRegistry } from '../registry/live/live-registry.ts';
import { startRegistry, type ServerRegistry } from './start-registry.ts';

type StartingServer = ServerOptions & Required<Pick<ServerOptions, 'starting'>>;

/** Delay between listening and loading the remaining parts, in ms, because loading delays the first answers. */
const patienceForFirstAnswer = 100;

/** Throws a `Failure` when store or registry cannot be opened, and `StartStopped`. */
export async function serveStore(
  options: StartingServer,
  listener: Listener,
  randomBytes: HttpOptions['randomBytes'],
): Promise<RunningServer> {
  const opening = openStore(options);
  // The exits load while the store's own thread starts.
  const loadingExits = loadExits();
  loadingExits.catch(() => undefined); // if the store fails, its reason counts
  const store = await opening;
  const { starting } = options;
  starting.opened(store);
  const openedAt = store.turns.position().entry;
  const clock = clockNote(store, Date.now());
  if (clock !== undefined) options.log.warn({}, clock);
  try {
    const exits = await loadingExits;
    const registry = await starting.unlessStopped(
      startRegistry({
        store,
        domain: options.domain,
        version: options.version,
        modules: modulesFolder(options.store),
        limits: options.settings.limits,
        readOnly: options.readOnly,
        warn: (message) => options.log.warn({}, message),
        ...(options.keepPosted === undefined ? {} : { keepPosted: options.keepPosted }),
        ...(options.accept === undefined ? {} : { accept: options.accept }),
      }),
    );
    const engine = await starting.unlessStopped(
      createReactingEngine({
        store,
        domain: registry.domain,
        clock: systemClock,
        randomBytes,
        reactions: options.noReactions === true ? 'never' : 'timers',
        onFault: (error) =>
          options.log.error({ err: error }, 'a reaction failed; its stream is not answered until a restart'),
        readOnly: options.readOnly,
        limits: options.settings.limits,
        ...(options.store.name === undefined ? {} : { eventStore: options.store.name }),
      }),
    );
    const scanning = store.shared && !options.readOnly ? scanningDecisions(engine.domain()) : undefined;
    if (scanning !== undefined) options.log.warn({}, scanning);
    const { auth } = options.settings;
    const warnOf = (policy: AuthPolicy): void => {
      for (const warning of policyWarnings(policy, engine.domain())) options.log.warn({}, `the policy: ${warning}`);
    };
    if (auth !== undefined) warnOf(auth);
    else if (options.settings.as === undefined && distinguishesCallers(engine.domain()))
      options.log.warn(
        {},
        'no caller is known without a policy or --as: ALLOW refuses nothing, and VISIBLE hides nothing',
      );
    const late = registry.serve(engine);
    engine.compileWith(
      async (...asked) => (await late()).follow.compile(...asked),
      async (...asked) => (await late()).follow.prepare(...asked),
    );
    await putFilesInForce(engine, registry, (message) => options.log.warn({}, message));
    const { recording } = commandRules(engine.domain().eventStores, options.store.name);
    if (recording.commands !== 'keyed' && recording.sensitiveArguments)
      options.log.warn({}, 'SENSITIVE arguments of commands are kept in the log: envelope.sensitive_arguments = true');
    const loaded = async (): Promise<void> => {
      await late();
      if (options.store.directory !== undefined) await loadSessions();
    };
    const http = await answer(options, listener, { engine, late, loaded, randomBytes, openedAt }, exits);
    const live = async (): Promise<LiveRegistry> => (await late()).live();
    const sessions = await openSessions(options, engine, live, http.standings);
    const loading = setTimeout(() => {
      loaded().catch((error: unknown) => options.log.error({ err: error }, 'the server is not ready'));
    }, patienceForFirstAnswer).unref();
    return {
      port: listener.port,
      engine,
      registry,
      live,
      replacePolicy: async (policy) => {
        await http.replacePolicy(policy);
        warnOf(policy);
      },
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

/** If several servers start on an empty log, the registry of one is put in force, and the others follow it. */
async function putFilesInForce(
  engine: Engine,
  { domain, entry, meanwhile }: ServerRegistry,
  warn: (message: string) => void,
): Promise<void> {
  if (entry === undefined) return;
  try {
    await engine.adopt(domain, entry, undefined, meanwhile);
  } catch (error) {
    if (!(error instanceof RegistryMoved)) throw error;
    const { differingBlocks } = await import('../registry/from-log/shared-registry.ts');
    const differing = differingBlocks(domain.blocks, readLoggedBlocks(engine.store.log));
    if (differing.length > 0)
      warn(`another server put its registry in force first; the files differ from it: ${differing.join(', ')}`);
  }
}

/** The parts of a server that differ between servers of one process. */
interface Served extends Pick<HttpOptions, 'engine' | 'late' | 'loaded' | 'randomBytes'> {
  readonly openedAt: number;
}

type Exits = Pick<HttpOptions, 'arrow'> & { readonly startHttp: typeof StartHttp };

async function loadExits(): Promise<Exits> {
  const [{ startHttp }, { encodeTable }, { arrowStream, columnStream }, { followedArrow }] = await Promise.all([
    import('../http/listening/start-http.ts'),
    import('../../runtime/arrow/encode-table.ts'),
    import('../../runtime/arrow/arrow-stream.ts'),
    import('../../runtime/arrow/followed-stream.ts'),
  ]);
  return {
    startHttp,
    arrow: { whole: encodeTable, stream: arrowStream, byColumn: columnStream, followed: followedArrow },
  };
}

function answer(
  options: ServerOptions,
  listener: Listener,
  { engine, late, loaded, randomBytes, openedAt }: Served,
  { startHttp, arrow }: Exits,
): Promise<HttpServer> {
  const http: Omit<HttpOptions, 'stopping'> = {
    engine,
    version: options.version,
    settings: { ...options.settings, ...(options.store.read && { read: options.store.read }) },
    late,
    arrow,
    create: options.enableCreate,
    console: options.enableQuery,
    inspect: options.enableInspect === true,
    loaded,
    log: options.log,
    time: { now: Date.now, monotonic: () => performance.now() },
    push: pushOf(options, { openedAt, randomBytes }),
    randomBytes,
  };
  return startHttp(http, listener);
}

function pushOf(
  { others, readOnly, noPush = false }: ServerOptions,
  { openedAt, randomBytes }: Pick<Served, 'openedAt' | 'randomBytes'>,
): HttpOptions['push'] {
  const rests = noPush ? 'this server was started with --no-push' : readOnly ? 'this server only reads' : undefined;
  return {
    environment: others?.environment ?? process.env,
    openedAt,
    ...(rests === undefined ? {} : { rests }),
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    chance: () => Buffer.from(randomBytes(4)).readUInt32LE() / 2 ** 32,
    pause: async (milliseconds, signal) => {
      await setTimeoutOf(milliseconds, undefined, { signal }).catch(() => undefined); // aborted: it ends early
    },
  };
}

/** Tools can join if there is a directory for the socket. */
async function openSessions(
  { store, version, log, others = { base: process.cwd(), environment: process.env } }: ServerOptions,
  engine: Engine,
  live: RunningServer['live'],
  standings: HttpServer['standings'],
): Promise<SessionSocket | undefined> {
  if (store.directory === undefined) return undefined;
  return openSessionSocket({
    directory: store.directory,
    version,
    engine,
    live,
    standings,
    locate: (stores, name) => locateStore(stores, name, others),
    onFault: (error) => log.error({ err: error }, 'a session of a tool failed'),
    onChange: (change) => log.info(change, 'a tool in the data directory changed the schema'),
    onCaller: (said) => log.info({ ...said, statement: 'subject' in said ? 'SET CALLER' : 'RESET CALLER' }, 'audit'),
  });
}
