import type { Domain } from '../../runtime/contract/domain.ts';
import type { RunningServer } from '../../runtime/server/run-server.ts';
import { usageFault } from '../exit-fault.ts';
import type { Settings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';
import { httpSettings } from './http-settings.ts';

/** Starts a server for a domain as the settings say, and prints where it listens and where its data is. */
export async function serve(shell: Shell, domain: Domain, settings: Settings): Promise<RunningServer> {
  const { runServer } = await import('../../runtime/server/run-server.ts');
  const { chooseStore } = await import('../../runtime/server/choose-store.ts');
  const { createLog } = await import('../../runtime/http/log/log.ts');
  const { gathered } = await import('../../runtime/http/log/gathered.ts');
  const { refusesListening } = await import('../../runtime/http/auth/policy.ts');
  const { config, data, eventstore, accept, host = '127.0.0.1', port = 8080 } = settings;
  const http = httpSettings(config);
  const refused = refusesListening(host, http.auth, settings.insecure === true);
  if (refused !== undefined) throw usageFault(refused);
  const store = chooseStore(domain.eventStores, {
    base: config.folder,
    environment: shell.environment,
    ...(data === undefined ? {} : { data }),
    ...(eventstore === undefined ? {} : { eventStore: eventstore }),
  });
  const log = createLog({
    write: gathered((text) => shell.messages.write(text)),
    level: 'info',
    pretty: shell.messages.terminal,
  });
  const server = await runServer({
    domain,
    version: productVersion(),
    store,
    host,
    port,
    readOnly: settings.readOnly === true,
    enableCreate: settings.enableCreate === true,
    enableQuery: settings.enableQuery === true,
    settings: http,
    log,
    others: { base: config.folder, environment: shell.environment },
    ...(accept === undefined ? {} : { accept }),
  });
  const where = store.kind === 'memory' ? 'in memory' : store.directory;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  shell.output.write(`serving on http://${shownHost}:${server.port}, data ${where}\n`);
  return server;
}
