/**
 * Makes the tables of a log, and brings those of an earlier version up to date: in steps, each in one transaction, so that several servers can
 * start at once and a step that was cut off is done again.
 */
import { fail } from '../../../language/failure/failure.ts';
import { logFormat } from '../log/segment.ts';
import type { Connection } from './connection.ts';
import { DatabaseFailure } from './failure.ts';
import { lineOfVersion } from './product.ts';

/** The form of the tables; that of the lines in them has its own number. */
export const tableFormat = 2;

/** All tables of a log. */
export const tableNames = ['entry', 'event', 'head', 'secret', 'side_value', 'side_page'] as const;

/** The steps to each format, from the one before. */
const steps: readonly ((namespace: string, store: NewStore) => readonly string[])[] = [firstTables, addProducts];

/** The identity of a store that does not exist yet: hex, so that it can be part of a text. */
export interface NewStore {
  readonly id: string;
  readonly secret: string;
}

export interface FoundStore extends NewStore {
  readonly entry: number;
  /** The form of its tables; older than `tableFormat` only for a reader. */
  readonly format: number;
}

/** Attempts, each of which another server or a report can be in the way of. */
const attempts = 50;
/** A step that waits for a report keeps all servers from appending meanwhile. */
const [lockMilliseconds, pauseMilliseconds] = [300, 200];

export interface OpenedBy {
  /** Absent for a reader. */
  readonly created: NewStore | 'no new store';
  /** The version of this product, if it will append. */
  readonly product: string | undefined;
}

/**
 * Throws R0406 for a newer format than these, or entries of a newer product that decides differently; R0420 when the role may not make the
 * tables, or a reader finds none.
 */
export async function openTables(
  connection: Connection,
  namespace: string,
  { created, product }: OpenedBy,
  shown: string,
): Promise<FoundStore> {
  for (let attempt = 1; ; attempt += 1) {
    const format = await formatOf(connection, namespace);
    if (created === 'no new store' && format === undefined)
      throw fail('R0420', { place: `${shown}, namespace ${namespace}`, problem: 'there is none' });
    if (format !== undefined) refuseNewer(format, `${shown}, namespace ${namespace},`);
    if (created === 'no new store') return foundStore(connection, namespace, true, format?.tables ?? 0);
    if (format?.tables === tableFormat) {
      if (product !== undefined) await refuseOlderProduct(connection, namespace, product, shown);
      return foundStore(connection, namespace, false, tableFormat);
    }
    try {
      await takeStep(connection, namespace, format?.tables ?? 0, created);
    } catch (error) {
      if (!(error instanceof DatabaseFailure) || attempt === attempts) throw error;
      // Another server makes the same tables.
      if (isRace(error)) continue;
      if (error.state !== lockTimeout) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
  }
}

interface Formats {
  readonly tables: number;
  readonly lines: number;
}

async function formatOf(connection: Connection, namespace: string): Promise<Formats | undefined> {
  const { rows: found } = await connection.query(`SELECT to_regclass('"${namespace}".head')`);
  if ((found[0]?.[0] ?? null) === null) return undefined;
  const { rows } = await connection.query(`SELECT format, line_format FROM "${namespace}".head`);
  const [row] = rows;
  return row === undefined ? undefined : { tables: Number(row[0]), lines: Number(row[1]) };
}

function refuseNewer(format: Formats, file: string): void {
  if (format.tables > tableFormat)
    throw fail('R0406', { file, found: `tables of format ${format.tables}`, known: `format ${tableFormat}` });
  if (format.lines > logFormat)
    throw fail('R0406', { file, found: `entries of format ${format.lines}`, known: `format ${logFormat}` });
}

/** Versions of different lines decide differently, and the older one cannot know how. */
async function refuseOlderProduct(
  connection: Connection,
  namespace: string,
  product: string,
  shown: string,
): Promise<void> {
  const { rows } = await connection.query(`SELECT product_line, product FROM "${namespace}".head`);
  const [line, newest] = rows[0] ?? [];
  if (Number(line) <= lineOfVersion(product)) return;
  const file = `${shown}, namespace ${namespace},`;
  throw fail('R0406', { file, found: `entries of schemac ${newest ?? ''}`, known: `those up to schemac ${product}` });
}

async function foundStore(
  connection: Connection,
  namespace: string,
  isReader: boolean,
  format: number,
): Promise<FoundStore> {
  const { rows } = await connection.query(`SELECT store_id, entry FROM "${namespace}".head`);
  const [id, entry] = rows[0] ?? [];
  const secret = await secretOf(connection, namespace, isReader);
  if (typeof id !== 'string' || typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret))
    throw fail('R0421', { place: `namespace ${namespace}`, entry: 0, problem: 'its table secret has no key' });
  return { id, secret, entry: Number(entry), format };
}

/** Only programs that decide commands need the key; a role that only reads should have no right to it. */
async function secretOf(
  connection: Connection,
  namespace: string,
  isReader: boolean,
): Promise<string | null | undefined> {
  try {
    const { rows } = await connection.query(`SELECT secret FROM "${namespace}".secret`);
    return rows[0]?.[0];
  } catch (error) {
    if (isReader && error instanceof DatabaseFailure && error.state === noRight) return noSecret;
    throw error;
  }
}

/** SQLSTATE insufficient_privilege, lock_not_available. */
const [noRight, lockTimeout] = ['42501', '55P03'];
/** In place of a key that this role may not read. */
export const noSecret = '00'.repeat(32);

async function takeStep(connection: Connection, namespace: string, from: number, created: NewStore): Promise<void> {
  try {
    await connection.query(`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${lockMilliseconds}`);
    if (from === 0) await makeNamespace(connection, namespace);
    // A server that has waited here finds the step taken.
    const isDue = from === 0 || (await lockedFormat(connection, namespace)) === from;
    for (const text of isDue ? (steps[from]?.(namespace, created) ?? []) : []) await connection.query(text);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined); // the first error says why
    throw error;
  }
}

async function lockedFormat(connection: Connection, namespace: string): Promise<number> {
  const { rows } = await connection.query(`SELECT format FROM "${namespace}".head FOR UPDATE`);
  return Number(rows[0]?.[0]);
}

/** `IF NOT EXISTS` alone would ask for the right to create namespaces even where there is one. */
async function makeNamespace(connection: Connection, namespace: string): Promise<void> {
  const { rows } = await connection.query(`SELECT to_regnamespace('"${namespace}"')`);
  if ((rows[0]?.[0] ?? null) === null) await connection.query(`CREATE SCHEMA "${namespace}"`);
}

/** Two servers that make the same thing at once: unique violation in the system's tables, or it exists already. */
function isRace({ state }: DatabaseFailure): boolean {
  return state !== undefined && ['23505', '42P06', '42P07', '42710', '40001', '40P01', 'XX000'].includes(state);
}

function firstTables(namespace: string, { id, secret }: NewStore): readonly string[] {
  const table = (name: string): string => `"${namespace}".${name}`;
  return [
    `CREATE TABLE ${table('entry')} (
      entry bigint PRIMARY KEY,
      recorded_at timestamptz NOT NULL,
      kind text NOT NULL,
      batch text,
      line text NOT NULL,
      first_event bigint NOT NULL,
      events integer NOT NULL,
      size integer NOT NULL,
      checksum bigint NOT NULL
    )`,
    `CREATE UNIQUE INDEX entry_batch ON ${table('entry')} (batch) WHERE batch IS NOT NULL`,
    `CREATE TABLE ${table('event')} (
      global_position bigint PRIMARY KEY,
      entry bigint NOT NULL,
      event_id text NOT NULL,
      stream_type text COLLATE "C" NOT NULL,
      stream_id text COLLATE "C" NOT NULL,
      seq bigint NOT NULL,
      event_type text NOT NULL,
      event_version integer NOT NULL,
      occurred_at timestamptz NOT NULL,
      data json NOT NULL
    )`,
    // The database itself refuses two events at one place of a stream.
    `CREATE UNIQUE INDEX event_stream ON ${table('event')} (stream_type, stream_id, seq)`,
    // The row changes with every batch: free space in its page keeps the changes there.
    `CREATE TABLE ${table('head')} (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      store_id text NOT NULL,
      format integer NOT NULL,
      line_format integer NOT NULL,
      entry bigint NOT NULL,
      batch text NOT NULL,
      event bigint NOT NULL,
      last_event_id text,
      at bigint NOT NULL,
      schema_entries bigint NOT NULL
    ) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500)`,
    // Its own table, so that readers of the others get no right to it.
    `CREATE TABLE ${table('secret')} (one boolean PRIMARY KEY DEFAULT true CHECK (one), secret text NOT NULL)`,
    `CREATE TABLE ${table('side_value')} (name text PRIMARY KEY, version text NOT NULL, value text NOT NULL)`,
    `CREATE TABLE ${table('side_page')} (
      name text NOT NULL,
      generation text NOT NULL,
      page integer NOT NULL,
      rows integer NOT NULL,
      body text NOT NULL,
      PRIMARY KEY (name, generation, page)
    )`,
    `COMMENT ON TABLE ${table('event')} IS 'One row for each event, in the order of global_position; data is the payload as it was recorded. Read it, never change it: entries carry checksums.'`,
    `COMMENT ON TABLE ${table('entry')} IS 'One row for each entry of the log of schemac, in order and without gaps.'`,
    `COMMENT ON TABLE ${table('head')} IS 'The end of the log. Appending changes this row if entry and batch are still as expected.'`,
    `INSERT INTO ${table('head')} (store_id, format, line_format, entry, batch, event, at, schema_entries)
      VALUES ('${id}', 1, ${logFormat}, 0, 'empty ${id}', 0, 0, 0)`,
    `INSERT INTO ${table('secret')} (secret) VALUES ('${secret}')`,
  ];
}

/** Adds the version of the product that has appended last, and the number of the change of the registry that is about to come. */
function addProducts(namespace: string): readonly string[] {
  const table = (name: string): string => `"${namespace}".${name}`;
  return [
    `ALTER TABLE ${table('head')} ADD COLUMN product text, ADD COLUMN product_line integer NOT NULL DEFAULT 0, ADD COLUMN announced bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE ${table('entry')} ADD COLUMN product text`,
    `COMMENT ON COLUMN ${table('entry')}.product IS 'The version of schemac that appended it.'`,
    `UPDATE ${table('head')} SET format = 2`,
  ];
}
