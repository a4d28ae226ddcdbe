import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openReadOnlyStore } from '../../runtime/store/embedded/read-only-store.ts';
import { dumpLog, verifyLog } from '../../runtime/store/log/verify.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { commandCells } from '../../runtime/store/cells.ts';
import { exportStore } from '../../runtime/store/transfer/export-store.ts';
import { importStore } from '../../runtime/store/transfer/import-store.ts';
import { accounts, collect, count, deposit } from '../contract/accounts.ts';
import { depositRound } from '../crash/workload.ts';
import { freshFolder } from './fresh-folder.ts';

const at = 1_700_000_000_000_000n;

async function fill(store: Store): Promise<void> {
  await store.turns.exclusively((turn) => {
    const text = "CREATE EVENT Deposited ( amount DECIMAL(12,2) ); -- 'ü' 😀\n";
    turn.append(
      {
        kind: 'schema',
        origin: 'files',
        changes: [
          { change: 'put', block: 'event', name: 'Deposited', text, template: 'Money', instance: 'Own' },
          {
            change: 'put',
            block: 'template',
            name: 'Money',
            text,
            instances: [{ name: 'Own', parameters: '{"a":1}' }],
          },
          { change: 'drop', block: 'projection', name: 'Gone' },
        ],
      },
      at,
    );
    turn.append(
      { kind: 'inspection', name: 'T', inspected: 'Decision', block: 'D', input: 'I', fullSql: 'INSPECT …' },
      at,
    );
    turn.append(
      {
        kind: 'command',
        command: 'R',
        streamType: 'Account',
        streamId: 'A-0',
        events: [],
        commandId: 'no',
        fingerprint: 'f',
        rejection: '{}',
      },
      at,
    );
  });
  for (let round = 0; round < 30; round += 1) await depositRound(store, `r-${round}`, 20, () => undefined);
}

async function* lines(all: readonly string[]): AsyncGenerator<string> {
  for (const line of all) yield await Promise.resolve(line);
}

test('a store exported, imported elsewhere and exported again gives the same bytes', async () => {
  const directory = freshFolder();
  const first = await openEmbeddedStore({ directory, readModel: 'inline', fsync: false });
  await fill(first);
  const exported = await collect(exportStore(first.log, first.secret));
  assert.is(exported.length, 2 + 603);
  await first.close();

  const memory = await importStore(lines(exported), (secret) => openMemoryStore({ secret }));
  assert.equal(await collect(exportStore(memory.log, memory.secret)), exported);
  assert.is(await memory.turns.exclusively((turn) => turn.head('Account', 'A-3')), 30);
  assert.is(
    await memory.turns.exclusively(async (turn) => (await turn.recorded('Account', 'A-3', 'r-7-3'))?.fingerprint),
    'f-r-7-3',
  );
  await memory.tables.adopt(accounts);
  assert.is(await count(memory), 600n);
  await memory.close();

  const target = freshFolder();
  const embedded = await importStore(lines(exported), (secret) =>
    openEmbeddedStore({ directory: target, readModel: 'inline', fsync: false, secret }),
  );
  assert.equal(await collect(exportStore(embedded.log, embedded.secret)), exported);
  await embedded.close();
  const again = await openEmbeddedStore({ directory: target, readModel: 'inline', fsync: false });
  assert.equal(await collect(exportStore(again.log, again.secret)), exported, 'the secret is kept with the store');
  await again.close();
});

test('an incomplete or damaged export is refused with the line number', async () => {
  const store = await openMemoryStore();
  await store.turns.exclusively(async (turn) => {
    for (let number = 0; number < 3; number += 1) await deposit(turn, { to: 'A-1' });
  });
  const good = await collect(exportStore(store.log, store.secret));
  await store.close();
  const [head = '', first = '', second = '', third = '', end = ''] = good;
  const cases: readonly (readonly [all: readonly string[], says: string])[] = [
    [[], 'line 1 of the export: it does not begin as an export does'],
    [['{}'], 'line 1 of the export: it does not begin as an export does'],
    [
      [head.replace('"format":9', '"format":10')],
      'line 1 of the export: it has format 10, which a newer schemac wrote; this version reads the formats 1, 2, 3, 4, 5, 6, 7, 8, 9',
    ],
    [
      [head.replace('"format":9', '"format":"9"')],
      'line 1 of the export: it has format "9"; this version reads the formats 1, 2, 3, 4, 5, 6, 7, 8, 9',
    ],
    [[head, 'x'], 'line 2 of the export: it is no JSON'],
    [
      [head, '{"kind":"other"}'],
      'line 2 of the export: it is an entry of the kind "other", which a newer schemac wrote; this version reads command, schema, inspection',
    ],
    [[head, first.replace('"seq":1', '"seq":"1"')], "line 2 of the export: 'events' is not what it must be"],
    [
      [head, first.replace('"kind"', '"more":1,"kind"')],
      "line 2 of the export: it has the field 'more', which a newer schemac wrote; this version reads number, at, kind, command, streamType, " +
        'streamId, events, commandId, fingerprint, rejection, correlationId, causationId, cells',
    ],
    [
      [head, first.replace('"kind"', '"cells":{"more":1},"kind"')],
      `line 2 of the export: it has the cell 'more', which a newer schemac wrote; this version reads ${Object.keys(commandCells).join(', ')}`,
    ],
    [
      [head, first.replace('"kind"', '"cells":{"depth":0},"kind"')],
      "line 2 of the export: the cell 'depth' is not what it must be",
    ],
    [[head, first, second, third], 'line 4 of the export: the end is missing'],
    [[head, first, third, end], 'line 3 of the export: an event at position 3, seq 3 cannot follow 1 and 1'],
    [[head, first, second, end], 'line 4 of the export: lines are missing or damaged'],
    [[head, first, second, third.replace('1.00', '9.00'), end], 'line 5 of the export: lines are missing or damaged'],
    [[...good, 'null'], 'line 6 of the export: there is text after the end'],
  ];
  for (const [all, says] of cases) {
    const said = await importStore(lines(all), (secret) => openMemoryStore({ secret })).then(
      () => 'nothing',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    assert.is(said, says);
  }
});

test('verify lists the segments in order, and dump the entries', async () => {
  const directory = freshFolder();
  const store = await openEmbeddedStore({ directory, readModel: 'inline', fsync: false, rolloverBytes: 20_000 });
  await fill(store);
  const entries = await collect(store.log.read(1));
  // The owner may append meanwhile.
  const findings = await collect(verifyLog(directory));
  assert.equal(await collect(dumpLog(directory)), entries);
  await store.close();
  assert.ok(findings.length > 3);
  assert.ok(findings.every(({ finding }) => finding === 'segment'));
  const [first] = findings;
  assert.ok(first?.finding === 'segment');
  assert.is(first.firstEntry, 1);
  const last = findings.at(-1);
  assert.is(last?.finding === 'segment' ? last.lastEntry : 0, 603);

  const file = first.file;
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(200) ^ 4, 200);
  writeFileSync(file, bytes);
  const damaged = await collect(verifyLog(directory));
  assert.equal(
    damaged.map(({ finding }) => finding),
    ['damage'],
  );
  assert.match(
    damaged[0]?.finding === 'damage' ? damaged[0].problem : '',
    /log-0000000000000001.seg, byte 64: a frame body whose checksum/,
  );
});

test('a torn tail is reported by verify, ignored by a reader and cut by the owner', async () => {
  const directory = freshFolder();
  const options = { directory, readModel: 'inline', fsync: false } as const;
  const store = await openEmbeddedStore(options);
  await depositRound(store, 'r', 5, () => undefined);
  await store.close();
  const file = join(directory, 'log-0000000000000001.seg');
  const whole = readFileSync(file);
  writeFileSync(file, Buffer.concat([whole, whole.subarray(64, 90)]));

  const findings = await collect(verifyLog(directory));
  assert.equal(findings.at(-1), {
    finding: 'torn',
    file,
    offset: whole.length,
    problem: 'the file ends inside a frame',
  });
  const reader = await openReadOnlyStore({ directory });
  await reader.tables.adopt(accounts);
  assert.is(await count(reader), 5n);
  assert.match(reader.turns.refusesWrites()?.reason ?? '', /read-only/);
  await reader.close();
  assert.is(readFileSync(file).length, whole.length + 26, 'a reader cuts nothing');
  const said: string[] = [];
  await (await openEmbeddedStore({ ...options, log: (_, message) => said.push(message) })).close();
  assert.equal(said, [`cut a torn tail of 26 bytes at ${file}, byte ${whole.length}: the file ends inside a frame`]);
  assert.equal(readFileSync(file), whole);
});

test('a reader sees only whole frames while the owner is busy', async () => {
  const directory = freshFolder();
  const store = await openEmbeddedStore({ directory, readModel: 'inline', fsync: false, rolloverBytes: 5000 });
  const state = { busy: true, rounds: 0 };
  const writing = (async () => {
    for (; state.busy; state.rounds += 1) {
      await depositRound(store, `r-${state.rounds}`, 7, () => undefined);
      // So that the reader is not left ever further behind.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  for (let look = 0; look < 15; look += 1) {
    const before = state.rounds;
    const acknowledged = store.turns.position().entry;
    const reader = await openReadOnlyStore({ directory });
    assert.ok(reader.turns.position().entry >= acknowledged);
    assert.is((await collect(reader.log.read(1))).length, reader.turns.position().entry);
    await reader.close();
    while (state.rounds < before + 2) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  state.busy = false;
  await writing;
  await store.close();
});

test('a log of a newer format is reported as such', async () => {
  const directory = freshFolder();
  const { crc32 } = await import('node:zlib');
  const header = Buffer.alloc(64);
  header.write('schemac\0', 0, 'latin1');
  header.writeUInt32LE(10, 8);
  header.writeBigUInt64LE(1n, 12);
  header.writeUInt32LE(crc32(header.subarray(0, 60)), 60);
  const file = join(directory, 'log-0000000000000001.seg');
  writeFileSync(file, header);
  const said = await openEmbeddedStore({ directory }).catch((error: unknown) =>
    error instanceof Error ? error.message : '',
  );
  assert.is(
    said,
    `${file} has format 10, which a newer schemac wrote; this version reads the formats 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  );
});

test.run();
