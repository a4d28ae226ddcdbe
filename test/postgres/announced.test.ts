/** A change of the registry is announced before it is in the log, so that the other servers have built it when they meet it. */
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Domain } from '../../language/contract/domain.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import { followRegistry } from '../../server/registry/live/follow-registry.ts';
import { createRegistryServices, type RegistryServices } from '../../server/start/registry-services.ts';
import { startDatabase } from '../kit/database.ts';
import { domainOf } from '../kit/domain.ts';
import { tell } from '../kit/engine.ts';
import { until } from '../kit/until.ts';

const database = await startDatabase();

const schema = `
CREATE AGGREGATE Box (box_id STRING KEY, total INT DEFAULT 0 AS SUM(data.n));
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
`;
const put = { box_id: 'b', n: 2 };

interface Server {
  readonly engine: Engine;
  readonly services: RegistryServices;
  /** Domains that were built for an announcement, and those that were put in force for an entry. */
  readonly prepared: Domain[];
  readonly taken: Domain[];
}

async function serve(url: string, namespace: string, domain: Domain): Promise<Server> {
  const store = await openPostgresStore({ url, namespace, readModel: 'inline' });
  const engine = await createReactingEngine({ store, domain, clock: systemClock, randomBytes: createSystemRandom() });
  const services = createRegistryServices(engine, { version: '0.1.0', modules: undefined, warn: () => undefined });
  const [prepared, taken]: Domain[][] = [[], []];
  const watched: Engine = {
    ...engine,
    prepare: async (next) => {
      await engine.prepare(next);
      prepared?.push(next);
    },
  };
  const { compile, prepare } = followRegistry(watched, '0.1.0', services.live);
  engine.compileWith(
    (entry, takeOver) =>
      compile(entry, async (next) => {
        taken?.push(next);
        await takeOver(next);
      }),
    prepare,
  );
  return { engine, services, prepared: prepared ?? [], taken: taken ?? [] };
}

async function run(url: string): Promise<void> {
  const namespace = `announced_${process.pid}`;
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the database is stopped after a failure
  await client.connect();
  const servers = async (): Promise<number> =>
    (await client.query(`SELECT FROM "${namespace}".side_value WHERE name LIKE 'server %'`)).rowCount ?? 0;
  const domain = await domainOf(schema);
  const changes = domain.blocks.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text }) as const);
  const one = await serve(url, namespace, domain);
  await one.engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
  const other = await serve(url, namespace, domain);
  await until(async () => (await servers()) === 2);
  assert.equal(await tell(one.engine, 'Put', put), 'emitted');

  const sums =
    'CREATE PROJECTION Sums AS SELECT stream_id, SUM(data.n) AS sum FROM Reg."Box$Events" GROUP BY stream_id;';
  await one.services.create(sums);
  assert.equal([other.prepared.length, other.taken.length], [1, 0]);
  await other.engine.store.turns.fresh();
  assert.equal([other.taken[0] === other.prepared[0], one.prepared.length], [true, 0]);
  assert.is(other.engine.domain().hash, one.engine.domain().hash);

  // Events between the announcement and the entry are in what was built.
  assert.equal(await tell(one.engine, 'Put', put), 'emitted');
  const more = sums.replace('Sums', 'More').replace('data.n', 'data.n * 2');
  await other.services.create(more);
  assert.equal(await tell(one.engine, 'Put', put), 'emitted');
  await one.engine.store.turns.fresh();
  assert.is(one.taken[0], one.prepared[0]);

  // Servers that have left, or say nothing, are not waited for.
  await other.engine.close();
  assert.is(await servers(), 1);
  await client.query(`INSERT INTO "${namespace}".side_value VALUES ('server gone', '0', '1700000000000')`);
  await one.services.create(more.replace('More', 'Last'));
  await one.engine.close();
  assert.is(await servers(), 1);
  await client.end();
}

if ('missing' in database) test.skip(`announced changes: ${database.missing}`, () => undefined);
else
  test('the other servers build a change that is announced, and put in force what they have built', () =>
    run(database.url));

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
