import { setFlagsFromString } from 'node:v8';
import type { Domain, EventStoreDefinition } from '../../language/contract/domain.ts';
import { defined } from '../../language/values/defined.ts';
import { isLoopback, refusesListening, type AuthPolicy } from '../http/auth/policy.ts';
import type { Log } from '../http/log/log.ts';
import type { KeepPosted } from '../registry/live/live-registry.ts';
import { chooseStore, type StoreRequest } from './choose-store.ts';
import { endOnFault } from './end-on-fault.ts';
import { followPolicy } from './follow-policy.ts';
import { runServer, type RunningServer, type ServerOptions } from './run-server.ts';
import { callerAs } from './settings/caller-as.ts';
import { serverSettings, type ServerSettings } from './settings/server-settings.ts';
import { SettingsFault } from './settings/settings-fault.ts';
import type { Starting } from './starting.ts';
import { defaultHost, defaultPort, type Settings } from './settings/settings.ts';

export interface ServeOptions {
  readonly domain: Domain;
  readonly version: string;
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly starting?: Starting;
  /** If files hold the complete schema: saves posted definitions there. */
  readonly keepPosted?: KeepPosted;
  /** Pages of any port of the loopback may call, as long as the server listens there and nowhere else. */
  readonly loopbackOrigins?: true;
  /** Whether a log that other servers use is served, for a command that changes the schema without being asked; served if absent. */
  readonly sharedLog?: 'served' | 'refused';
  /** The stores to choose from; the domain's own if absent. */
  readonly stores?: readonly EventStoreDefinition[];
}

/**
 * Starts a server for a domain with the given settings. Also gives the line that says where it listens and where its data is. Throws a
 * `SettingsFault`, or the errors of `runServer`.
 */
export async function serveDomain(given: ServeOptions): Promise<{ server: RunningServer; told: string }> {
  const { domain, version, settings, environment, log, keepPosted, starting } = given;
  collectAlone();
  const {
    config,
    data,
    eventstore,
    readEngine,
    accept,
    acceptLoss,
    wait,
    host = defaultHost,
    port = defaultPort,
  } = settings;
  const loopbackOrigins = given.loopbackOrigins === true && isLoopback(host);
  const isDevelopment = given.loopbackOrigins === true;
  const configured = serverSettings(config, environment, { loopback: isDevelopment });
  const served = { ...configured, loopbackOrigins, ...asCaller(settings.as, configured.auth) };
  const refused = refusesListening(host, served.auth, settings.insecure === true);
  if (refused !== undefined) throw new SettingsFault(2, [refused]);
  const others = { base: config.folder, environment };
  const store = chooseStore(
    given.stores ?? domain.eventStores,
    defined<StoreRequest>({ ...others, data, eventStore: eventstore, readEngine }),
  );
  if (store.kind === 'postgres' && given.sharedLog === 'refused')
    throw new SettingsFault(2, [
      `the log of event store ${store.name ?? ''} is in PostgreSQL, and dev would change its schema for all its servers with every saved file: name another store with --eventstore, or agree with --shared`,
    ]);
  const server = await runServer({
    domain,
    version,
    store,
    host,
    port,
    readOnly: settings.readOnly === true,
    noPush: settings.noPush === true,
    noReactions: settings.noReactions === true,
    enableCreate: settings.enableCreate === true,
    enableQuery: settings.enableQuery === true,
    enableInspect: settings.enableInspect === true,
    settings: served,
    log,
    others,
    ...defined<Partial<ServerOptions>>({ starting, accept, acceptLoss, waitSeconds: wait, keepPosted }),
  });
  const where = store.kind === 'memory' ? 'in memory' : server.engine.store.location;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const forget = endOnFault(log);
  const leavePolicy = followPolicy({ config, log, adopt: server.replacePolicy });
  const stop = async (): Promise<void> => {
    leavePolicy();
    const cut = setTimeout(() => endNow(log), served.limits.drainMilliseconds);
    try {
      await server.stop();
    } finally {
      clearTimeout(cut);
      forget();
    }
  };
  return { server: { ...server, stop }, told: `serving on http://${shownHost}:${server.port}, data ${where}\n` };
}

/** The caller of every request, which a policy makes of tokens. */
function asCaller(named: string | undefined, policy: AuthPolicy | undefined): Pick<ServerSettings, 'as'> {
  if (named === undefined) return {};
  if (policy === undefined) return { as: callerAs(named) };
  throw new SettingsFault(2, [
    '--as is for a server without an auth policy; with one, the tokens of requests say who is asking',
  ]);
}

/**
 * Abandons work that does not end: a tool's statement that cannot be stopped, a snapshot that is still being written. The log has
 * everything that matters.
 */
function endNow(log: Log): void {
  log.warn({}, 'the server ends before all work has finished; everything that was acknowledged is durable');
  process.exit(0);
}

/**
 * For a process that serves: each thread collects its young objects alone. V8 would share this work among up to five threads; of a server's young
 * objects hardly any live, so waking the others costs more than what they do: a tenth of the processor time of many commands
 * (docs/performance/commands.md).
 */
function collectAlone(): void {
  // The versions of Node 20 to 24; V8 would complain about a flag that it does not have.
  if (/^1[1-3]\./.test(process.versions.v8)) setFlagsFromString('--no-parallel-scavenge');
}
