/** A database with its bookkeeping, and the effects of entries on it. */
import { crc32 } from 'node:zlib';
import type { LogEntry } from '../../entry.ts';
import { decodeLine } from '../../line.ts';
import { foreignFormat } from './image-fitness.ts';
import type { CommandHash } from '../../turns/command-index.ts';
import { createBookkeeping, readModelFormat, type Bookkeeping } from './bookkeeping.ts';
import { createEventWriter, type EventWriter } from './event-writer.ts';
import { createFoldTables, type FoldTables } from './fold-tables.ts';
import type { Loaded, SnapshotImage, StoredLedger } from './messages.ts';
import { createQueryRunner, type QueryRunner } from './query-runner.ts';
import { quoted, type Database, type DatabasePlace, type Engine } from './engine.ts';
import { eventTable } from './tables.ts';

export interface Model {
  readonly database: Database;
  readonly kept: Bookkeeping;
  readonly queries: QueryRunner;
  writer: EventWriter;
  folds: FoldTables;
}

/**
 * The model that is there, or an empty one. Throws when it is not a read model, has another format, or was written by
 * another version of the engine, whose functions and plans may differ.
 */
export function openModel(engine: Engine, place?: DatabasePlace): Model {
  const database = engine(place);
  try {
    return modelOf(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function modelOf(database: Database): Model {
  database.begin();
  if (isEmpty(database)) database.run(`PRAGMA user_version = ${readModelFormat}`);
  const foreign = foreignFormat(database.rows('PRAGMA user_version')[0]?.[0]);
  if (foreign !== undefined) throw new Error(foreign);
  const kept = createBookkeeping(database);
  const version = String(database.rows('SELECT sqlite_version()')[0]?.[0]);
  const writer = kept.engine();
  if (writer === undefined) kept.recordEngine(version);
  else if (writer !== version) throw new Error(`SQLite ${writer} wrote it, and this is ${version}`);
  database.commit();
  return {
    database,
    kept,
    queries: createQueryRunner(database, () => kept.definition()),
    writer: createModelWriter(database, kept),
    folds: createFoldTables(database, kept.definition()),
  };
}

function isEmpty(database: Database): boolean {
  return database.rows('SELECT 1 FROM sqlite_schema LIMIT 1').length === 0;
}

export function createModelWriter(database: Database, kept: Bookkeeping): EventWriter {
  const aggregates = kept.definition()?.aggregates ?? [];
  return createEventWriter(database, aggregates, (table) => table, kept, { ignoreOthers: false });
}

/**
 * Applies lines that follow those of the model. Inside a transaction of the caller. Without `hash` command ids are not kept: files of the
 * ledger have them.
 */
export function applyLines(
  { kept, writer, folds }: Model,
  hash: CommandHash | undefined,
  lines: readonly string[],
): void {
  let { entry: number, event, at, checksum } = kept.reached();
  const before = event;
  const touched = new Set<string>();
  for (const line of lines) {
    const entry = decodeLine(line);
    number += 1;
    if (entry.number !== number) throw new Error(`entry ${entry.number} came where ${number} belongs`);
    at = entry.at;
    take(kept, writer, hash, entry, line);
    if (entry.kind !== 'command') continue;
    event = entry.events.at(-1)?.position ?? event;
    for (const { streamType } of entry.events) touched.add(streamType);
  }
  writer.flush();
  folds.merge(before, touched);
  kept.saveKinds();
  checksum = crc32(lines.at(-1) ?? '');
  kept.setReached({ entry: number, event, at, checksum });
}

function take(
  kept: Bookkeeping,
  writer: EventWriter,
  hash: CommandHash | undefined,
  entry: LogEntry,
  line: string,
): void {
  switch (entry.kind) {
    case 'command':
      if (entry.commandId !== undefined && hash !== undefined) {
        kept.addCommand(entry.number, hash(entry.streamType, entry.streamId, entry.commandId));
      }
      for (const { streamType, type, version } of entry.events) {
        kept.addEvent(streamType, type, version);
      }
      writer.write(entry);
      return;
    case 'schema':
      kept.addSchema(entry.number, line);
      return;
    case 'inspection':
      kept.addInspection([entry.name, entry.inspected, entry.input, entry.fullSql]);
      return;
  }
}

export function loadedState({ database, kept }: Model): Loaded {
  const { entry, checksum } = kept.reached();
  return {
    entry,
    checksum,
    bytes: database.bytes(),
    hasDefinition: kept.definition() !== undefined,
    unreadable: kept.unreadable(),
  };
}

export function storedLedger({ database, kept }: Model): StoredLedger {
  const { entry, event, at } = kept.reached();
  const complete = kept.hiddenStreamTypes().length === 0 && (kept.definition() !== undefined || event === 0);
  const heads = (kept.definition()?.aggregates ?? []).map(({ aggregate }) => {
    const rows = database.rows(`SELECT stream_id, MAX(seq) FROM ${quoted(eventTable(aggregate))} GROUP BY stream_id`);
    return [aggregate, rows.map((row) => String(row[0])), rows.map((row) => Number(row[1]))] as const;
  });
  return { entry, event, at, complete, heads, ...kept.commands(), kinds: kept.kinds(), schema: kept.schema() };
}

/** An image of the model, which the ordinary `sqlite3` shell can open. */
export function takeSnapshot({ database, kept }: Model): SnapshotImage {
  const image = database.image();
  return { entry: kept.reached().entry, image, checksum: crc32(image), definition: kept.definition() };
}
