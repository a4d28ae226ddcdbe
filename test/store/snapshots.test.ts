/** Snapshots save work and are never the truth. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore, type EmbeddedStoreOptions } from '../../runtime/store/embedded/embedded-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import {
  account,
  accounts,
  aggregate,
  balances,
  column,
  command,
  count,
  deposit,
  field,
  money,
  none,
  query,
  text,
} from '../contract/accounts.ts';
import { depositRound } from '../crash/workload.ts';
import { until } from '../kit/until.ts';
import { freshFolder } from './fresh-folder.ts';

const at = 1_700_000_000_000_000n;

async function withStore<T>(
  directory: string,
  work: (store: Store) => Promise<T>,
  options: Partial<EmbeddedStoreOptions> = {},
): Promise<{ readonly result: T; readonly said: readonly string[] }> {
  const said: string[] = [];
  const log = (_: unknown, message: string): void => void said.push(message.replaceAll(directory, '…'));
  const store = await openEmbeddedStore({
    directory,
    readModel: 'inline',
    fsync: false,
    snapshotEntries: 20,
    log,
    ...options,
  });
  try {
    return { result: await work(store), said };
  } finally {
    await store.close();
  }
}

/** Everything that can be seen of a store. */
async function view(store: Store): Promise<unknown> {
  await store.tables.adopt(accounts);
  const heads = await store.turns.exclusively(async (turn) => [
    await turn.head('Account', 'A-1'),
    await turn.head('Gone', 'G-1'),
    (await turn.recorded('Account', 'A-1', 'r-3-1')) ?? 'nothing',
    turn.nextPosition(),
  ]);
  return [
    heads,
    store.turns.position(),
    await store.tables.query(balances, []),
    store.log.schema(),
    [...(await store.log.eventKinds())],
  ];
}

async function fill(directory: string): Promise<unknown> {
  const { result } = await withStore(directory, async (store) => {
    await store.tables.adopt(accounts);
    await store.turns.exclusively((turn) => turn.append({ kind: 'schema', origin: 'files', changes: [] }, at));
    for (let round = 0; round < 10; round += 1) await depositRound(store, `r-${round}`, 4, () => undefined);
    return view(store);
  });
  return result;
}

const snapshots = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith('snapshot-'))
    .sort();

test('a store started from its snapshot and the tail equals one started from the whole log', async () => {
  const directory = freshFolder();
  const expected = await fill(directory);
  assert.is(snapshots(directory).length, 1);
  assert.equal((await withStore(directory, view)).result, expected);
  await withStore(
    directory,
    (store) => store.tables.adopt(accounts).then(() => depositRound(store, 'tail', 3, () => undefined)),
    {
      snapshotEntries: 1_000_000,
    },
  );
  const { result: withTail } = await withStore(directory, view, { snapshotEntries: 1_000_000 });
  for (const name of snapshots(directory)) rmSync(join(directory, name));
  assert.equal((await withStore(directory, view)).result, withTail);
});

test('a snapshot is private to its owner and opens in an ordinary SQLite shell', async () => {
  const directory = freshFolder();
  await fill(directory);
  const [name = ''] = snapshots(directory);
  assert.match(name, /^snapshot-0000000000000041-[0-9a-f]{16}-[0-9a-f]{8}\.db$/);
  assert.is(statSync(join(directory, name)).mode & 0o777, 0o600);
  assert.is(readFileSync(join(directory, name)).toString('latin1', 0, 15), 'SQLite format 3');
  const shell =
    'import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute(\'select count(*) from "e$Account"\').fetchone()[0])';
  if (!existsSync('/usr/bin/python3')) return;
  assert.is(
    execFileSync('/usr/bin/python3', ['-c', shell, join(directory, name)])
      .toString()
      .trim(),
    '40',
  );
});

test('the two newest snapshots are kept', async () => {
  const directory = freshFolder();
  for (let life = 0; life < 4; life += 1) {
    await withStore(directory, async (store) => {
      await store.tables.adopt(accounts);
      await depositRound(store, `l-${life}`, 5, () => undefined);
    });
  }
  assert.equal(
    snapshots(directory).map((name) => Number(name.slice(9, 25))),
    [15, 20],
  );
});

const damages: readonly (readonly [title: string, damage: (path: string) => void, says: RegExp])[] = [
  ['with a wrong byte', (path) => flip(path, 5000), /ignored snapshot-.*: its checksum does not hold/],
  [
    'cut short',
    (path) => writeFileSync(path, readFileSync(path).subarray(0, 3000)),
    /ignored snapshot-.*: its checksum does not hold/,
  ],
  ['emptied', (path) => writeFileSync(path, ''), /ignored snapshot-.*: its checksum does not hold/],
];
for (const [title, damage, says] of damages) {
  test(`a snapshot ${title} is ignored with a line in the log, and the older one is used`, async () => {
    const directory = freshFolder();
    await fill(directory);
    await withStore(directory, (store) =>
      store.tables.adopt(accounts).then(() => depositRound(store, 'more', 5, () => undefined)),
    );
    const { result: expected } = await withStore(directory, view);
    const newest = snapshots(directory).at(-1) ?? '';
    damage(join(directory, newest));
    const { result, said } = await withStore(directory, view);
    assert.equal(result, expected);
    assert.match(said.join('\n'), says);
  });
}

test('a snapshot of another log, or a damaged one beyond the end of this log, is ignored', async () => {
  const one = freshFolder();
  const other = freshFolder();
  await fill(one);
  const { result: expected } = await withStore(other, async (store) => {
    await store.tables.adopt(accounts);
    for (let round = 0; round < 50; round += 1)
      await store.turns.exclusively((turn) => deposit(turn, { to: `B-${round}` }));
    return view(store);
  });
  for (const name of snapshots(other)) rmSync(join(other, name));
  const [name = ''] = snapshots(one);
  writeFileSync(join(other, name), readFileSync(join(one, name)));
  writeFileSync(join(other, name.replace('0000000000000041', '0000000000000999')), 'x');
  const { result, said } = await withStore(other, view);
  assert.equal(result, expected);
  assert.equal(
    said.filter((line) => line.startsWith('ignored')).map((line) => line.replace(/snapshot-\S+:/, '…:')),
    [
      "ignored …: it is beyond the log's end at entry 50, and damaged",
      'ignored …: it is of another log, or of what comes later in this one',
    ],
  );
});

test('streams of an aggregate that is not in the snapshot keep their heads', async () => {
  const directory = freshFolder();
  await withStore(directory, async (store) => {
    const gone = aggregate('Gone', { E: [field('x', text)] });
    await store.tables.adopt({ ...none, aggregates: [account, gone] });
    await store.turns.exclusively(async (turn) =>
      turn.append(await command(turn, 'C', 'G-1', [['E', { x: 'y' }]], undefined, 'Gone'), at),
    );
    await store.tables.adopt(accounts);
    for (let round = 0; round < 10; round += 1) await depositRound(store, `r-${round}`, 4, () => undefined);
  });
  assert.is(snapshots(directory).length, 1);
  await withStore(directory, async (store) => {
    assert.is(await store.turns.exclusively((turn) => turn.head('Gone', 'G-1')), 1);
    assert.is(await store.turns.exclusively((turn) => turn.head('Account', 'A-1')), 10);
  });
});

test('a snapshot of an older registry is changed to the new one', async () => {
  const directory = freshFolder();
  await fill(directory);
  const wider = aggregate('Account', {
    Deposited: [
      field('amount', { kind: 'DECIMAL', precision: 12, scale: 3 }),
      field('balance', money),
      field('by', text),
    ],
    Opened: [],
  });
  const all = query('SELECT DISTINCT "d$amount", "d$by" FROM "e$Account"', [
    column('amount', money),
    column('by', text),
  ]);
  const { result } = await withStore(directory, async (store) => {
    await store.tables.adopt({ ...none, aggregates: [wider] });
    return store.tables.query(all, []);
  });
  assert.equal(result, [[1000n, null]]);
});

test('snapshots are written while a worker serves, without delaying commands', async () => {
  const directory = freshFolder();
  await withStore(
    directory,
    async (store) => {
      await store.tables.adopt(accounts);
      for (let round = 0; round < 20; round += 1) await depositRound(store, `r-${round}`, 5, () => undefined);
      await until(() => snapshots(directory).length > 0);
      assert.is(await count(store), 100n);
    },
    { readModel: 'worker' },
  );
});

test('the file of an unfinished snapshot is removed', async () => {
  const directory = freshFolder();
  writeFileSync(join(directory, 'snapshot-0000000000000001-0000000000000000-00000000.db.new'), 'half');
  await fill(directory);
  assert.equal(
    readdirSync(directory).filter((name) => name.endsWith('.new')),
    [],
  );
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
}

test.run();
