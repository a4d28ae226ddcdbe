/** `log verify --read-model`: every row of a read model on disk is that of the log. */
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeFileSystem } from '../../runtime/store/disk/node-file-system.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { loadSqlite } from '../../runtime/store/tables/core/sqlite.ts';
import { createModelFiles, defaultCacheBytes } from '../../runtime/store/tables/files/model-file.ts';
import { accounts, deposit } from '../contract/accounts.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { tool } from './stores.ts';

const folder = freshFolder();
const run = tool(folder);
const store = await openEmbeddedStore({
  directory: join(folder, 'data'),
  readModel: 'inline',
  readEngine: 'disk',
  fsync: false,
});
await store.tables.adopt(accounts);
for (let number = 0; number < 40; number += 1)
  await store.turns.exclusively((turn) => deposit(turn, { to: `A-${number % 7}`, commandId: `c-${number}` }));
const running = await run('log', 'verify', '--read-model', '--data', 'data');
await store.close();

const verified = async (directory: string): Promise<readonly string[]> => {
  const before = readdirSync(join(folder, directory));
  const { status, stdout, stderr } = await run('log', 'verify', '--read-model', '--data', directory);
  assert.equal(readdirSync(join(folder, directory)), before);
  return `${status}\n${stdout}${stderr}`.replaceAll(folder, '…').trimEnd().split('\n');
};

/** A copy of the directory whose file was changed by SQL, so that its checksums are right. */
async function changed(directory: string, ...statements: readonly string[]): Promise<string> {
  cpSync(join(folder, 'data'), join(folder, directory), { recursive: true });
  const path = join(folder, directory, 'read-model.db');
  const { written } = createModelFiles(path, defaultCacheBytes);
  const database = (await loadSqlite())({ in: 'file', file: { ...written, patience: 0, files: nodeFileSystem } });
  for (const statement of statements) database.run(statement);
  database.settle();
  database.close();
  return directory;
}

test('a server that runs keeps its directory', () => {
  assert.is(running.status, 3);
  assert.match(running.stderr, 'is in use by process');
});

test('a read model that is right', async () => {
  const [status, ...said] = await verified('data');
  assert.is(status, '0');
  assert.is(said.at(-1), 'the read model is sound');
  assert.ok(said.includes('e$Account: 40 rows'), said.join('\n'));
});

const wrong: readonly (readonly [title: string, statement: string, said: string])[] = [
  [
    'a value of an event',
    `UPDATE "e$Account" SET event_id = 'x' WHERE global_position = 7`,
    'e$Account: the row with global_position 7 has another event_id than the log gives',
  ],
  [
    'an event less',
    'DELETE FROM "e$Account" WHERE global_position = 40',
    'e$Account: it has 39 rows, and the log gives more',
  ],
  [
    'an event more',
    `INSERT INTO "e$Account" (global_position, event_id, stream_id, seq, event_type, occurred_at, event_version, tags)
     SELECT 99, 'x', 'x', 1, event_type, occurred_at, event_version, tags FROM "e$Account" WHERE global_position = 1`,
    'e$Account: it has more than the 40 rows of the log',
  ],
  ['a table less', 'DROP TABLE "t$Account"', 't$Account: the table is missing'],
];
for (const [title, statement, said] of wrong)
  test(`${title} is found`, async () => {
    const found = await verified(await changed(title.replaceAll(' ', '-'), statement));
    assert.is(found[0], '1');
    assert.ok(found.includes(said), found.join('\n'));
    assert.is(found.at(-1), 'the read model is damaged');
  });

test('a wrong byte is found by its checksum', async () => {
  cpSync(join(folder, 'data'), join(folder, 'byte'), { recursive: true });
  const path = join(folder, 'byte', 'read-model.db');
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(9000) ^ 1, 9000);
  writeFileSync(path, bytes);
  assert.is((await verified('byte'))[0], '1');
});

test('a file that the next start drops is not damage', async () => {
  const said = await verified(await changed('version', 'PRAGMA user_version = 1'));
  assert.equal(said, [
    '0',
    'it is of another version, and is built again at the next start',
    'the read model is sound',
  ]);
  const other = await changed(
    'other',
    `UPDATE k$store SET value = json_set(value, '$.checksum', 1) WHERE key = 'reached'`,
  );
  assert.match((await verified(other))[1] ?? '', /^it shows entry \d+ of another log, and is built again/);
});

test('without a read model on disk, and with two checks at once', async () => {
  assert.equal(await run('log', 'verify', '--read-model', '--data', '.'), {
    status: 1,
    stdout: '',
    stderr: `schemac: there is no read model on disk in ${folder}\n`,
  });
  assert.is((await run('log', 'verify', '--read-model', '--archive', 'a', '--data', 'data')).status, 2);
});

test.run();
