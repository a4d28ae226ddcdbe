/**
 * A read model in memory, created as `language/contract/read-model.ts` describes, with the functions that generated SQL
 * calls.
 */
import initSqlJs, { type Database, type SqlValue, type Statement } from 'sql.js';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { AggregateTable, ReadModelDefinition } from '../../language/contract/read-model.ts';
import { tableColumnName } from '../../language/sqlite/read-model.ts';
import { fromPayload } from '../../language/values/payload.ts';
import { decodeFailure } from '../../language/sqlite/failure.ts';
import { sqliteFunctions } from '../../language/sqlite/functions.ts';
import { momentFunctions } from '../../language/sqlite/moment.ts';
import { fromSqlite, isSqliteInteger, toSqlite } from '../../language/sqlite/value.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { loadSqlite } from '../../runtime/store/tables/core/sqlite.ts';

export interface StoredEvent {
  readonly type: string;
  readonly stream: string;
  /** In payload forms. */
  readonly data: Readonly<Record<string, unknown>>;
}
export type History = Readonly<Record<string, readonly StoredEvent[]>>;

export interface ReadModel {
  readonly run: (query: CompiledQuery, given?: Readonly<Record<string, Value>>) => readonly (readonly Value[])[];
  readonly plan: (query: CompiledQuery) => string;
  readonly table: (name: string, columns: Readonly<Record<string, Type>>, rows: readonly (readonly Value[])[]) => void;
  readonly close: () => void;
}

/** The driver's published types lack the options. */
type Get = (parameters: null, options: { readonly useBigInt: true }) => readonly unknown[];

// sql.js starts one module for a thread, which must be the one that the product limits and writes to.
await loadSqlite();
const engine = await initSqlJs({ useOldExtensionFunctions: false } as Parameters<typeof initSqlJs>[0]);
/** The first event's instant; each further one is a minute later. */
export const eventStart = 1_767_225_600_000_000n;
export const minute = 60_000_000n;

/** A single database for all tests, emptied each time: registering the functions takes longer than a test. */
const database = new engine.Database();
const moment = { now: eventStart, random: () => 0.5, uuid: () => '00000000-0000-4000-8000-000000000000' };
for (const { name, call } of [...sqliteFunctions, ...momentFunctions(() => moment)])
  database.create_function(name, call);

function empty(): void {
  const found = database.exec("SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')")[0]?.values ?? [];
  for (const [type, name] of found) database.run(`DROP ${String(type)} ${quote(String(name))}`);
}

/** The only read model of its process until it is closed. */
export function openReadModel(definition: ReadModelDefinition, history: History = {}): ReadModel {
  empty();
  const makeTable = (
    name: string,
    columns: Readonly<Record<string, Type>>,
    rows: readonly (readonly Value[])[],
  ): void => {
    const types = Object.values(columns);
    database.run(
      `CREATE TABLE ${quote(name)} (${Object.entries(columns)
        .map(([column, type]) => `${quote(tableColumnName(column))} ${affinity(type)}`)
        .join(', ')})`,
    );
    for (const row of rows)
      insert(
        database,
        name,
        row.map((value, index) => toSqlite(value, types[index] ?? { kind: 'NULL' })),
      );
  };
  let position = 0;
  for (const table of definition.aggregates) {
    createEventTables(database, table);
    const heads = new Map<string, number>();
    for (const stored of history[table.aggregate] ?? []) {
      const seq = (heads.get(stored.stream) ?? 0) + 1;
      heads.set(stored.stream, seq);
      insertEvent(database, table, stored, ++position, seq);
    }
  }
  for (const { name, sql } of definition.sqlite.views) database.run(`CREATE VIEW ${quote(name)} AS ${sql}`);
  for (const { name, columns, rows } of definition.meta) {
    makeTable(
      name.replace('meta_', 'm$'),
      Object.fromEntries(columns.map((column) => [column.name, column.type])),
      rows,
    );
  }
  return {
    run: (query, given = {}) => {
      let statement: Statement | undefined;
      try {
        statement = database.prepare(query.sqlite.sql);
        statement.bind(query.parameters.map(({ name, type }) => toSqlite(given[name] ?? null, type)));
        const rows: (readonly Value[])[] = [];
        const row = statement.get.bind(statement) as unknown as Get;
        while (statement.step()) {
          rows.push(
            row(null, { useBigInt: true }).map((cell, index) =>
              fromSqlite(cell, query.columns[index]?.type ?? { kind: 'NULL' }),
            ),
          );
        }
        return rows;
      } catch (error) {
        throw decodeFailure(error) ?? error;
      } finally {
        statement?.free();
      }
    },
    plan: (query) => {
      const statement = database.prepare(`EXPLAIN QUERY PLAN ${query.sqlite.sql}`);
      const steps: string[] = [];
      while (statement.step()) steps.push(String(statement.get()[3]));
      statement.free();
      return steps.join('\n');
    },
    table: makeTable,
    close: empty,
  };
}

function createEventTables(database: Database, table: AggregateTable): void {
  const payload = table.payload.map(({ name, type }) => `, ${quote(`d$${name}`)} ${affinity(type)}`).join('');
  const events = quote(`e$${table.aggregate}`);
  database.run(
    `CREATE TABLE ${events} (global_position INTEGER PRIMARY KEY, event_id TEXT, stream_id TEXT, seq INTEGER, event_type TEXT,
     occurred_at INTEGER, event_version INTEGER, command_id TEXT, correlation_id TEXT, causation_id TEXT, tags TEXT, stored_type TEXT${payload});
     CREATE INDEX ${quote(`e$${table.aggregate}$stream`)} ON ${events} (stream_id, seq);
     CREATE TABLE ${quote(`t$${table.aggregate}`)} (tag TEXT, global_position INTEGER, PRIMARY KEY (tag, global_position)) WITHOUT ROWID;`,
  );
}

function insertEvent(
  database: Database,
  table: AggregateTable,
  stored: StoredEvent,
  position: number,
  seq: number,
): void {
  const fields = table.events.find((event) => event.name === stored.type)?.fields ?? [];
  const tags = fields.flatMap(({ name, tag }) =>
    tag && typeof stored.data[name] === 'string' ? [`${name}:${stored.data[name].toLowerCase()}`] : [],
  );
  const at = String(eventStart + BigInt(position - 1) * minute);
  const envelope = [
    position,
    `id-${position}`,
    stored.stream,
    seq,
    stored.type,
    at,
    1,
    null,
    null,
    null,
    JSON.stringify(tags),
    null,
  ];
  const payload = table.payload.map(({ name, type }) => toSqlite(fromPayload(stored.data[name], type), type));
  insert(database, `e$${table.aggregate}`, [...envelope, ...payload]);
  for (const tag of tags) insert(database, `t$${table.aggregate}`, [tag, position]);
}

function insert(database: Database, table: string, row: readonly SqlValue[]): void {
  database.run(`INSERT INTO ${quote(table)} VALUES (${row.map(() => '?').join(', ')})`, [...row]);
}

function affinity(type: Type): string {
  if (type.kind === 'DOUBLE') return 'REAL';
  return isSqliteInteger(type) ? 'INTEGER' : 'TEXT';
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
