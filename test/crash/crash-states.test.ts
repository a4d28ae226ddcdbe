/**
 * R3: every prefix of the operations, with everything unsynced kept, lost or torn, recovers to a prefix with every
 * acknowledged command.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeLine } from '../../runtime/store/line.ts';
import { accounts, count } from '../contract/accounts.ts';
import { createChance, parameter, seedOf, type Chance } from './chance.ts';
import { crashed, createSimulatedDisk, type Fate, type Operation } from './simulated-disk.ts';
import { commit, openStore, recover, wholeLife } from './workload.ts';

const wanted = parameter('SCHEMAC_CRASH_STATES', 2500);

test(`${wanted} crash states recover to a prefix that holds every acknowledged command`, async () => {
  const chance = createChance(seedOf('crash states'));
  const disk = createSimulatedDisk();
  const acknowledged: string[] = [];
  for (let life = 0; life < 3; life += 1) {
    await wholeLife(disk, `l${life}`, 14, (commandId) => {
      acknowledged.push(commandId);
      disk.mark(commandId);
    });
  }
  const { lines: master } = await recover(createSimulatedDisk(disk.content()));
  assert.is(master.length, acknowledged.length);

  const { operations } = disk;
  let states = 0;
  let torn = 0;
  for (let state = 0; state < wanted; state += 1) {
    // Every prefix is tried first with everything lost and with everything kept; then at random.
    const upTo = state < 2 * operations.length ? Math.floor(state / 2) + 1 : 1 + chance.below(operations.length);
    const fate = state < 2 * operations.length ? always(state % 2 === 0 ? 'lost' : 'kept') : byChance(chance);
    const content = crashed(new Map(), operations, upTo, fate);
    const acks = operations.slice(0, upTo).filter((operation) => operation.kind === 'mark');
    const name = `state ${state}, ${upTo} operations`;

    const after = createSimulatedDisk(content);
    const { log, lines } = await recover(after);
    assert.equal(lines, master.slice(0, lines.length), `${name}: what is recovered is a prefix`);
    const found = new Set(lines.map((line) => commandIdOf(line)));
    const lost = acks.filter((ack) => !found.has(ack.what));
    assert.equal(lost, [], `${name}: nothing acknowledged is lost`);
    if (after.operations.length > 0) torn += 1;

    await commit(log, ['after']);
    await log.close();
    const again = await recover(
      createSimulatedDisk(crashed(content, after.operations, after.operations.length, always('lost'))),
    );
    assert.equal(again.lines, [...lines, 'after'], `${name}: what is appended next is durable`);
    if (state % 25 === 0) await checkWholeStore(content, lines.length, name);
    states += 1;
  }
  assert.is(states, wanted);
  assert.ok(torn > 0, 'some states had something to cut');
});

test('without fsync acknowledged commands are lost, so the test above can fail', async () => {
  const disk = createSimulatedDisk();
  await wholeLife(disk, 'l', 2, (commandId) => disk.mark(commandId), { fsync: false });
  const { operations } = disk;
  const acks = operations.filter((operation) => operation.kind === 'mark').length;
  // A stop makes everything durable.
  const served = operations.findLastIndex((operation) => operation.kind === 'mark') + 1;
  const { lines } = await recover(createSimulatedDisk(crashed(new Map(), operations, served, always('lost'))));
  assert.ok(lines.length < acks);
});

/** The snapshots and other files of the directory must not cause a wrong result either. */
async function checkWholeStore(content: ReadonlyMap<string, Buffer>, entries: number, name: string): Promise<void> {
  const store = await openStore(createSimulatedDisk(content));
  try {
    assert.is(store.turns.position().entry, entries, name);
    await store.tables.adopt(accounts);
    assert.is(await count(store), BigInt(entries), `${name}: the read model is the log's`);
  } finally {
    await store.close();
  }
}

function always(fate: Fate): (operation: Operation) => Fate {
  return () => fate;
}

const sector = 64;

function byChance(chance: Chance): (operation: Operation) => Fate {
  const tears: readonly [(bytes: Buffer) => Buffer, ...((bytes: Buffer) => Buffer)[]] = [
    (bytes) => bytes.subarray(0, chance.below(bytes.length + 1)),
    // Some sectors were written, in any order; the length was.
    (bytes) => {
      const torn = Buffer.from(bytes);
      for (let at = 0; at < torn.length; at += sector)
        if (chance.below(2) === 0) torn.fill(0, at, Math.min(torn.length, at + sector));
      return torn;
    },
    // The length was written, the content was not.
    (bytes) => Buffer.alloc(bytes.length),
    (bytes) => Buffer.from(bytes.map(() => chance.below(256))),
  ];
  return (operation) => {
    const fate = chance.below(4);
    if (fate === 0) return 'lost';
    return fate === 1 || operation.kind !== 'write' ? 'kept' : { torn: chance.pick(tears) };
  };
}

function commandIdOf(line: string): string | undefined {
  const entry = decodeLine(line);
  return entry.kind === 'command' ? entry.commandId : undefined;
}

test.run();
