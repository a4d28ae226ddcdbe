import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import type { RegistryServices } from '../../server/start/registry-services.ts';
import { startRegistry } from '../../server/start/start-registry.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { domainOf } from '../kit/domain.ts';
import { tell } from '../kit/engine.ts';
import { createStandings } from '../../runtime/delivery/standing.ts';

const files = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
CREATE EVENT Taken (m INT);
`;
const taking = `CREATE COMMAND Take (box_id STRING, m INT);
CREATE DECISION TakeOut FOR Box ON COMMAND Take EMIT AS SELECT EVENT Taken (m := :m);
`;

/** Serves a build made without knowledge of the log, as `start` does. */
async function start(store: Store, text: string): Promise<{ engine: Engine; services: RegistryServices }> {
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
  return { engine, services: await registry.serve(engine)() };
}

/** Payloads of the aggregate's events, in order, and its state. */
async function shown({ engine, services }: Awaited<ReturnType<typeof start>>): Promise<unknown> {
  const domain = engine.domain();
  const [aggregate] = domain.aggregates;
  const state = (aggregate?.stateColumns ?? []).map(({ name }) => name);
  const read = async (relation: string, columns: readonly string[]): Promise<unknown> => {
    const selection = { relation, columns, filters: [], order: [] };
    const { query, parameters } = await services.select(domain, selection);
    const { rows } = unmasked(await engine.query(query, parameters, {}));
    return rows.map((row) => row.map((value) => (value instanceof Map ? Object.fromEntries(value) : value)));
  };
  return { events: await read('Box$Events', ['data']), state: await read('Box$Agg', state) };
}

test('events that no decision emits any longer are shown as before: live, after a start, and after a change', async () => {
  const store = await openMemoryStore();
  const first = await start(store, files + taking);
  assert.is(await tell(first.engine, 'Put', { box_id: 'b', n: 1 }), 'emitted');
  assert.is(await tell(first.engine, 'Take', { box_id: 'b', m: 2 }), 'emitted');
  const wanted = await shown(first);
  const second = await start(store, files);
  assert.equal(await shown(second), wanted);
  const lang = 'CREATE PROJECTION Taking AS SELECT data.m AS m FROM Reg."Box$Events";';
  await second.services.create(lang);
  assert.equal(await shown(second), wanted);
  const sql = 'SELECT m FROM Reg.Taking WHERE m IS NOT NULL';
  const caller = { subject: 'me', rights: ['*'] };
  const { table } = await second.services.query(
    { sql, parameters: [] },
    caller,
    (read) => read({ bytes: 1_000_000, takes: () => undefined }),
    createStandings({ engine: second.engine }),
  );
  assert.equal(table.rows, [[2]]);
  await store.close();
});

test.run();
