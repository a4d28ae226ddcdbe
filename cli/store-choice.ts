/** The store that `--eventstore` names, chosen as a start chooses it, and opened by this process. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { StoreChoice } from '../server/start/choose-store.ts';
import type { Store } from '../runtime/store/store.ts';
import { inputFault } from './exit-fault.ts';
import { loadGenerated } from './serve/load-generated.ts';
import type { Settings } from './settings/settings.ts';
import type { Shell } from './shell.ts';
import { productVersion } from './version.ts';

/** Among the event stores of the generated folder. Without `data` the store's own directory is taken, if it has one. */
export async function chooseNamed(
  shell: Shell,
  name: string,
  { out, config }: Pick<Settings, 'out' | 'config'>,
  data: string | undefined,
): Promise<StoreChoice> {
  const folder = out ?? resolve(shell.cwd, 'generated');
  const { eventStores } = await loadGenerated(folder, relative(shell.cwd, folder) || '.');
  const { chooseStore } = await import('../server/start/choose-store.ts');
  return chooseStore(eventStores, {
    base: config.folder,
    environment: shell.environment,
    eventStore: name,
    ...(data !== undefined && { data }),
  });
}

/** Opens it for reading, as it is now, even while its servers run. It must exist. */
export async function openToRead(
  choice: StoreChoice,
  { acceptLoss, wait }: Pick<Settings, 'acceptLoss' | 'wait'>,
): Promise<Store> {
  if (choice.kind === 'memory')
    throw inputFault(
      `event store ${choice.name ?? ''} is in the memory of its server, so its registry ends with that server; --data names a directory`,
    );
  if (choice.kind === 'embedded') {
    const { directory } = choice;
    if (!existsSync(directory)) throw inputFault(`there is no data directory ${directory}`);
    const { openReadOnlyStore } = await import('../runtime/store/embedded/read-only-store.ts');
    return openReadOnlyStore({ directory, readModel: 'worker', ...(acceptLoss !== undefined && { acceptLoss }) });
  }
  const { url, namespace } = choice;
  const { openReadOnlyPostgresStore } = await import('../runtime/store/postgres/postgres-store.ts');
  return openReadOnlyPostgresStore({
    url,
    ...(namespace !== undefined && { namespace }),
    ...(wait !== undefined && { waitMilliseconds: wait * 1000 }),
  });
}

/** Opens it as a server does; its warnings go to the messages of the command. */
export async function openChosen(
  shell: Shell,
  store: StoreChoice,
  { acceptLoss, wait }: Pick<Settings, 'acceptLoss' | 'wait'>,
): Promise<Store> {
  const { openStore } = await import('../server/start/open-store.ts');
  const say = (_fields: object, message: string): void => shell.messages.write(`schemac: ${message}\n`);
  return openStore({
    store,
    version: productVersion(),
    log: { debug: () => undefined, info: () => undefined, warn: say, error: say },
    ...(acceptLoss !== undefined && { acceptLoss }),
    ...(wait !== undefined && { waitSeconds: wait }),
  });
}
