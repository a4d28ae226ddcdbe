/**
 * Fills a data directory from an export, completely or not at all: the import stays in its own folder until it is
 * complete and intact. Segments are then moved from the last to the first, because a log without its first segment does
 * not count as one.
 */
import { link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../language/failure/failure.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { openEmbeddedStore } from './embedded-store.ts';
import { manifestName } from '../log/manifest.ts';
import { segmentFirstEntry } from '../log/segment.ts';
import { snapshotNames } from '../snapshot-name.ts';
import type { Store } from '../store.ts';
import type { StorePosition } from '../turns/turn.ts';
import { importStore } from '../transfer/import-store.ts';

const unfinished = 'importing';

/**
 * `directory` is absolute and is created when it is missing. `finish` gets the store before it is in place. Throws a `Failure` R0407 when it contains a log, or the
 * export is incomplete or damaged.
 */
export async function importDirectory(
  lines: AsyncIterable<string>,
  directory: string,
  finish: (store: Store) => Promise<void>,
): Promise<StorePosition> {
  makeFolder(directory, 0o700);
  const notEmpty = 'the store to import into is not empty';
  if ((await segments(directory)).length > 0) throw fail('R0407', { line: 1, problem: notEmpty });
  const rest = (await readdir(directory)).find((name) => name === manifestName || snapshotNames([name]).length > 0);
  if (rest !== undefined) throw fail('R0407', { line: 1, problem: `${notEmpty}: ${rest} is of a log that is gone` });
  const aside = join(directory, unfinished);
  // Left by an import that was killed.
  await rm(aside, { recursive: true, force: true });
  try {
    const store = await importStore(lines, (secret) =>
      openEmbeddedStore({ directory: aside, readModel: 'inline', secret }),
    );
    await finish(store);
    const position = store.turns.position();
    await store.close();
    for (const name of [...(await segments(aside))].reverse()) await link(join(aside, name), join(directory, name));
    await nodeDisk.syncDirectory(directory);
    // Last, because it says that all segments are there.
    await link(join(aside, manifestName), join(directory, manifestName));
    return position;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function segments(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => segmentFirstEntry(name) !== undefined).sort();
}
