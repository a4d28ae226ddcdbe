/** After an unclean end every page of a read model on disk is checked while the store serves, and a damaged file is built again. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { pageBytes } from '../../runtime/store/tables/files/page-check.ts';
import { Overtaken, type Store } from '../../runtime/store/store.ts';
import { accounts, count, deposit } from '../contract/accounts.ts';
import { until } from '../kit/until.ts';
import { freshFolder } from './fresh-folder.ts';

interface Opened {
  readonly store: Store;
  /** Lines that it has logged, since a clean file is opened without a word. */
  readonly said: readonly string[];
}

async function opened(directory: string, readModel: 'inline' | 'worker' = 'inline'): Promise<Opened> {
  const said: string[] = [];
  const log = (_: unknown, message: string): void => void said.push(message);
  const store = await openEmbeddedStore({ directory, readModel, readEngine: 'disk', fsync: false, log });
  await store.tables.adopt(accounts);
  return { store, said };
}

const events = 800;
const whole = freshFolder();
const killed = freshFolder();
const first = await opened(whole, 'worker');
for (let n = 0; n < events; n += 1)
  await first.store.turns.exclusively((turn) => deposit(turn, { to: `A-${n % 7}`, amount: `${n}.00` }));
// The reader of the file has everything committed. A copy is what a kill leaves.
assert.is(await count(first.store, { compiledFor: accounts, answeredBy: 'copy' }), BigInt(events));
cpSync(whole, killed, { recursive: true, filter: (path) => !/lock\.|\.sock$/.test(path) });
await first.store.close();

function copied(): string {
  const directory = freshFolder();
  cpSync(killed, directory, { recursive: true });
  return directory;
}

/** With one wrong bit in the middle of the file. */
function damaged(): string {
  const directory = copied();
  const path = join(directory, 'read-model.db');
  const bytes = readFileSync(path);
  const place = Math.floor(bytes.length / pageBytes / 2) * pageBytes + 500;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 0x10, place);
  writeFileSync(path, bytes);
  return directory;
}

const checked = 'every page of the read model on disk was checked after an unclean end, and none is damaged';

test('a file that was closed is not checked, and one that was not is', async () => {
  const clean = await opened(whole);
  assert.equal(clean.store.notes(), []);
  await clean.store.close();
  assert.equal(clean.said, []);
  const directory = copied();
  const unclean = await opened(directory);
  await until(() => unclean.said.length > 0);
  assert.equal(unclean.said, [checked]);
  assert.equal(unclean.store.notes(), []);
  await unclean.store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
  await unclean.store.close();
  const again = await opened(directory);
  await again.store.close();
  assert.equal(again.said, []);
});

for (const place of ['inline', 'worker'] as const)
  test(`damage is found without a query, and repaired from the log (${place})`, async () => {
    const { store, said } = await opened(damaged(), place);
    await until(() => said.some((line) => /^the read model on disk is damaged: page \d+ does not have/.test(line)));
    await until(() => store.tables.trouble() === undefined);
    assert.is(await count(store), BigInt(store.turns.position().event));
    await store.close();
  });

test('damage that a reader finds while the file is written is repaired too', async () => {
  const directory = damaged();
  const { store, said } = await opened(directory, 'worker');
  // This query or the check may come first. While the check has the tables replaced a query is asked again, as by a server.
  await until(async () => {
    try {
      const counted = await count(store, { compiledFor: accounts, answeredBy: 'copy' });
      assert.is(counted, BigInt(store.turns.position().event));
      return true;
    } catch (error) {
      if (error instanceof Overtaken) return false;
      throw error;
    }
  });
  assert.ok(
    said.some((line) => line.includes('does not have its checksum')),
    said.join('\n'),
  );
  await store.close();
});

test('a store that closes ends its check', async () => {
  const { store } = await opened(damaged());
  await store.close();
});

test.run();
