/** The store that `--eventstore` names, chosen as a start chooses it, and opened by this process. */
import { relative, resolve } from 'node:path';
import type { StoreChoice } from '../server/start/choose-store.ts';
import type { Store } from '../runtime/store/store.ts';
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
