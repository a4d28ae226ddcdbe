import { isReadEngine, type ReadEngine } from '../../language/contract/read-engine.ts';
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
