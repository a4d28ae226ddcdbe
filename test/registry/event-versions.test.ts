import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { Failure } from '../../language/failure/failure.ts';
import { withEventVersions } from '../../server/registry/from-log/event-versions.ts';
import { startRegistry } from '../../server/start/start-registry.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { domainOf } from '../kit/domain.ts';
import { tell } from '../kit/engine.ts';

const schema = (fields: string): string => `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (${fields});
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
`;

/** Serves a build made without knowledge of the log, as `start` does, and sends a command. */
async function start(store: Store, fields: string): Promise<void> {
  const options = { store, version: '0.0.0', modules: undefined, readOnly: false, warn: () => undefined };
  const registry = await startRegistry({ ...options, domain: await domainOf(schema(fields)) });
  let now = 1_700_000_000_000_000n;
  const clock = (): bigint => (now += 1_000_000n);
  const engine = await createReactingEngine({
    store,
    domain: registry.domain,
    clock,
    randomBytes: createSystemRandom(),
  });
  if (registry.entry !== undefined) await engine.adopt(registry.domain, registry.entry);
  assert.is(await tell(engine, 'Put', { box_id: 'b', n: 1 }), 'emitted');
}

async function versions(store: Store): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const entry of store.log.read(1))
    if (entry.kind === 'command') found.push(...entry.events.map(({ version }) => version));
  return found;
}

test('an event is stored with the version of its definition, under any build', async () => {
  const store = await openMemoryStore();
  const builds = ['n INT', 'n INT', '\n--- how many\nn INT', 'n INT, m INT', 'n INT, m INT', 'n INT'];
  for (const fields of builds) await start(store, fields);
  assert.equal(await versions(store), [1, 1, 1, 2, 2, 3]);
  await store.close();
});

test('a change of a field of a later version must fit its stored types', async () => {
  const store = await openMemoryStore();
  for (const fields of ['n INT', 'n INT, m INT']) await start(store, fields);
  const refused = await start(store, 'n INT, m STRING').catch((error: unknown) => error);
  assert.instance(refused, Failure);
  assert.is((refused as Failure).code, 'R0503');
  await store.close();
});

test('versions are counted by name; an equal definition keeps its version, even after a drop', async () => {
  const domain = await domainOf(schema('n INT'));
  const put = (text: string) => ({ changes: [{ change: 'put', block: 'event', name: 'Added', text } as const] });
  const drop = { changes: [{ change: 'drop', block: 'event', name: 'Added' } as const] };
  const command = { changes: [{ change: 'put', block: 'command', name: 'Added', text: 'x' } as const] };
  const version = (...entries: Parameters<typeof withEventVersions>[1][]): Promise<readonly number[]> =>
    Promise.all(entries.map(async (given) => (await withEventVersions(domain, given)).events[0]?.version ?? 0));
  assert.equal(
    await version([], [put('a')], [put('a'), drop, put('a')], [put('a'), put('b'), put('a')], [put('a'), command]),
    [1, 1, 1, 3, 1],
  );
  assert.is(await withEventVersions(domain, [put('a')]), domain);
});

test.run();
