import { existsSync } from 'node:fs';
import { chooseStore } from '../../runtime/server/choose-store.ts';
import { openSession, type OpenSession } from '../../runtime/session/open-session.ts';
import { openReadOnlyStore } from '../../runtime/store/embedded/read-only-store.ts';
import { inputFault } from '../exit-fault.ts';
import type { Settings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';

/** The stores that a prompt may look at: its own, and those that EVENTSTORE blocks name, as they stood when they were opened. */
export interface NamedStores {
  readonly current: () => OpenSession;
  /** Makes a store current, opened anew and for reading only; `Reg` is the session's own. Without a name, lists them. */
  readonly use: (name: string | undefined) => Promise<string>;
  readonly close: () => Promise<void>;
}

const own = 'Reg';

export function createNamedStores(shell: Shell, settings: Settings, base: OpenSession): NamedStores {
  let current = base;
  let chosen = own;
  const release = async (): Promise<void> => {
    const before = current;
    current = base;
    chosen = own;
    if (before !== base) await before.close();
  };
  return {
    current: () => current,
    use: async (name) => {
      const names = [own, ...base.engine.domain().eventStores.map((store) => store.name)];
      if (name === undefined) return names.map((each) => `${each === chosen ? '* ' : '  '}${each}\n`).join('');
      if (!names.includes(name)) throw inputFault(`there is no event store '${name}'; there are ${names.join(', ')}`);
      await release();
      if (name === own) return "on the session's own store\n";
      current = await openNamed(shell, settings, base, name);
      chosen = name;
      const { location, position } = current.engine.store;
      return `on ${name} (${location}), for reading only, as of event ${position().event}\n`;
    },
    close: release,
  };
}

async function openNamed(shell: Shell, { config }: Settings, base: OpenSession, name: string): Promise<OpenSession> {
  const { environment } = shell;
  const { kind, directory } = chooseStore(base.engine.domain().eventStores, {
    eventStore: name,
    base: config.folder,
    environment,
  });
  if (kind === 'memory') throw inputFault(`event store '${name}' is in the memory of its own process`);
  if (!existsSync(directory)) throw inputFault(`event store '${name}': there is no directory ${directory}`);
  const store = await openReadOnlyStore({ directory });
  return openSession({ store, version: productVersion(), lenientPayload: true });
}
