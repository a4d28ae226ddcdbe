import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCommandHash, createCommandIndex } from '../../runtime/store/turns/command-index.ts';
import { createBatchIds } from '../../runtime/store/journal/batch-ids.ts';
import { createMemoryJournal } from '../../runtime/store/journal/memory-journal.ts';
import { createLedger } from '../../runtime/store/turns/ledger.ts';
import { createTurns } from '../../runtime/store/turns/turns.ts';
import { deposit } from '../contract/accounts.ts';
import { createChance, seedOf } from '../crash/chance.ts';

test('finds the entries that were added and not removed, in any order, like a map of lists', () => {
  const chance = createChance(seedOf('command index'));
  const index = createCommandIndex();
  const model = new Map<number, number[]>();
  for (let entry = 1; entry <= 50_000; entry += 1) {
    const hash = chance.below(20_000) * 4_000_037;
    if (chance.below(4) === 0) {
      const gone = model.get(hash)?.pop();
      if (gone !== undefined) index.remove(hash, gone);
    } else {
      index.add(hash, entry);
      model.set(hash, [...(model.get(hash) ?? []), entry]);
    }
  }
  for (const [hash, entries] of model) assert.equal(index.find(hash), entries);
  assert.is(index.size(), [...model.values()].flat().length);
  assert.equal(index.find(-1 >>> 0), []);
});

test('removing and adding again repeatedly takes no further memory', () => {
  const index = createCommandIndex();
  for (let round = 0; round < 100_000; round += 1) {
    index.add(256, 1);
    index.remove(256, 1);
  }
  assert.equal(index.find(256), []);
  assert.is(index.size(), 0);
});

test('hashes separate type, id and command, and depend on the key', () => {
  const hash = createCommandHash('00112233445566778899');
  const other = createCommandHash('99112233445566778800');
  const all = [
    hash('A', '1', 'c'),
    hash('A', '1', 'd'),
    hash('A', '2', 'c'),
    hash('B', '1', 'c'),
    hash('A', '1c', ''),
    other('A', '1', 'c'),
  ];
  assert.is(new Set(all).size, all.length);
  const many = new Set(
    Array.from({ length: 100_000 }, (_, number) => hash('Account', `A-${number % 100}`, `c-${number}`)),
  );
  assert.is(many.size, 100_000);
  assert.ok([...many].every((value) => Number.isSafeInteger(value) && value >= 0));
});

test('commands with equal hashes are distinguished by stream and id', async () => {
  const journal = createMemoryJournal('00');
  const turns = createTurns({
    journal,
    end: journal.known(),
    shared: false,
    monotonic: () => 0,
    ledger: createLedger(() => 7),
    full: () => undefined,
    queryAhead: () => Promise.resolve([]),
    unreadable: () => undefined,
    onDurable: () => undefined,
    onTakenBack: () => undefined,
    newBatch: createBatchIds((bytes) => new Uint8Array(bytes)),
    log: () => undefined,
  });
  const sent: readonly (readonly [stream: string, id: string])[] = [
    ['A-1', 'c'],
    ['A-2', 'c'],
    ['A-1', 'd'],
  ];
  for (const [to, commandId] of sent) await turns.exclusively((turn) => deposit(turn, { to, commandId }));
  const asked = [...sent, ['A-3', 'c'], ['A-2', 'd']] as const;
  const found = await turns.exclusively(async (turn) => {
    const entries = [];
    for (const [to, id] of asked) entries.push(await turn.recorded('Account', to, id));
    return entries;
  });
  assert.equal(
    found.map((entry) => (entry === undefined ? undefined : [entry.streamId, entry.commandId])),
    [...sent, undefined, undefined],
  );
});

test.run();
