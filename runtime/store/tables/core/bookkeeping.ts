/**
 * The tables of the read model that are not of events: its last entry, its definition, the parts of the log that it does not show, and the
 * state of the ledger. They are called `k$…`; `m$inspections` is here too, since only the log has its rows.
 */
import { createHash } from 'node:crypto';
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { LogEntry, StoredEvent } from '../../entry.ts';
import { decodeLine } from '../../line.ts';
import type { EventKind } from '../../entry.ts';
import { unreadableText, type UnreadableEvent } from '../../unreadable-text.ts';
import type { SchemaLogEntry } from '../../turns/ledger.ts';
import type { Database, Statement } from './engine.ts';

/** Increased whenever tables change their shape or meaning: snapshots of other formats are not loaded. */
export const readModelFormat = 5;

export interface Reached {
  readonly entry: number;
  readonly event: number;
  readonly at: string;
  /** CRC-32 of the line of that entry: an image belongs to a log only when the log has exactly that line there. */
  readonly checksum: number;
}

export interface Bookkeeping {
  readonly reached: () => Reached;
  readonly setReached: (reached: Reached) => void;
  readonly definition: () => ReadModelDefinition | undefined;
  /** Writes it for `setDefinition`, which then has little to do: the text is as long as the registry is large. */
  readonly prepareDefinition: (definition: ReadModelDefinition) => void;
  /** Puts the definition in force that was prepared last. */
  readonly setDefinition: (definition: ReadModelDefinition) => void;
  /** A number that no earlier call returned. */
  readonly nextGeneration: () => number;
  readonly addCommand: (entry: number, hash: number) => void;
  readonly addSchema: (entry: number, line: string) => void;
  readonly addInspection: (row: readonly [name: string, kind: string, input: string, fullSql: string]) => void;
  /** Counts one more event of that kind; `saveKinds` writes the counts. */
  readonly addEvent: (aggregate: string, event: string, version: number) => void;
  readonly saveKinds: () => void;
  readonly kinds: () => readonly EventKind[];
  readonly recordHidden: (streamType: string, eventType: string, field: string) => void;
  readonly isHidden: (streamType: string, eventType: string, field: string) => boolean;
  readonly hiddenStreamTypes: () => readonly string[];
  readonly forgetHidden: (streamType: string) => void;
  readonly recordUnreadable: (event: StoredEvent, field: string | undefined) => void;
  readonly unreadable: () => readonly UnreadableEvent[];
  /** After a rollback: reads the values in memory again from the tables. */
  readonly reload: () => void;
  /** The version of the engine that wrote the tables; undefined when none is recorded. */
  readonly engine: () => string | undefined;
  readonly recordEngine: (version: string) => void;
  /** Whether a process has written the tables, and has not closed them. */
  readonly isOpen: () => boolean;
  readonly setOpen: (open: boolean) => void;
  readonly commands: () => { readonly hashes: Float64Array; readonly entries: Float64Array };
  readonly schema: () => readonly SchemaLogEntry[];
}

const tables = [
  'CREATE TABLE IF NOT EXISTS k$store (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS k$commands (entry INTEGER PRIMARY KEY, hash INTEGER NOT NULL)',
  'CREATE TABLE IF NOT EXISTS k$schema (entry INTEGER PRIMARY KEY, line TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS k$kinds (stream_type TEXT NOT NULL, event_type TEXT NOT NULL, version INTEGER NOT NULL, events INTEGER NOT NULL, PRIMARY KEY (stream_type, event_type, version)) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS k$hidden (stream_type TEXT NOT NULL, event_type TEXT NOT NULL, field TEXT NOT NULL, PRIMARY KEY (stream_type, event_type, field)) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS m$inspections (name TEXT PRIMARY KEY COLLATE NOCASE, kind TEXT, input_table TEXT, output_table TEXT, full_sql TEXT) WITHOUT ROWID',
];

/** The most that are kept with their streams; further ones are kept as one for each type of stream. */
const mostUnreadable = 100;

/** Whether a definition reads the field of such an event. */
function reads({ aggregates }: ReadModelDefinition, { streamType, field }: UnreadableEvent): boolean {
  const fields = aggregates
    .filter(({ aggregate }) => aggregate === streamType)
    .flatMap(({ events }) => events.flatMap((event) => event.fields));
  return (
    fields.length > 0 && (field === undefined || fields.some(({ name }) => name.toLowerCase() === field.toLowerCase()))
  );
}

/** Creates its tables when they are missing. */
export function createBookkeeping(database: Database): Bookkeeping {
  for (const statement of tables) database.run(statement);
  const write = (sql: string): Statement => database.prepare(sql);
  const setValue = write(
    'INSERT INTO k$store (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const addCommand = write('INSERT INTO k$commands (entry, hash) VALUES (?, ?)');
  const addSchema = write('INSERT INTO k$schema (entry, line) VALUES (?, ?)');
  const addInspection = write(
    'REPLACE INTO m$inspections (name, kind, input_table, output_table, full_sql) VALUES (?, ?, ?, ?, ?)',
  );
  const setKind = write(
    'INSERT INTO k$kinds (stream_type, event_type, version, events) VALUES (?, ?, ?, ?) ON CONFLICT (stream_type, event_type, version) DO UPDATE SET events = excluded.events',
  );
  const addHidden = write('INSERT OR IGNORE INTO k$hidden (stream_type, event_type, field) VALUES (?, ?, ?)');
  const value = (key: string): string | undefined => {
    const cell = database.rows('SELECT value FROM k$store WHERE key = ?', [key])[0]?.[0];
    return typeof cell === 'string' ? cell : undefined;
  };

  /** The key of the definition in force; the next one is written under another key. */
  const definitionKey = (): string => value('definition at') ?? 'definition';
  const otherKey = (): string => (definitionKey() === 'definition' ? 'definition 2' : 'definition');

  let reached: Reached = { entry: 0, event: 0, at: '0', checksum: 0 };
  let definition: ReadModelDefinition | undefined;
  let hidden = new Set<string>();
  let unreadable: readonly UnreadableEvent[] = [];
  let kinds = new Map<string, number>();
  const unsavedKinds = new Set<string>();
  const joinedKey = (...parts: readonly string[]): string => parts.join('\0');

  const reload = (): void => {
    const stored = value('reached');
    reached = stored === undefined ? { entry: 0, event: 0, at: '0', checksum: 0 } : (JSON.parse(stored) as Reached);
    const known = value(definitionKey());
    definition = known === undefined ? undefined : (JSON.parse(known) as ReadModelDefinition);
    hidden = new Set(
      database.rows('SELECT stream_type, event_type, field FROM k$hidden').map((row) => joinedKey(...row.map(String))),
    );
    kinds = new Map(
      database
        .rows('SELECT events, stream_type, event_type, version FROM k$kinds')
        .map(([events, ...parts]) => [joinedKey(...parts.map(String)), Number(events)]),
    );
    unsavedKinds.clear();
    unreadable = JSON.parse(value('unreadable') ?? '[]') as readonly UnreadableEvent[];
  };
  const setUnreadable = (next: readonly UnreadableEvent[]): void => {
    unreadable = next;
    setValue.run(['unreadable', JSON.stringify(next)]);
  };
  reload();

  return {
    reached: () => reached,
    setReached: (next) => {
      reached = next;
      setValue.run(['reached', JSON.stringify(next)]);
    },
    definition: () => definition,
    prepareDefinition: (next) => {
      setValue.run([otherKey(), JSON.stringify(next)]);
      setValue.run([hashKey(otherKey()), definitionHash(next)]);
    },
    setDefinition: (next) => {
      definition = next;
      setValue.run(['definition at', otherKey()]);
      const still = unreadable.filter((event) => reads(next, event));
      if (still.length < unreadable.length) setUnreadable(still);
    },
    nextGeneration: () => {
      const next = Number(value('generation') ?? 0) + 1;
      setValue.run(['generation', String(next)]);
      return next;
    },
    addCommand: (entry, hash) => {
      addCommand.run([entry, hash]);
    },
    addSchema: (entry, line) => {
      addSchema.run([entry, line]);
    },
    addInspection: ([name, kind, input, fullSql]) => {
      addInspection.run([name, kind, input, name, fullSql]);
    },
    addEvent: (aggregate, event, version) => {
      const key = joinedKey(aggregate, event, String(version));
      kinds.set(key, (kinds.get(key) ?? 0) + 1);
      unsavedKinds.add(key);
    },
    saveKinds: () => {
      for (const key of unsavedKinds) {
        const [aggregate = '', event = '', version] = key.split('\0');
        setKind.run([aggregate, event, Number(version), kinds.get(key) ?? 0]);
      }
      unsavedKinds.clear();
    },
    kinds: () =>
      Array.from(kinds, ([key, count]) => {
        const [aggregate = '', event = '', version] = key.split('\0');
        return { aggregate, event, version: Number(version), count };
      }),
    recordHidden: (streamType, eventType, field) => {
      const key = joinedKey(streamType, eventType, field);
      if (hidden.has(key)) return;
      hidden.add(key);
      addHidden.run([streamType, eventType, field]);
    },
    isHidden: (streamType, eventType, field) => hidden.has(joinedKey(streamType, eventType, field)),
    hiddenStreamTypes: () => [...hidden].filter((key) => key.endsWith('\0\0')).map((key) => key.slice(0, -2)),
    forgetHidden: (streamType) => {
      database.run('DELETE FROM k$hidden WHERE stream_type = ?', [streamType]);
      const others = unreadable.filter((one) => one.streamType !== streamType);
      if (others.length < unreadable.length) setUnreadable(others);
      reload();
    },
    recordUnreadable: (event, field) => {
      const { streamType, streamId } = event;
      const found =
        unreadable.length < mostUnreadable
          ? { streamType, streamId, ...(field !== undefined && { field }), text: unreadableText(event, field) }
          : { streamType, text: `further events of ${streamType} cannot be read whole; log verify names them` };
      if (unreadable.every(({ text }) => text !== found.text)) setUnreadable([...unreadable, found]);
    },
    unreadable: () => unreadable,
    reload,
    engine: () => value('engine'),
    recordEngine: (version) => {
      setValue.run(['engine', version]);
    },
    isOpen: () => value('open') === 'yes',
    setOpen: (open) => {
      setValue.run(['open', open ? 'yes' : 'no']);
    },
    commands: () => {
      const count = Number(database.rows('SELECT COUNT(*) FROM k$commands')[0]?.[0]);
      const hashes = new Float64Array(count);
      const entries = new Float64Array(count);
      // Cell by cell: there may be millions of rows, and a start waits for them.
      const statement = write('SELECT hash, entry FROM k$commands ORDER BY entry');
      try {
        const cells = statement.cells();
        for (let index = 0; statement.step(); index += 1) {
          cells.look();
          hashes[index] = cells.number(0);
          entries[index] = cells.number(1);
        }
      } finally {
        statement.free();
      }
      return { hashes, entries };
    },
    schema: () =>
      database.rows('SELECT line FROM k$schema ORDER BY entry').map((row) => asSchema(decodeLine(String(row[0])))),
  };
}

/** Names a definition; the same for one that came through a message. Kept for each. */
export function definitionHash(definition: ReadModelDefinition): string {
  const known = hashes.get(definition);
  if (known !== undefined) return known;
  const made = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
  hashes.set(definition, made);
  return made;
}

const hashes = new WeakMap<ReadModelDefinition, string>();

/** The hash of the definition in force, as the tables have it; undefined in a file that is new. */
export function storedDefinitionHash(database: Database): unknown {
  if (database.rows("SELECT 1 FROM sqlite_schema WHERE name = 'k$store'").length === 0) return undefined;
  const sql = `SELECT value FROM k$store WHERE key = (SELECT value FROM k$store WHERE key = 'definition at') || ' hash'`;
  return database.rows(sql)[0]?.[0];
}

function hashKey(definitionKey: string): string {
  return `${definitionKey} hash`;
}

function asSchema(entry: LogEntry): SchemaLogEntry {
  if (entry.kind !== 'schema') throw new Error('the read model keeps an entry that is no schema entry as one');
  return entry;
}
