import type { Domain, EventStoreDefinition } from '../../language/contract/domain.ts';
import { refusesListening } from '../http/auth/policy.ts';
import type { Log } from '../http/log/log.ts';
import type { KeepPosted } from '../registry/live/live-registry.ts';
import { chooseStore } from './choose-store.ts';
import { endOnFault } from './end-on-fault.ts';
import { runServer, type RunningServer } from './run-server.ts';
import { serverSettings } from './settings/server-settings.ts';
import { SettingsFault } from './settings/settings-fault.ts';
import type { Settings } from './settings/settings.ts';

export interface ServeOptions {
  readonly domain: Domain;
  readonly version: string;
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Where files stay the whole truth while schema is posted. */
  readonly keepPosted?: KeepPosted;
  /** What the store is chosen from; the domain's without it. */
  readonly stores?: readonly EventStoreDefinition[];
}

/**
 * Starts a server for a domain as the settings say. Gives with it the line that tells where it listens and where its data is.
 * Throws a `SettingsFault`, or what `runServer` throws.
 */
export async function serveDomain(given: ServeOptions): Promise<{ server: RunningServer; told: string }> {
  const { domain, version, settings, environment, log, keepPosted } = given;
  const { config, data, eventstore, accept, acceptLoss, host = '127.0.0.1', port = 8080 } = settings;
  const served = serverSettings(config, environment);
  const refused = refusesListening(host, served.auth, settings.insecure === true);
  if (refused !== undefined) throw new SettingsFault(2, [refused]);
  const others = { base: config.folder, environment };
  const store = chooseStore(given.stores ?? domain.eventStores, {
    ...others,
    ...(data === undefined ? {} : { data }),
    ...(eventstore === undefined ? {} : { eventStore: eventstore }),
  });
  const server = await runServer({
    domain,
    version,
    store,
    host,
    port,
    readOnly: settings.readOnly === true,
    enableCreate: settings.enableCreate === true,
    enableQuery: settings.enableQuery === true,
    settings: served,
    log,
    others,
    ...(accept === undefined ? {} : { accept }),
    ...(acceptLoss === undefined ? {} : { acceptLoss }),
    ...(keepPosted === undefined ? {} : { keepPosted }),
  });
  const where = store.kind === 'memory' ? 'in memory' : store.directory;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const forget = endOnFault(log);
  const stop = async (): Promise<void> => {
    const cut = setTimeout(() => endNow(log), served.limits.drainMilliseconds).unref();
    try {
      await server.stop();
    } finally {
      clearTimeout(cut);
      forget();
    }
  };
  return { server: { ...server, stop }, told: `serving on http://${shownHost}:${server.port}, data ${where}\n` };
}

/** Leaves what does not end: a statement of a tool that cannot be stopped, a snapshot that is still written. The log has all that counts. */
function endNow(log: Log): void {
  log.warn({}, 'the server ends without what did not end in time; everything that was acknowledged is durable');
  process.exit(0);
}
