import { isReadEngine, type ReadEngine } from '../../language/contract/read-model.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { freshFolder } from '../store/fresh-folder.ts';

/** Where the stores under test keep their read models: `SCHEMAC_TEST_READ_ENGINE`, by default in memory. */
export function testedEngine(): ReadEngine {
  const given = process.env['SCHEMAC_TEST_READ_ENGINE'];
  return isReadEngine(given) ? given : 'memory';
}

/** An empty store for tests of its read model, in memory altogether unless the environment says otherwise. */
export function openTestedStore(): Promise<Store> {
  const readEngine = testedEngine();
  if (readEngine === 'memory') return openMemoryStore();
  return openEmbeddedStore({ directory: freshFolder(), readModel: 'inline', readEngine, fsync: false });
}

let namespaces = 0;

/** An empty store below a server under test: in memory, or with `SCHEMAC_TEST_STORE=postgres` in the database of `DATABASE_URL`. */
export async function openServedStore(readModel: 'inline' | 'worker'): Promise<Store> {
  if (process.env['SCHEMAC_TEST_STORE'] !== 'postgres') return openMemoryStore({ readModel });
  const url = process.env['DATABASE_URL'];
  if (url === undefined) throw new Error('SCHEMAC_TEST_STORE=postgres needs DATABASE_URL');
  const { openPostgresStore } = await import('../../runtime/store/postgres/postgres-store.ts');
  const store = await openPostgresStore({ url, namespace: `served_${process.pid}_${++namespaces}`, readModel });
  // The database of tests runs without fsync, and a note says so.
  return { ...store, notes: () => [] };
}
