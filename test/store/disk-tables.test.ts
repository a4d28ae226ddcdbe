/** The read model on disk (`read.engine`): it continues from its file, and believes no file that is not the log's. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { openEmbeddedStore, type EmbeddedStoreOptions } from '../../runtime/store/embedded/embedded-store.ts';
import { pageBytes, sealPage } from '../../runtime/store/tables/files/page-check.ts';
import type { Store } from '../../runtime/store/store.ts';
import {
  account,
  accounts,
  aggregate,
  balances,
  column,
  count,
  deposit,
  field,
  int,
  query,
  text,
} from '../contract/accounts.ts';
import { freshFolder } from './fresh-folder.ts';

const test = suite('the read model on disk');

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
    readEngine: 'disk',
    fsync: false,
    log,
    ...options,
  });
  try {
    await store.tables.adopt(accounts);
    return { result: await work(store), said };
  } finally {
    await store.close();
  }
}

const fill =
  (from: number, to: number) =>
  async (store: Store): Promise<void> => {
    for (let n = from; n < to; n += 1)
      await store.turns.exclusively((turn) =>
        deposit(turn, { to: `A-${n % 7}`, amount: `${n}.00`, commandId: `c-${n}` }),
      );
  };

/** Everything that the read model and the ledger know. */
const view = async (store: Store): Promise<unknown> => [
  await count(store),
  await store.tables.query(balances, []),
  await store.log.eventKinds(),
  await store.turns.exclusively(async (turn) => [
    await turn.head('Account', 'A-1'),
    (await turn.recorded('Account', 'A-1', 'c-1')) ?? 'nothing',
    turn.nextPosition(),
  ]),
];

const path = (directory: string): string => join(directory, 'read-model.db');

test('a start goes on from the file, and answers as a read model in memory does', async () => {
  const directory = freshFolder();
  await withStore(directory, fill(0, 40));
  assert.equal(
    readdirSync(directory).filter((name) => /read-model|snapshot/.test(name)),
    ['read-model.db', 'read-model.undo'],
  );
  const again = await withStore(directory, view);
  assert.equal(again.said, []);
  await withStore(directory, fill(40, 60));
  const [disk, memory] = [await withStore(directory, view), await withStore(directory, view, { readEngine: 'memory' })];
  assert.equal(disk, memory);
  assert.is((disk.result as readonly unknown[])[0], 60n);
});

test('engines change at any start', async () => {
  const directory = freshFolder();
  const seen: unknown[] = [];
  for (const [at, readEngine] of (['memory', 'disk', 'memory', 'auto', 'disk'] as const).entries()) {
    await withStore(directory, fill(at * 5, at * 5 + 5), { readEngine });
    seen.push((await withStore(directory, count, { readEngine })).result);
  }
  assert.equal(seen, [5n, 10n, 15n, 20n, 25n]);
});

test('auto takes the disk when the log is larger than half of the memory', async () => {
  const directory = freshFolder();
  await withStore(directory, fill(0, 10), { readEngine: 'auto' });
  assert.not(existsSync(path(directory)));
  await withStore(directory, count, { readEngine: 'auto', maxBytes: 1000 });
  assert.ok(existsSync(path(directory)));
});

interface Spoilt {
  readonly title: string;
  readonly spoil: (directory: string) => void | Promise<void>;
  readonly said: string;
}

const built = 'the read model is built from the log again: ';

const flipped =
  (at: (size: number) => number) =>
  (directory: string): void => {
    const bytes = readFileSync(path(directory));
    const place = at(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ 0x10;
    writeFileSync(path(directory), bytes);
  };

const spoilt: readonly Spoilt[] = [
  {
    title: 'a file that is none',
    spoil: (directory) => writeFileSync(path(directory), 'x'.repeat(9000)),
    said: 'file is not a database',
  },
  { title: 'a flipped bit in the first page', spoil: flipped(() => 200), said: 'page 1 does not have its checksum' },
  {
    title: 'a flipped bit in the bookkeeping',
    spoil: flipped(() => pageBytes + 100),
    said: 'page 2 does not have its checksum',
  },
  {
    title: 'a file that is cut',
    spoil: (directory) => writeFileSync(path(directory), readFileSync(path(directory)).subarray(0, 3 * pageBytes)),
    said: 'database disk image is malformed',
  },
  {
    title: 'a file of another format',
    spoil: (directory) => reseal(directory, (page) => page.writeUInt32BE(2, 60)),
    said: 'it has another format',
  },
];

/** Changes the first page, with its checksum. */
function reseal(directory: string, change: (page: Buffer) => void): void {
  const bytes = readFileSync(path(directory));
  change(bytes);
  sealPage(bytes.subarray(0, pageBytes), 1);
  writeFileSync(path(directory), bytes);
}

for (const { title, spoil, said } of spoilt)
  test(`${title} is dropped, and built again`, async () => {
    const directory = freshFolder();
    await withStore(directory, fill(0, 30));
    const before = await withStore(directory, view);
    await spoil(directory);
    const after = await withStore(directory, view);
    assert.equal(after, { result: before.result, said: [built + said] });
    assert.equal(await withStore(directory, view), before);
  });

test('a file of another log, or ahead of this one, is dropped', async () => {
  const directory = freshFolder();
  await withStore(directory, fill(0, 10));
  const early = freshFolder();
  cpSync(directory, early, { recursive: true });
  await withStore(directory, fill(10, 20));
  cpSync(path(directory), path(early));
  const ahead = await withStore(early, count);
  assert.equal(ahead, { result: 10n, said: [`${built}it has entry 20 of another log, or one that this log has lost`] });
  // The other log has the same number of entries, and other ones.
  await withStore(early, fill(50, 60));
  cpSync(path(directory), path(early));
  const other = await withStore(early, view);
  assert.equal(other.said, [`${built}it has entry 20 of another log, or one that this log has lost`]);
  assert.equal(other, { ...(await withStore(early, view, { readEngine: 'memory' })), said: other.said });
});

const ledgerFiles = (directory: string): readonly string[] =>
  readdirSync(directory).filter((name) => name.startsWith('ledger-'));

/** All heads and records of command ids. */
const places = (store: Store): Promise<unknown> =>
  store.turns.exclusively(async (turn) => {
    const found: unknown[] = [];
    for (let n = 0; n < 120; n += 1) {
      const { number } = (await turn.recorded('Account', `A-${n % 7}`, `c-${n}`)) ?? {};
      found.push([await turn.head('Account', `A-${n}`), number]);
    }
    return found;
  });

test('heads and command ids of a long history are in files, and answer after any stop as from memory', async () => {
  const directory = freshFolder();
  const few = { ledgerInMemory: 8 };
  await withStore(directory, fill(0, 60), few);
  assert.ok(ledgerFiles(directory).length > 0);
  const stopped = freshFolder();
  await withStore(
    directory,
    async (store) => {
      await fill(60, 100)(store);
      cpSync(directory, stopped, { recursive: true, filter: (from) => !from.includes('/lock') });
    },
    few,
  );
  for (const each of [directory, stopped]) {
    const [disk, memory] = [
      await withStore(each, places, few),
      await withStore(each, places, { readEngine: 'memory' }),
    ];
    assert.equal(disk, memory);
    // A repeated command is found in the files.
    await withStore(each, fill(100, 104), few);
    assert.equal((await withStore(each, places, few)).said, []);
  }
});

test('a damaged file of heads refuses the commands that need it until a restart, which reads the log', async () => {
  const directory = freshFolder();
  const few = { ledgerInMemory: 8 };
  await withStore(directory, fill(0, 100), few);
  const before = await withStore(directory, places, few);
  for (const name of ledgerFiles(directory)) {
    const bytes = readFileSync(join(directory, name));
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    writeFileSync(join(directory, name), bytes);
  }
  await withStore(
    directory,
    async (store) => {
      const refused = await places(store).catch((error: unknown) => String(error));
      assert.match(String(refused), /ledger-\d+-\d+\.idx is damaged: page 1 does not have its checksum/);
      assert.match(store.turns.refusesWrites()?.reason ?? '', /is damaged/);
      assert.is(await count(store), 100n);
    },
    few,
  );
  assert.equal((await withStore(directory, places, few)).result, before.result);
});

test('damage that is found while it serves is repaired from the log', async () => {
  const directory = freshFolder();
  await withStore(directory, fill(0, 3000));
  const before = await withStore(directory, view);
  flipped((size) => Math.floor(size / pageBytes / 2) * pageBytes + 500)(directory);
  const after = await withStore(directory, view);
  assert.equal(after.result, before.result);
  assert.ok(
    after.said.some((line) => line.includes('does not have its checksum')),
    after.said.join('\n'),
  );
  assert.equal(await withStore(directory, view), before);
});

test('a registry that changes its tables changes them in the file', async () => {
  const directory = freshFolder();
  await withStore(directory, fill(0, 20));
  const more = {
    ...accounts,
    aggregates: [
      aggregate('Account', {
        Opened: [field('owner', text, 'tag')],
        Deposited: [field('amount', text), field('balance', text), field('n', int)],
      }),
    ],
    sqlite: { views: [] },
  };
  const amounts = query('SELECT "d$amount" FROM "e$Account" ORDER BY global_position LIMIT 2', [
    column('amount', text),
  ]);
  for (const readEngine of ['disk', 'memory'] as const) {
    const { result } = await withStore(
      directory,
      async (store) => {
        await store.tables.adopt(more);
        return [await store.tables.query(amounts, []), await count(store)];
      },
      { readEngine },
    );
    assert.equal(result, [[['0.00'], ['1.00']], 20n]);
  }
  assert.ok(account.events.length > 0);
});

test('queries for a copy read the file while it is written, and answers of an earlier registry leave nothing behind', async () => {
  const directory = freshFolder();
  await withStore(
    directory,
    async (store) => {
      const filling = fill(0, 200)(store);
      for (let round = 0; round < 5; round += 1) {
        const least = BigInt(store.turns.position().entry);
        const seen = await count(store, { compiledFor: accounts, answeredBy: 'copy' });
        assert.ok(seen >= least, `${seen} of at least ${least}`);
      }
      await filling;
      assert.is(await count(store, { compiledFor: accounts, answeredBy: 'copy' }), 200n);
      assert.is(await count(store, { compiledFor: accounts, answeredBy: 'past' }), 200n);
      assert.ok(readdirSync(directory).some((name) => name.startsWith('read-model-past-')));
    },
    { readModel: 'worker' },
  );
  assert.not(readdirSync(directory).some((name) => name.startsWith('read-model-past-')));
});

test('a query for a copy says why the file cannot be read, and is answered when it can be again', async () => {
  const directory = freshFolder();
  const work = async (store: Store): Promise<void> => {
    await fill(0, 5)(store);
    const copy = (): Promise<bigint> => count(store, { compiledFor: accounts, answeredBy: 'copy' });
    const [file, aside] = ['read-model.db', 'aside'].map((name) => join(directory, name)) as [string, string];
    renameSync(file, aside);
    mkdirSync(file);
    const said = await copy().catch((error: unknown) => (error instanceof Failure ? error.code : error));
    rmdirSync(file);
    renameSync(aside, file);
    assert.equal([said, await copy()], ['R0414', 5n]);
  };
  await withStore(directory, work, { readModel: 'worker' });
});

test('nothing is written to the file once another process may have the directory', async () => {
  const directory = freshFolder();
  const said: string[] = [];
  const store = await openEmbeddedStore({
    directory,
    readModel: 'inline',
    readEngine: 'disk',
    fsync: false,
    log: (_, message) => void said.push(message),
  });
  await store.tables.adopt(accounts);
  await fill(0, 20)(store);
  assert.is(await count(store), 20n);
  rmSync(join(directory, 'lock.1'));
  const before = ['read-model.db', 'read-model.undo'].map((name) => readFileSync(join(directory, name)));
  await store.close();
  assert.equal(
    ['read-model.db', 'read-model.undo'].map((name) => readFileSync(join(directory, name))),
    before,
  );
  assert.is((await withStore(directory, count)).result, 20n);
});

test('the setting for memory is named as one without effect', async () => {
  const directory = freshFolder();
  const { said } = await withStore(directory, count, { maxBytes: 1 });
  assert.equal(said, ['inmemory.max_mb has no effect: the read model is on disk (read.engine)']);
  assert.ok(statSync(path(directory)).size > 0);
  rmSync(path(directory));
});

test('a query over its time or memory names the disk, one with too many rows does not', async () => {
  const directory = freshFolder();
  const said = await withStore(directory, async (store) => {
    await fill(0, 20)(store);
    const large = query('SELECT LENGTH(HEX(ZEROBLOB(30000000))) AS n', [column('n', int)]);
    const asked = [
      [balances, { milliseconds: -1 }],
      [large, { memory: 2 ** 20 }],
      [balances, { rows: 1 }],
    ] as const;
    const messages: string[] = [];
    for (const [each, limits] of asked) messages.push(await store.tables.query(each, [], limits).then(String, String));
    return messages;
  });
  assert.equal(said.result, [
    'Failure: the query exceeded its time budget of -1 ms, with the read model on disk',
    'Failure: the query exceeded its memory budget of 1 MiB, with the read model on disk',
    'Failure: the query exceeded its rows budget of 1',
  ]);
});

test.run();
