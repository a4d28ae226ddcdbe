import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { startRegistry } from '../../server/start/start-registry.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { domainOf } from '../kit/domain.ts';

/** Serves files over a store as `start` does. */
async function start(store: Store, text: string): Promise<Engine> {
  const options = { store, version: '0.0.0', modules: undefined, readOnly: false, warn: () => undefined };
  const registry = await startRegistry({ ...options, domain: await domainOf(text) });
  let now = 1_700_000_000_000_000n;
  const clock = (): bigint => (now += 1_000_000n);
  const engine = await createReactingEngine({
    store,
    domain: registry.domain,
    clock,
    randomBytes: createSystemRandom(),
  });
  if (registry.entry !== undefined) await engine.adopt(registry.domain, registry.entry);
  return engine;
}

test('the version of the registry is the number of logged changes, also after a restart', async () => {
  const store = await openMemoryStore();
  const versions: number[] = [];
  const tank = 'CREATE AGGREGATE Tank;';
  const both = `${tank} CREATE AGGREGATE Box;`;
  for (const text of [tank, tank, both, both, tank]) versions.push((await start(store, text)).registryVersion());
  assert.equal(versions, [1, 1, 2, 2, 3]);
  await store.close();
});

test.run();
