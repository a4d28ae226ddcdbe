import type { Domain, EventStoreDefinition } from '../../language/contract/domain.ts';
import type { KeepPosted } from '../../server/registry/live/live-registry.ts';
import type { RunningServer } from '../../server/start/run-server.ts';
import type { Settings } from '../settings/settings.ts';
import { createBuildingBar } from './building-bar.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';

/**
 * Options that only `dev` gives a server: its schema files hold the complete schema while schema is posted, and pages of this machine may
 * call.
 */
export interface Development {
  readonly keep: KeepPosted;
  /** A log that other servers use may be served. */
  readonly shared: boolean;
  /** The event stores that were not posted; the server's own is one of them. */
  readonly stores: readonly EventStoreDefinition[];
}

/** Starts a server for a domain as the settings say, and prints where it listens and where its data is. */
export async function serve(
  shell: Shell,
  domain: Domain,
  settings: Settings,
  development?: Development,
): Promise<RunningServer> {
  const { serveDomain } = await import('../../server/start/serve-domain.ts');
  const { createLog } = await import('../../server/http/log/log.ts');
  const { gathered } = await import('../../server/http/log/gathered.ts');
  const bar = createBuildingBar(shell.environment['CI'] ? { ...shell.messages, terminal: false } : shell.messages);
  // A request that comes at once is logged after the line that says where it could be sent.
  let held: string[] | undefined = [];
  const write = (text: string): void => {
    if (held === undefined) bar.write(text);
    else held.push(text);
  };
  // A long start says how far it is, and nothing comes at once after it.
  const release = (): void => {
    const lines = held ?? [];
    held = undefined;
    for (const text of lines) bar.write(text);
  };
  const log = createLog({
    write: gathered(write),
    level: 'info',
    pretty: shell.messages.terminal,
  });
  const { environment } = shell;
  const { createStarting } = await import('../../server/start/starting.ts');
  const starting = createStarting(shell.stopSignal(), (message) => {
    release();
    log.info({}, message);
  });
  bar.watch(starting.work, () => false);
  try {
    const { server, told } = await serveDomain({
      domain,
      version: productVersion(),
      settings,
      environment,
      log,
      starting,
      ...(development !== undefined && {
        keepPosted: development.keep,
        stores: development.stores,
        sharedLog: development.shared ? 'served' : 'refused',
        loopbackOrigins: true,
      }),
    });
    bar.stop();
    shell.output.write(told);
    bar.watch(server.engine.store.tables.building);
    return {
      ...server,
      stop: () => {
        bar.stop();
        return server.stop();
      },
    };
  } catch (error) {
    bar.stop();
    throw error;
  } finally {
    release();
  }
}
