import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../../language/failure/failure.ts';
import type { FileMark } from '../../runtime/store/disk.ts';
import { nodeDisk } from '../../runtime/store/disk/node-disk.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { segmentFirstEntry } from '../../runtime/store/log/segment.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import type { PostgresChoice, StoreChoice } from './choose-store.ts';
import type { ServerOptions } from './run-server.ts';
import { takeTemporaryFolder } from './temporary-folder.ts';

/** Opens the chosen store of a server; R0501 for settings that do not fit each other. The code for a database is loaded only where one is chosen. */
export async function openStore({
  store: choice,
  log,
  acceptLoss,
  waitSeconds,
  readOnly = false,
  version,
  starting,
}: Pick<ServerOptions, 'store' | 'log' | 'acceptLoss' | 'waitSeconds' | 'version' | 'starting'> &
  Partial<Pick<ServerOptions, 'readOnly'>>): Promise<Store> {
  const remark = (level: 'info' | 'warn' | 'error', message: string): void => {
    log[level]({}, message);
  };
  const opening = starting !== undefined && { opening: starting };
  const shared = { log: remark, ...(choice.maxBytes !== undefined && { maxBytes: choice.maxBytes }) };
  const { readEngine = 'memory', cacheBytes } = choice;
  if (choice.kind === 'memory' && readEngine !== 'memory')
    remark('warn', 'read.engine has no effect: this store is in memory, and so is its read model');
  if (choice.kind === 'postgres' && readEngine === 'auto')
    remark('warn', "read.engine 'auto' is 'memory' where the log is in PostgreSQL: its size is not asked for");
  switch (choice.kind) {
    case 'memory':
      return openMemoryStore({ ...shared, readModel: 'worker' });
    case 'embedded':
      return openEmbeddedStore({
        ...shared,
        ...opening,
        directory: choice.directory,
        fsync: choice.fsync,
        ...(choice.rolloverBytes !== undefined && { rolloverBytes: choice.rolloverBytes }),
        readEngine,
        ...(cacheBytes !== undefined && { cacheBytes }),
        ...(acceptLoss !== undefined && { acceptLoss }),
      });
    case 'postgres':
      return withDirectory(choice, readEngine === 'disk', async (owned) => {
        const { openPostgresStore } = await import('../../runtime/store/postgres/postgres-store.ts');
        const { url, listenUrl, namespace, pollMilliseconds } = choice;
        const store = await openPostgresStore({
          ...shared,
          ...opening,
          url,
          readOnly,
          product: version,
          ...(listenUrl !== undefined && { listenUrl }),
          ...(namespace !== undefined && { namespace }),
          ...(pollMilliseconds !== undefined && { pollMilliseconds }),
          ...(owned?.isTemporary === false && { directory: owned.directory }),
          ...(acceptLoss !== undefined && { acceptLoss }),
          ...(waitSeconds !== undefined && { waitMilliseconds: waitSeconds * 1000 }),
          ...(readEngine === 'disk' &&
            owned !== undefined && { tables: { ...owned, ...(cacheBytes !== undefined && { cacheBytes }) } }),
        });
        if (owned?.isTemporary !== false)
          remark(
            'info',
            'without --data this server forgets how far it has read the log: entries that the database loses while it is stopped are not missed at its next start',
          );
        return store;
      });
  }
}

/** A directory of this process alone. */
interface Owned {
  readonly directory: string;
  readonly owner?: FileMark;
  /** True if it ends with the process, so it remembers nothing. */
  readonly isTemporary: boolean;
}

/** The data directory of a server on a database belongs to this process, and has no log of its own. Without one, tables on disk get a temporary folder. */
async function withDirectory(
  { directory }: PostgresChoice,
  needsFolder: boolean,
  open: (owned?: Owned) => Promise<Store>,
): Promise<Store> {
  if (directory === undefined) return needsFolder ? inTemporaryFolder(open) : open();
  await nodeDisk.makeDirectory(directory);
  const lock = await nodeDisk.lock(directory);
  return openUntilClosed(lock.release, async () => {
    const segment = (await nodeDisk.list(directory)).find((name) => segmentFirstEntry(name) !== undefined);
    if (segment !== undefined)
      throw fail('R0408', {
        directory,
        problem: `it has a log of its own (${segment}), and this server's log is in PostgreSQL; name another directory, or move the log with 'schemac log export' and 'log import'`,
      });
    return open({ directory, isTemporary: false, ...(lock.mark !== undefined && { owner: lock.mark }) });
  });
}

async function inTemporaryFolder(open: (owned: Owned) => Promise<Store>): Promise<Store> {
  const { directory, lock, remove } = await takeTemporaryFolder(tmpdir());
  return openUntilClosed(remove, () =>
    open({ directory, isTemporary: true, ...(lock.mark !== undefined && { owner: lock.mark }) }),
  );
}

/** Resources of the store are released when it is closed, and when it cannot be opened. */
async function openUntilClosed(release: () => Promise<void>, open: () => Promise<Store>): Promise<Store> {
  try {
    const store = await open();
    return {
      ...store,
      close: async () => {
        try {
          await store.close();
        } finally {
          await release();
        }
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The folder for modules of posted blocks; undefined for a store without a directory. */
export function modulesFolder({ directory }: StoreChoice): string | undefined {
  return directory === undefined ? undefined : join(directory, 'modules');
}
