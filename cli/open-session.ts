import { join } from 'node:path';
import type { OpenSession } from '../runtime/session/open-session.ts';
import type { Store } from '../runtime/store/store.ts';
import type { Settings } from './settings/settings.ts';
import type { Shell } from './shell.ts';
import { productVersion } from './version.ts';

export interface SessionNeeds {
  /** A payload field that no event carries yet is NULL, as in an interactive session. */
  readonly lenientPayload?: boolean;
}

/** Runs `work` with a session on the settings' data directory, or in memory without one, and closes it whatever happens. */
export async function withSession<T>(
  shell: Shell,
  settings: Pick<Settings, 'sessionData'> & Partial<Pick<Settings, 'config'>>,
  work: (session: OpenSession) => Promise<T>,
  needs: SessionNeeds = {},
): Promise<T> {
  const { openSession } = await import('../runtime/session/open-session.ts');
  const data = settings.sessionData;
  const modules = data === undefined ? {} : { modules: join(data, 'modules') };
  const { locateStore } = await import('../runtime/server/locate-store.ts');
  const base = settings.config?.folder ?? shell.cwd;
  const session = await openSession({
    store: await openStore(data),
    version: productVersion(),
    locate: (stores, name) => locateStore(stores, name, { base, environment: shell.environment }),
    ...modules,
    ...needs,
  });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Nothing else waits for a session's queries, so the read model lives in this thread, which starts faster. */
async function openStore(directory: string | undefined): Promise<Store> {
  if (directory === undefined) {
    const { openMemoryStore } = await import('../runtime/store/memory-store.ts');
    return openMemoryStore({ readModel: 'inline' });
  }
  const { openEmbeddedStore } = await import('../runtime/store/embedded/embedded-store.ts');
  return openEmbeddedStore({ directory, readModel: 'inline' });
}
