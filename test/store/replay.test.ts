/** A snapshot and the tail after it are the whole log's replay, for folds, projections, heads and command ids, whatever happened. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Domain } from '../../language/contract/domain.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { createChance, parameter, seedOf, type Chance } from '../crash/chance.ts';
import { createSimulatedDisk, type Content, type SimulatedDisk } from '../crash/simulated-disk.ts';
import { collect, column, query, text } from '../contract/accounts.ts';
import { domainOf } from '../kit/domain.ts';
import { sent } from '../kit/engine.ts';

const histories = parameter('SCHEMAC_REPLAY_HISTORIES', 12);

const schema = `CREATE AGGREGATE Account;
CREATE COMMAND Move (account_id STRING, amount DECIMAL(12,2), note STRING);
CREATE EVENT Moved (amount DECIMAL(12,2), note STRING, before DECIMAL(14,2));
CREATE DECISION MoveIt FOR Account ON COMMAND Move
  STATE AS SELECT COALESCE(SUM(data.amount), 0) AS balance, COUNT(*) AS moves
    FROM Reg."Account$Events" WHERE stream_id = :account_id
  EMIT AS SELECT EVENT Moved (amount := :amount, note := :note, before := balance)
    WHERE balance + :amount >= 0;
CREATE PROJECTION Balances AS SELECT stream_id AS account, SUM(data.amount) AS balance, COUNT(*) AS moves,
    MIN(data.amount) AS least, MAX(data.amount) AS most, LAST(data.note) AS note
  FROM Reg."Account$Events" GROUP BY stream_id ORDER BY account;
CREATE PROJECTION Notes AS SELECT COUNT(DISTINCT data.note) AS notes FROM Reg."Account$Events";
`;
const directory = '/data';
const start = 1_700_000_000_000_000n;

async function engineOn(disk: SimulatedDisk, domain: Domain, said: string[] = []): Promise<Engine> {
  const store = await openEmbeddedStore({
    directory,
    disk,
    readModel: 'inline',
    rolloverBytes: 2000,
    snapshotEntries: 40,
    fsync: false,
    log: (_, message) => said.push(message),
  });
  return createReactingEngine({ store, domain, clock: () => start, randomBytes: createSystemRandom() });
}

async function commands(engine: Engine, chance: Chance, count: number, life: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const amount = `${chance.below(90) - 30}.${10 + chance.below(89)}`;
    const request = {
      command: 'Move',
      arguments: sent({ account_id: `a-${chance.below(6)}`, amount, note: `n-${chance.below(9)}` }),
    };
    await engine.execute(chance.below(2) === 0 ? request : { ...request, commandId: `${life}-${number}` });
  }
}

/** Everything that can be seen of an engine, and what the next commands come to. */
async function view(content: Content, domain: Domain, seed: number, said: string[] = []): Promise<unknown> {
  const engine = await engineOn(createSimulatedDisk(content), domain, said);
  try {
    const projections = [];
    for (const { name, query: asked } of domain.projections)
      projections.push([name, unmasked(await engine.query(asked, [], {})).rows]);
    const tables = await engine.store.tables.query(
      query('SELECT name FROM sqlite_master ORDER BY name', [column('name', text)]),
      [],
    );
    const chance = createChance(seed);
    await commands(engine, chance, 20, 99);
    const entries = await collect(engine.store.log.read(1));
    return { projections, tables, position: engine.store.turns.position(), last: entries.slice(-20).map(withoutIds) };
  } finally {
    await engine.close();
  }
}

/** Ids of events have chance in them. */
function withoutIds(entry: object): unknown {
  return JSON.parse(JSON.stringify(entry), (key, value: unknown) =>
    key === 'id' || key === 'fingerprint' ? '…' : value,
  );
}

const isSnapshot = (path: string): boolean => path.endsWith('.db');
const withoutSnapshots = (content: Content): Content => new Map([...content].filter(([path]) => !isSnapshot(path)));

test(`${histories} random histories: snapshot and tail give the same read model as the whole log`, async () => {
  const seed = seedOf('replay');
  const chance = createChance(seed);
  const domain = await domainOf(schema);
  let compared = 0;
  for (let history = 0; history < histories; history += 1) {
    const disk = createSimulatedDisk();
    for (let life = 0; life < 1 + chance.below(4); life += 1) {
      const engine = await engineOn(disk, domain);
      await commands(engine, chance, chance.below(60), life);
      await engine.close();
    }
    const content = disk.content();
    if (![...content.keys()].some(isSnapshot)) continue;
    compared += 1;
    const expected = await view(withoutSnapshots(content), domain, history);
    assert.equal(await view(content, domain, history), expected, `history ${history}`);
  }
  console.log(`replay: ${compared} histories with a snapshot, all equal`);
  assert.ok(compared > histories / 3);
});

test('one or all snapshots with a wrong bit anywhere are reported and never used', async () => {
  const chance = createChance(seedOf('damaged snapshots'));
  const domain = await domainOf(schema);
  const disk = createSimulatedDisk();
  for (let life = 0; life < 3; life += 1) {
    const engine = await engineOn(disk, domain);
    await commands(engine, chance, 50, life);
    await engine.close();
  }
  const content = disk.content();
  const snapshots = [...content.keys()].filter(isSnapshot).sort();
  assert.is(snapshots.length, 2);
  const expected = await view(withoutSnapshots(content), domain, 1);
  for (let round = 0; round < 16; round += 1) {
    const damaged = new Map(content);
    const hit = round % 2 === 0 ? snapshots.slice(-1) : snapshots;
    for (const path of hit) {
      const bytes = Buffer.from(content.get(path) ?? '');
      const at = chance.below(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << chance.below(8)), at);
      damaged.set(path, bytes);
    }
    const said: string[] = [];
    assert.equal(await view(damaged, domain, 1, said), expected, `round ${round}`);
    assert.is(said.filter((line) => line.startsWith('ignored snapshot-')).length, hit.length, said.join('\n'));
  }
});

test.run();
