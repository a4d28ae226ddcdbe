/**
 * Fills an empty log in a database from an export, completely or not at all: the import has a namespace of its own until it is complete and
 * sound, and its tables then take the place of the empty ones in one transaction.
 */
import { fail } from '../../../language/failure/failure.ts';
import { JournalFailure } from '../journal.ts';
import type { Store, StorePosition } from '../store.ts';
import { importStore } from '../transfer/import-store.ts';
import type { Connection } from './connection.ts';
import type { DatabaseLog } from './database-log.ts';
import { createLink } from './link.ts';
import { tableNames } from './migrations.ts';
import { checkNamespace, defaultNamespace, importNamespace } from './namespace.ts';
import { openPostgresStore } from './postgres-store.ts';
import { readTarget } from './target.ts';

/** `finish` gets the store before it is in place. Throws a `Failure`: R0407 when the log is not empty, or the export is incomplete or damaged; R0420 when the database cannot be used. */
export async function importDatabase(
  lines: AsyncIterable<string>,
  log: DatabaseLog,
  finish: (store: Store) => Promise<void>,
): Promise<StorePosition> {
  const namespace = checkNamespace(log.namespace ?? defaultNamespace);
  const aside = importNamespace(namespace);
  const target = readTarget(log.url, 'durable.url');
  const link = createLink({ target, milliseconds: 600_000, monotonic: () => performance.now() });
  const place = `${target.shown}, namespace ${namespace}`;
  const run = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      return await link.use(work);
    } catch (error) {
      throw error instanceof JournalFailure ? fail('R0420', { place, problem: error.reason }) : error;
    }
  };
  const dropAside = (): Promise<unknown> =>
    run((connection) => connection.query(`DROP SCHEMA IF EXISTS "${aside}" CASCADE`));
  try {
    await run((connection) => refuseEntries(connection, namespace));
    // Left by an import that was killed.
    await dropAside();
    try {
      const store = await importStore(lines, (secret) =>
        openPostgresStore({ url: log.url, namespace: aside, secret, readModel: 'inline', imports: true }),
      );
      await finish(store);
      const position = store.knownPosition();
      await store.close();
      await run((connection) => takePlace(connection, aside, namespace));
      return position;
    } finally {
      await dropAside();
    }
  } finally {
    await link.close();
  }
}

/** Locks the end of a log that exists, so that nothing is appended in the same transaction. */
async function refuseEntries(connection: Connection, namespace: string): Promise<boolean> {
  const { rows: found } = await connection.query(`SELECT to_regclass('"${namespace}".head')`);
  if ((found[0]?.[0] ?? null) === null) return false;
  const { rows } = await connection.query(`SELECT entry FROM "${namespace}".head FOR UPDATE`);
  if (Number(rows[0]?.[0] ?? 0) > 0) throw fail('R0407', { line: 1, problem: 'the store to import into is not empty' });
  return true;
}

async function takePlace(connection: Connection, aside: string, namespace: string): Promise<void> {
  await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 10000');
  try {
    const { rows } = await connection.query(`SELECT to_regnamespace('"${namespace}"')`);
    if ((rows[0]?.[0] ?? null) === null) await connection.query(`CREATE SCHEMA "${namespace}"`);
    if (await refuseEntries(connection, namespace))
      for (const table of tableNames) await connection.query(`DROP TABLE "${namespace}"."${table}"`);
    for (const table of tableNames)
      await connection.query(`ALTER TABLE "${aside}"."${table}" SET SCHEMA "${namespace}"`);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined); // the first error says why
    throw error;
  }
}
