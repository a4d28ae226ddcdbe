/** `log snapshot`: a file of the read model that SQLite opens, made while a server runs. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { fillBank, tool } from './stores.ts';

const folder = freshFolder();
const directory = await fillBank(folder);
const run = tool(folder);

test('plain SQLite reads events and projections from it', async () => {
  const owner = await openEmbeddedStore({ directory, readModel: 'inline' });
  const made = await run('log', 'snapshot', 'now.db', '--data', 'data');
  await owner.close();
  assert.equal(
    [made.status, made.stdout.replaceAll(folder, '…'), made.stderr],
    [0, 'the tables at position 9 are in …/now.db\n', 'the file contains sensitive values in the clear\n'],
  );
  assert.equal(
    readdirSync(folder).filter((name) => name.startsWith('now')),
    ['now.db'],
  );
  const { Database } = await initSqlJs();
  const database = new Database(readFileSync(join(folder, 'now.db')));
  const values = (query: string): unknown => database.exec(query)[0]?.values;
  assert.equal(values('PRAGMA integrity_check'), [['ok']]);
  assert.equal(values('SELECT global_position, stream_id, seq, event_type FROM "e$Till" ORDER BY 1'), [
    [5, 'T', 1, 'Counted'],
    [6, 'T', 2, 'Counted'],
    [7, 'T', 3, 'Counted'],
    [8, 'T', 4, 'Counted'],
  ]);
  assert.equal(values('SELECT COUNT(*), COUNT(DISTINCT stream_id) FROM "e$Account"'), [[5, 2]]);
  database.close();
});

test('nothing is overwritten, and what fails leaves nothing', async () => {
  assert.equal(await run('log', 'snapshot', 'now.db', '--data', 'data'), {
    status: 1,
    stdout: '',
    stderr: "schemac: 'now.db' already exists\n",
  });
  const missing = await run('log', 'snapshot', 'no/where.db', '--data', 'data');
  assert.is(missing.status, 3);
  assert.not(existsSync(join(folder, 'no')));
  assert.is((await run('log', 'snapshot', 'x.db', '--data', 'nothing')).status, 1);
});

test.run();
