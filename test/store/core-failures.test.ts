/** Messages of the read model when its file cannot be written in the middle of an order that has no answer of its own. */
import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryJournal } from '../../runtime/store/journal/memory-journal.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { systemRandom } from '../../runtime/store/disk/node-disk.ts';
import { createCore } from '../../runtime/store/tables/thread/core.ts';
import { notOurs } from '../../runtime/store/tables/files/database-file.ts';
import { pageBytes } from '../../runtime/store/tables/files/page-check.ts';
import { createModelFiles } from '../../runtime/store/tables/files/model-file.ts';
import type { Reply, Request } from '../../runtime/store/tables/core/messages.ts';
import { accounts, collect, command } from '../contract/accounts.ts';
import { freshFolder } from './fresh-folder.ts';

const secret = '0'.repeat(64);

/** Lines of that many entries, each of which takes several pages. */
async function linesOf(entries: number): Promise<readonly string[]> {
  const journal = createMemoryJournal(secret);
  const store = await openMemoryStore({ shared: journal });
  const owner = 'x'.repeat(20_000);
  for (let entry = 1; entry <= entries; entry += 1)
    await store.turns.exclusively(async (turn) =>
      turn.append(await command(turn, 'Open', `A-${entry}`, [['Opened', { owner }]]), 1_700_000_000_000_000n),
    );
  const lines = (await collect(journal.read(1, entries))).flat();
  await store.close();
  return lines;
}

test('a file that is another process’s by the time when entries ahead are taken back is said once, as such', async () => {
  const folder = freshFolder();
  const lock = join(folder, 'lock');
  mkdirSync(lock);
  const { dev: device, ino: inode } = lstatSync(lock);
  // A cache of a few pages, so that the entries ahead are partly in the file.
  const { written } = createModelFiles(join(folder, 'read-model.db'), 8 * pageBytes, { path: lock, device, inode });
  const replies: Reply[] = [];
  const reply = (one: Reply): void => void replies.push(one);
  const core = await createCore({ secret, file: written, random: systemRandom, reply, begun: () => () => false });
  const tell = (...requests: readonly Request[]): void => {
    for (const request of requests) core.handle(request);
  };
  tell({ do: 'prepare', id: 1, definition: accounts });
  tell(
    { do: 'fold', id: 2 },
    { do: 'fold', id: 3 },
    { do: 'fold', id: 4 },
    { do: 'swap', id: 5 },
    { do: 'settle', id: 6 },
  );
  const lines = await linesOf(10);
  tell({ do: 'apply-ahead', lines });
  renameSync(lock, `${lock}-of-another`);
  await pause(60); // the owner is not looked for at each write
  replies.length = 0;
  tell({ do: 'forget' }, { do: 'apply-ahead', lines }, { do: 'confirm' }, { do: 'forget' });
  assert.equal(replies, [{ reply: 'broken', message: notOurs, unwritable: true, damaged: false }]);
  core.close();
});

test.run();
