/**
 * Compares the file of a read model with the log: computes its tables again, for the entry and the definition that it names, in a second
 * file, and compares them row by row. This finds a value that is wrong and has a right checksum, which no other check does.
 */
import { crc32 } from 'node:zlib';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { Clock, Disk } from '../disk.ts';
import { nodeFileSystem } from '../disk/node-file-system.ts';
import { readModelFormat, type Reached } from './core/bookkeeping.ts';
import { quoted, type Cell, type Database, type Engine } from './core/engine.ts';
import { loadSqlite } from './core/sqlite.ts';
import { createModelFiles, defaultCacheBytes } from './files/model-file.ts';
import type { ReadModelLog } from '../journal/entries.ts';
import { writeModelFile } from './write-model-file.ts';

export type ModelFileFinding =
  | { readonly finding: 'table'; readonly table: string; readonly rows: number }
  /** The next start drops the file and builds it again. */
  | { readonly finding: 'stale'; readonly problem: string }
  | { readonly finding: 'damage'; readonly problem: string };

export interface VerifyModelFileOptions {
  /** Absolute path of the file; its directory is owned by this process. */
  readonly path: string;
  /** Absolute; nothing is there. The tables that are computed again, removed at the end. */
  readonly scratch: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: ReadModelLog;
}

/** Takes the memory of two page caches, and as much disk as the file has. */
export async function* verifyModelFile(
  options: VerifyModelFileOptions,
): AsyncGenerator<ModelFileFinding, void, undefined> {
  const { path, scratch, disk, clock, log } = options;
  const engine = await loadSqlite();
  let file: Database | undefined;
  try {
    file = opened(engine, path);
    const stored = await storedState(file, log);
    if ('stale' in stored) {
      yield { finding: 'stale', problem: stored.stale };
      return;
    }
    const { definition, reached } = stored;
    const upTo = (): number => reached.entry;
    await writeModelFile({
      path: scratch,
      disk,
      clock,
      definition,
      log: { ...log, end: upTo, fresh: () => Promise.resolve(reached.entry) },
    });
    const computed = opened(engine, scratch);
    try {
      for (const table of tablesOf(computed)) yield compared(file, computed, table);
    } finally {
      computed.close();
    }
  } catch (error) {
    yield { finding: 'damage', problem: error instanceof Error ? error.message : String(error) };
  } finally {
    file?.close();
    nodeFileSystem.remove(scratch);
  }
}

function opened(engine: Engine, path: string): Database {
  const { written } = createModelFiles(path, defaultCacheBytes);
  return engine({ in: 'file', file: { ...written, patience: 0, files: nodeFileSystem } });
}

interface Stored {
  readonly definition: ReadModelDefinition;
  readonly reached: Reached;
}

/** State that the file records, if it is of this version and of this log. */
async function storedState(file: Database, log: ReadModelLog): Promise<Stored | { readonly stale: string }> {
  if (file.rows('PRAGMA user_version')[0]?.[0] !== BigInt(readModelFormat))
    return { stale: 'it is of another version, and is built again at the next start' };
  const value = (key: string): string | undefined => {
    const cell = file.rows('SELECT value FROM k$store WHERE key = ?', [key])[0]?.[0];
    return typeof cell === 'string' ? cell : undefined;
  };
  const [reached, definition] = [value('reached'), value(value('definition at') ?? 'definition')];
  if (reached === undefined || definition === undefined)
    return { stale: 'it has no entry yet, and is built at the next start' };
  const known = JSON.parse(reached) as Reached; // written by `bookkeeping.ts`
  const another = `it shows entry ${known.entry} of another log, and is built again at the next start`;
  if (known.entry > log.end()) return { stale: another };
  for await (const [line = ''] of log.read(known.entry, known.entry))
    if (crc32(line) !== known.checksum) return { stale: another };
  return { definition: JSON.parse(definition) as ReadModelDefinition, reached: known };
}

/** All but those that say how the tables came to be. */
function tablesOf(database: Database): readonly string[] {
  const own = new Set(['k$store', 'k$hidden']);
  return database
    .rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    .map(([name]) => String(name))
    .filter((name) => !own.has(name));
}

function compared(file: Database, computed: Database, table: string): ModelFileFinding {
  const columns = computed.rows(`SELECT name, pk FROM pragma_table_info(?)`, [table]);
  const names = columns.map(([name]) => quoted(String(name)));
  const key = columns.filter(([, place]) => place !== 0n).sort((a, b) => Number(a[1]) - Number(b[1]));
  const order = key.length === 0 ? names : key.map(([name]) => quoted(String(name)));
  const sql = `SELECT ${names.join(', ')} FROM ${quoted(table)} ORDER BY ${order.join(', ')}`;
  const damage = (problem: string): ModelFileFinding => ({ finding: 'damage', problem: `${table}: ${problem}` });
  if (!tablesOf(file).includes(table)) return damage('the table is missing');
  const [given, wanted] = [file.prepare(sql), computed.prepare(sql)];
  try {
    given.bind([]);
    wanted.bind([]);
    for (let rows = 0; ; rows += 1) {
      const [hasGiven, hasWanted] = [given.step(), wanted.step()];
      if (!hasGiven && !hasWanted) return { finding: 'table', table, rows };
      if (!hasWanted) return damage(`it has more than the ${rows} rows of the log`);
      if (!hasGiven) return damage(`it has ${rows} rows, and the log gives more`);
      const [one, other] = [given.row(), wanted.row()];
      const wrong = other.findIndex((cell, at) => !isSame(cell, one[at] ?? null));
      if (wrong < 0) continue;
      const place = key.map(([name]) => `${String(name)} ${shown(other[names.indexOf(quoted(String(name)))])}`);
      const where = place.length === 0 ? `row ${rows + 1}` : `the row with ${place.join(', ')}`;
      return damage(`${where} has another ${String(columns[wrong]?.[0])} than the log gives`);
    }
  } finally {
    given.free();
    wanted.free();
  }
}

function isSame(one: Cell, other: Cell): boolean {
  if (one instanceof Uint8Array) return other instanceof Uint8Array && Buffer.from(one).equals(other);
  return Object.is(one, other);
}

function shown(cell: Cell | undefined): string {
  return typeof cell === 'string' ? `'${cell}'` : String(cell);
}
