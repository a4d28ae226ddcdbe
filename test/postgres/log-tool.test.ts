/** `schemac log` on a log in PostgreSQL: sound and damaged, and from and to a directory. */
import { createReadStream, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeFileSystem } from '../../runtime/store/disk/node-file-system.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import { importStore } from '../../runtime/store/transfer/import-store.ts';
import { readTarget } from '../../runtime/store/postgres/target.ts';
import { loadSqlite } from '../../runtime/store/tables/core/sqlite.ts';
import { createModelFiles, defaultCacheBytes, readModelFileName } from '../../runtime/store/tables/files/model-file.ts';
import { accounts, deposit } from '../contract/accounts.ts';
import { depositRound } from '../crash/workload.ts';
import { startDatabase } from '../kit/database.ts';
import { packageHere } from '../kit/started-module.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import type { ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

const database = await startDatabase();
const url = 'missing' in database ? '' : database.url;
let made = 0;

interface World {
  readonly folder: string;
  readonly namespace: string;
  readonly log: (...words: readonly string[]) => Promise<ToolResult>;
  /** Status and output, without what differs between runs. */
  readonly said: (...words: readonly string[]) => Promise<readonly [status: number | null, lines: readonly string[]]>;
  readonly query: (text: string) => Promise<unknown>;
}

/** The rows of the last statement. */
function rowsOf(answer: unknown): unknown {
  return (answer as readonly { readonly rows?: unknown }[]).at(-1)?.rows;
}

/** A project whose event store `prod` is in the database, and a data directory with 24 entries. */
function check(title: string, work: (world: World) => Promise<void>): void {
  if ('missing' in database) {
    test.skip(`${title}: ${database.missing}`, () => undefined);
    return;
  }
  test(title, () =>
    withTempFolder(async (folder) => {
      const namespace = `log_tool_${process.pid}_${++made}`;
      writeFiles(folder, {
        'schema/a.schema': `CREATE EVENTSTORE prod WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = '${namespace}');`,
      });
      // The folder is like an installed project: generated modules find the package that this process runs.
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(packageHere, join(folder, 'node_modules/schemac'), 'dir');
      assert.is((await runToolHere(['build', 'schema'], { cwd: folder })).status, 0);
      const store = await openEmbeddedStore({ directory: join(folder, 'data'), readModel: 'inline', fsync: false });
      for (let round = 0; round < 8; round += 1) await depositRound(store, `r-${round}`, 3, () => undefined);
      await store.close();
      const log: World['log'] = (...words) =>
        runToolHere(['log', ...words], { cwd: folder, environment: { DATABASE_URL: url } });
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await work({
          folder,
          namespace,
          log,
          said: async (...words) => {
            const { status, stdout, stderr } = await log(...words);
            const place = `${readTarget(url, 'url').shown}, namespace ${namespace}`;
            return [status, `${stdout}${stderr}`.replaceAll(folder, '…').replaceAll(place, 'DB').trimEnd().split('\n')];
          },
          query: (text) => client.query(`SET search_path TO "${namespace}"; ${text}`),
        });
      } finally {
        await client.end();
      }
    }),
  );
}

check('a log goes from a directory to a database and back, equal to the byte', async ({ folder, log, said }) => {
  assert.equal(await said('verify', '--eventstore', 'prod'), [
    3,
    ['schemac: the log in DB cannot be opened: there is none'],
  ]);
  assert.is((await log('export', 'first.jsonl')).status, 0);
  assert.equal(await said('import', 'first.jsonl', '--eventstore', 'prod'), [
    0,
    ['imported 24 entries, 24 events to event store prod'],
  ]);
  assert.equal(await said('verify', '--eventstore', 'prod'), [0, ['DB: 24 entries, 24 events', 'the log is sound']]);
  assert.is((await log('export', 'second.jsonl', '--eventstore', 'prod')).status, 0);
  assert.is((await log('import', 'second.jsonl', '--data', 'back')).status, 0);
  assert.is((await log('export', 'third.jsonl', '--data', 'back')).status, 0);
  const [first, second, third] = ['first', 'second', 'third'].map((name) =>
    readFileSync(join(folder, `${name}.jsonl`), 'utf8'),
  );
  assert.is(second, first);
  assert.is(third, first);
  assert.is((await log('dump', '--eventstore', 'prod')).stdout, (await log('dump')).stdout);
  assert.equal(await said('import', 'first.jsonl', '--eventstore', 'prod'), [
    1,
    ['schemac: line 1 of the export: the store to import into is not empty'],
  ]);
});

check('a broken export leaves nothing in the database', async ({ folder, log, said, query }) => {
  await log('export', 'whole.jsonl');
  const lines = readFileSync(join(folder, 'whole.jsonl'), 'utf8').split('\n');
  writeFileSync(join(folder, 'short.jsonl'), lines.slice(0, 10).join('\n'));
  assert.equal(await said('import', 'short.jsonl', '--eventstore', 'prod'), [
    1,
    ['schemac: line 10 of the export: the end is missing'],
  ]);
  assert.is((await log('verify', '--eventstore', 'prod')).status, 3);
  assert.equal(rowsOf(await query("SELECT 1 FROM pg_namespace WHERE nspname LIKE 'importing%'")), []);
});

check('the file of a server on a database is compared with the log there', async ({ folder, said, namespace }) => {
  const directory = join(folder, 'own');
  mkdirSync(directory);
  const store = await openPostgresStore({ url, namespace, tables: { directory }, directory, readModel: 'inline' });
  await store.tables.adopt(accounts);
  for (const to of ['A', 'B', 'A']) await store.turns.exclusively((turn) => deposit(turn, { to }));
  await store.close();
  const [status, lines] = await said('verify', '--read-model', '--eventstore', 'prod', '--data', 'own');
  assert.equal([status, lines.at(-1)], [0, 'the read model is sound']);
  assert.ok(lines.includes('e$Account: 3 rows'), lines.join());
  const { written } = createModelFiles(join(directory, readModelFileName), defaultCacheBytes);
  const model = (await loadSqlite())({ in: 'file', file: { ...written, patience: 0, files: nodeFileSystem } });
  model.run(`UPDATE "e$Account" SET seq = 9 WHERE global_position = 2`);
  model.settle();
  model.close();
  const [found, wrong] = await said('verify', '--read-model', '--eventstore', 'prod', '--data', 'own');
  assert.is(found, 1);
  assert.ok(
    wrong.includes('e$Account: the row with global_position 2 has another seq than the log gives'),
    wrong.join(),
  );
  assert.equal(await said('verify', '--read-model', '--eventstore', 'prod'), [
    2,
    ['schemac: the log of prod is in a database: name the directory of its server with --data'],
  ]);
  assert.equal(await said('verify', '--read-model', '--data', 'own'), [
    2,
    ['schemac: the log of …/own is in a database: name its event store with --eventstore'],
  ]);
});

check('an import that was interrupted is continued or given up', async ({ folder, namespace, log, said, query }) => {
  await log('export', 'early.jsonl');
  const store = await openEmbeddedStore({ directory: join(folder, 'data'), readModel: 'inline', fsync: false });
  for (let round = 0; round < 3; round += 1) await depositRound(store, `s-${round}`, 3, () => undefined);
  await store.close();
  await log('export', 'whole.jsonl');
  const other = await openEmbeddedStore({ directory: join(folder, 'other'), readModel: 'inline', fsync: false });
  await depositRound(other, 'o', 3, () => undefined);
  await other.close();
  await log('export', 'other.jsonl', '--data', 'other');
  // Leaves the state of an import that was killed.
  const interrupt = async (): Promise<void> => {
    const lines = createInterface({ input: createReadStream(join(folder, 'early.jsonl')) });
    const options = { url, namespace: `importing_${namespace}`, imports: true, readModel: 'inline' } as const;
    await (await importStore(lines, (secret) => openPostgresStore({ ...options, secret }))).close();
  };
  const bring = (file: string): Promise<readonly unknown[]> => said('import', file, '--eventstore', 'prod');
  const discard = (): Promise<readonly unknown[]> => said('import', '--discard', '--eventstore', 'prod');
  const refused = (problem: string): readonly unknown[] => [3, [`schemac: the log in DB cannot be opened: ${problem}`]];
  await interrupt();
  const another = "an interrupted import into it was of another export: 'schemac log import --discard' gives it up";
  assert.equal(await bring('other.jsonl'), refused(another));
  await query(
    `BEGIN; INSERT INTO "importing_${namespace}".side_value VALUES ('import', '', '') ON CONFLICT DO NOTHING`,
  );
  await query(`COMMIT; BEGIN; SELECT 1 FROM "importing_${namespace}".side_value WHERE name = 'import' FOR UPDATE`);
  assert.equal(await bring('whole.jsonl'), refused('another import into it is running'));
  assert.equal(await discard(), refused('the import into it is running'));
  await query('COMMIT');
  assert.equal(await bring('whole.jsonl'), [0, ['imported 33 entries, 33 events to event store prod']]);
  await log('export', 'back.jsonl', '--eventstore', 'prod');
  assert.is(readFileSync(join(folder, 'back.jsonl'), 'utf8'), readFileSync(join(folder, 'whole.jsonl'), 'utf8'));
  const products = await query('SELECT count(*)::int AS n FROM entry WHERE product IS NOT NULL');
  assert.equal(rowsOf(products), [{ n: 9 }]);
  await query(`DROP SCHEMA "${namespace}" CASCADE`);
  await interrupt();
  assert.equal(await discard(), [0, ['gave up the interrupted import into event store prod']]);
  assert.equal(await discard(), [1, ['schemac: event store prod has no interrupted import']]);
  assert.equal(await bring('other.jsonl'), [0, ['imported 3 entries, 3 events to event store prod']]);
});

check('every change by hand is found', async ({ log, said, query }) => {
  await log('export', 'first.jsonl');
  await log('import', 'first.jsonl', '--eventstore', 'prod');
  await query("UPDATE event SET data = '{}' WHERE entry = 3; UPDATE event SET stream_id = 'x' WHERE entry = 5");
  await query('DELETE FROM entry WHERE entry IN (7, 8); DELETE FROM event WHERE entry = 10');
  assert.equal(await said('verify', '--eventstore', 'prod'), [
    1,
    [
      'DB: entry 3: its checksum does not match its rows',
      'DB: entries 7 to 8: their rows are missing',
      'DB: entry 10: it has 0 rows of events instead of 1',
      'DB: entry 5: the columns of the event at position 5 are not those of the entry',
      'DB: 24 entries, 20 events',
      'the log is damaged',
    ],
  ]);
  const { status, stdout, stderr } = await log('dump', '--eventstore', 'prod');
  assert.equal([status, stdout.trimEnd().split('\n').length], [3, 2]);
  assert.match(stderr, /is damaged at entry 3: its checksum does not match its rows\n$/);
});

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
