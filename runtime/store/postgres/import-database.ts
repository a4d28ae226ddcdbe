/**
 * Fills an empty log in a database from an export, completely or not at all: the import has a namespace of its own until it is complete and
 * sound, and its tables then take the place of the empty ones in one transaction. An interrupted import can be continued or given up.
 */
import { fail, Failure } from '../../../language/failure/failure.ts';
import { JournalFailure } from '../journal.ts';
import type { Store } from '../store.ts';
import type { StorePosition } from '../turns/turn.ts';
import { importStore } from '../transfer/import-store.ts';
import type { Connection } from './connection.ts';
import type { DatabaseLog } from './database-log.ts';
import { createLink } from './link.ts';
import { tableNames } from './migrations.ts';
import { checkNamespace, defaultNamespace, importNamespace } from './namespace.ts';
import { openPostgresStore } from './postgres-store.ts';
import { readTarget } from './target.ts';

export interface ImportOptions {
  /** The version of this product, which the entries name. */
  readonly product: string;
  /** Gets the store before it is in place. */
  readonly finish: (store: Store) => Promise<void>;
}

/**
 * Continues an interrupted import of the same export. Throws a `Failure`: R0407 when the log is not empty, or the export is incomplete or
 * damaged, of which nothing is left then; R0420 when the database cannot be used, or has an import of another export, or one that is
 * running.
 */
export async function importDatabase(
  lines: AsyncIterable<string>,
  log: DatabaseLog,
  { product, finish }: ImportOptions,
): Promise<StorePosition> {
  return aside(log, async ({ namespace, importing, place, run }) => {
    await run((connection) => refuseEntries(connection, namespace));
    const refused = (problem: string): Error => fail('R0420', { place, problem });
    try {
      const open = async (secret: string): Promise<Store> => {
        const store = await openPostgresStore({
          url: log.url,
          namespace: importing,
          secret,
          product,
          readModel: 'inline',
          imports: true,
        });
        const isAlone = await run((connection) => claim(connection, importing));
        if (isAlone) return store;
        await store.close();
        throw refused('another import into it is running');
      };
      const store = await importStore(lines, open, () =>
        refused("an interrupted import into it was of another export: 'schemac log import --discard' gives it up"),
      );
      await finish(store);
      const position = store.turns.position();
      await store.close();
      await run((connection) => takePlace(connection, importing, namespace));
      await run((connection) => drop(connection, importing));
      return position;
    } catch (error) {
      // Only a part that can be continued stays.
      if (error instanceof Failure && error.code === 'R0407') await run((connection) => drop(connection, importing));
      throw error;
    }
  });
}

/** Gives up an import that was interrupted; false if there is none. Throws R0420 when the database cannot be used, or the import is running. */
export async function discardImport(log: DatabaseLog): Promise<boolean> {
  return aside(log, ({ importing, place, run }) =>
    run(async (connection) => {
      const { rows } = await connection.query(`SELECT to_regnamespace('"${importing}"')`);
      if ((rows[0]?.[0] ?? null) === null) return false;
      const { rows: tables } = await connection.query(`SELECT to_regclass('"${importing}".side_value')`);
      const isMade = (tables[0]?.[0] ?? null) !== null;
      if (isMade && !(await claim(connection, importing)))
        throw fail('R0420', { place, problem: 'the import into it is running' });
      await drop(connection, importing);
      return true;
    }),
  );
}

interface Aside {
  readonly namespace: string;
  /** The namespace of the import until it is complete. */
  readonly importing: string;
  readonly place: string;
  readonly run: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
}

async function aside<T>(log: DatabaseLog, work: (parts: Aside) => Promise<T>): Promise<T> {
  const namespace = checkNamespace(log.namespace ?? defaultNamespace);
  const target = readTarget(log.url, 'durable.url');
  const link = createLink({ target, milliseconds: 600_000, monotonic: () => performance.now() });
  const place = `${target.shown}, namespace ${namespace}`;
  const run: Aside['run'] = async (step) => {
    try {
      return await link.use(step);
    } catch (error) {
      throw error instanceof JournalFailure ? fail('R0420', { place, problem: error.reason }) : error;
    }
  };
  try {
    return await work({ namespace, importing: importNamespace(namespace), place, run });
  } finally {
    await link.close();
  }
}

/**
 * Locks a row for as long as this connection lasts, or until it drops the import, so that two imports never fill the same tables; false if another
 * one has it.
 */
async function claim(connection: Connection, importing: string): Promise<boolean> {
  const values = `"${importing}".side_value`;
  await connection.query(
    `INSERT INTO ${values} (name, version, value) VALUES ('import', '', '') ON CONFLICT (name) DO NOTHING`,
  );
  await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 0');
  const { rows } = await connection.query(`SELECT 1 FROM ${values} WHERE name = 'import' FOR UPDATE SKIP LOCKED`);
  if (rows.length === 0) await connection.query('ROLLBACK');
  return rows.length > 0;
}

/** Ends the transaction of a claim first, if there is one. */
async function drop(connection: Connection, importing: string): Promise<void> {
  await connection.query('ROLLBACK');
  await connection.query(`DROP SCHEMA IF EXISTS "${importing}" CASCADE`);
}

/** Locks the end of a log that exists, so that nothing is appended in the same transaction. */
async function refuseEntries(connection: Connection, namespace: string): Promise<boolean> {
  const { rows: found } = await connection.query(`SELECT to_regclass('"${namespace}".head')`);
  if ((found[0]?.[0] ?? null) === null) return false;
  const { rows } = await connection.query(`SELECT entry FROM "${namespace}".head FOR UPDATE`);
  if (Number(rows[0]?.[0] ?? 0) > 0) throw fail('R0407', { line: 1, problem: 'the store to import into is not empty' });
  return true;
}

async function takePlace(connection: Connection, importing: string, namespace: string): Promise<void> {
  await connection.query('ROLLBACK'); // the claim is over
  await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 10000');
  try {
    const { rows } = await connection.query(`SELECT to_regnamespace('"${namespace}"')`);
    if ((rows[0]?.[0] ?? null) === null) await connection.query(`CREATE SCHEMA "${namespace}"`);
    if (await refuseEntries(connection, namespace))
      for (const table of tableNames) await connection.query(`DROP TABLE "${namespace}"."${table}"`);
    for (const table of tableNames)
      await connection.query(`ALTER TABLE "${importing}"."${table}" SET SCHEMA "${namespace}"`);
    await connection.query(`DELETE FROM "${namespace}".side_value WHERE name = 'import'`);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined); // the first error says why
    throw error;
  }
}
