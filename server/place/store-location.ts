/** Where a store of another name is, and how it is read there in its current state. Never writes. */
import { openReadOnlyStore, readOnlyMark } from '../../runtime/store/embedded/read-only-store.ts';
import type { Store } from '../../runtime/store/store.ts';

export type StoreLocation =
  | { readonly kind: 'directory'; readonly directory: string }
  | { readonly kind: 'database'; readonly url: string; readonly namespace?: string };

/** Opens the store as it is now. Throws what the store says if it cannot be opened. */
export async function openLocated(location: StoreLocation, readModel: 'inline' | 'worker'): Promise<Store> {
  if (location.kind === 'directory') return openReadOnlyStore({ directory: location.directory, readModel });
  const { openReadOnlyPostgresStore } = await import('../../runtime/store/postgres/postgres-store.ts');
  const { url, namespace } = location;
  return openReadOnlyPostgresStore({ url, readModel, ...(namespace !== undefined && { namespace }) });
}

/** Differs between two states of a log, and between two logs at one place. */
export async function markOf(location: StoreLocation): Promise<string> {
  if (location.kind === 'directory') return readOnlyMark(location.directory);
  const { markOfDatabaseLog } = await import('../../runtime/store/postgres/database-log.ts');
  return markOfDatabaseLog(location);
}
