/** The store that a deployment changes: read as it is now, and changed by a server that owns it or by this process. */
import type { Replaced, Replacement } from '../../server/operation/change.ts';
import type { StoreChoice } from '../../server/start/choose-store.ts';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import type { Store } from '../../runtime/store/store.ts';
import type { Settings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { openChosen, openToRead } from '../store-choice.ts';
import { productVersion } from '../version.ts';

export interface DeployTarget {
  /** Several servers share its log. */
  readonly isShared: boolean;
  /** Opens the store as it is now, even while its servers run. The caller closes it. */
  readonly read: () => Promise<Store>;
  readonly post: (wanted: Replacement) => Promise<Replaced>;
}

/** The store that a start with these settings would serve. It must exist, because there is nothing to compare with otherwise. */
export async function deployTarget(
  shell: Shell,
  stores: readonly EventStoreDefinition[],
  settings: Settings,
): Promise<DeployTarget> {
  const { data, eventstore, config } = settings;
  const { chooseStore } = await import('../../server/start/choose-store.ts');
  const choice = chooseStore(stores, {
    base: config.folder,
    environment: shell.environment,
    ...(data !== undefined && { data }),
    ...(eventstore !== undefined && { eventStore: eventstore }),
  });
  const read = (): Promise<Store> => openToRead(choice, settings);
  if (choice.kind === 'embedded') {
    const { directory } = choice;
    return {
      isShared: false,
      read,
      post: async (wanted) => (await inItsServer(directory, wanted)) ?? byThisProcess(shell, settings, choice, wanted),
    };
  }
  // The directory of a server on a database is that server's own.
  const { directory: _, ...database } = choice;
  return { isShared: true, read, post: (wanted) => byThisProcess(shell, settings, database, wanted) };
}

/** Undefined if no server owns the directory. */
async function inItsServer(directory: string, wanted: Replacement): Promise<Replaced | undefined> {
  const { joinServer } = await import('../../server/session/socket/join-server.ts');
  const server = await joinServer(directory, { lenientPayload: false });
  if (server === undefined) return undefined;
  try {
    return await server.replace(wanted);
  } finally {
    await server.close();
  }
}

async function byThisProcess(
  shell: Shell,
  settings: Settings,
  store: StoreChoice,
  wanted: Replacement,
): Promise<Replaced> {
  const [{ modulesFolder }, { openLive }, { replaceBlocks }] = await Promise.all([
    import('../../server/start/open-store.ts'),
    import('../../server/registry/live/open-live.ts'),
    import('../../server/operation/change.ts'),
  ]);
  const opened = await openChosen(shell, store, settings);
  try {
    const { engine, live } = await openLive({
      store: opened,
      version: productVersion(),
      modules: modulesFolder(store),
      origin: 'files',
    });
    return await replaceBlocks(engine, live, wanted);
  } finally {
    await opened.close();
  }
}
