import { join } from 'node:path';
import { fail } from '../../language/failure/failure.ts';
import { nodeDisk } from '../../runtime/store/disk/node-disk.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { segmentFirstEntry } from '../../runtime/store/log/segment.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import type { PostgresChoice, StoreChoice } from './choose-store.ts';
import type { ServerOptions } from './run-server.ts';

/** Opens the chosen store of a server. The code for a database is loaded only where one is chosen. */
export function openStore({
  store: choice,
  log,
  acceptLoss,
  waitSeconds,
  readOnly = false,
}: Pick<ServerOptions, 'store' | 'log' | 'acceptLoss' | 'waitSeconds'> &
  Partial<Pick<ServerOptions, 'readOnly'>>): Promise<Store> {
  const remark = (level: 'info' | 'warn' | 'error', message: string): void => {
    log[level]({}, message);
  };
  const shared = { log: remark, ...(choice.maxBytes !== undefined && { maxBytes: choice.maxBytes }) };
  if (choice.kind !== 'embedded' && (choice.readEngine ?? 'memory') !== 'memory')
    remark(
      'warn',
      `read.engine has no effect: only the embedded store keeps its read model on disk, this one is ${choice.kind}`,
    );
  switch (choice.kind) {
    case 'memory':
      return openMemoryStore({ ...shared, readModel: 'worker' });
    case 'embedded':
      return openEmbeddedStore({
        ...shared,
        directory: choice.directory,
        fsync: choice.fsync,
        ...(choice.rolloverBytes !== undefined && { rolloverBytes: choice.rolloverBytes }),
        ...(choice.readEngine !== undefined && { readEngine: choice.readEngine }),
        ...(choice.cacheBytes !== undefined && { cacheBytes: choice.cacheBytes }),
        ...(acceptLoss !== undefined && { acceptLoss }),
      });
    case 'postgres':
      return withDirectory(choice, async () => {
        const { openPostgresStore } = await import('../../runtime/store/postgres/postgres-store.ts');
        const { url, listenUrl, namespace, pollMilliseconds } = choice;
        return openPostgresStore({
          ...shared,
          url,
          readOnly,
          ...(listenUrl !== undefined && { listenUrl }),
          ...(namespace !== undefined && { namespace }),
          ...(pollMilliseconds !== undefined && { pollMilliseconds }),
          ...(waitSeconds !== undefined && { waitMilliseconds: waitSeconds * 1000 }),
        });
      });
  }
}

/** The data directory of a server on a database belongs to this process, and has no log of its own. */
async function withDirectory({ directory }: PostgresChoice, open: () => Promise<Store>): Promise<Store> {
  if (directory === undefined) return open();
  await nodeDisk.makeDirectory(directory);
  const lock = await nodeDisk.lock(directory);
  try {
    const segment = (await nodeDisk.list(directory)).find((name) => segmentFirstEntry(name) !== undefined);
    if (segment !== undefined)
      throw fail('R0408', {
        directory,
        problem: `it has a log of its own (${segment}), and this server's log is in PostgreSQL; name another directory, or move the log with 'schemac log export' and 'log import'`,
      });
    const store = await open();
    return {
      ...store,
      close: async () => {
        try {
          await store.close();
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The folder for modules of posted blocks; undefined for a store without a directory. */
export function modulesFolder({ directory }: StoreChoice): string | undefined {
  return directory === undefined ? undefined : join(directory, 'modules');
}
