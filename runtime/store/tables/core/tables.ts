/** Names and shapes of the read model's tables (`language/sqlite/read-model.ts`), as SQL text. */
import type { AggregateTable } from '../../../../language/contract/read-model.ts';
import { isSqliteInteger } from '../../../../language/sqlite/value.ts';
import type { Type } from '../../../../language/values/type.ts';
import { quoted } from './engine.ts';

export const eventColumns = [
  'global_position',
  'event_id',
  'stream_id',
  'seq',
  'event_type',
  'occurred_at',
  'event_version',
  'command_id',
  'correlation_id',
  'causation_id',
  'tags',
  'stored_type',
] as const;

const declarations: Readonly<Record<(typeof eventColumns)[number], string>> = {
  global_position: 'INTEGER PRIMARY KEY',
  event_id: 'TEXT NOT NULL',
  stream_id: 'TEXT NOT NULL',
  seq: 'INTEGER NOT NULL',
  event_type: 'TEXT NOT NULL',
  occurred_at: 'INTEGER NOT NULL',
  event_version: 'INTEGER NOT NULL',
  command_id: 'TEXT',
  correlation_id: 'TEXT',
  causation_id: 'TEXT',
  tags: 'TEXT NOT NULL',
  stored_type: 'TEXT',
};

export function eventTable(aggregate: string): string {
  return `e$${aggregate}`;
}
export function tagTable(aggregate: string): string {
  return `t$${aggregate}`;
}
export function payloadColumn(field: string): string {
  return `d$${field}`;
}
/** A table that is being built to replace another one. */
export function asideTable(table: string): string {
  return `n$${table}`;
}

export function columnDeclaration(type: Type): 'INTEGER' | 'REAL' | 'TEXT' {
  if (isSqliteInteger(type)) return 'INTEGER';
  return type.kind === 'DOUBLE' ? 'REAL' : 'TEXT';
}

/**
 * Statements that create the tables of an aggregate's events and tags. `generation` distinguishes indexes of the same
 * aggregate, since an index keeps its name when its table is renamed.
 */
export function createEventTables(
  table: AggregateTable,
  named: (table: string) => string,
  generation: number,
): string[] {
  const events = named(eventTable(table.aggregate));
  const columns = [
    ...eventColumns.map((name) => `${name} ${declarations[name]}`),
    ...table.payload.map(({ name, type }) => `${quoted(payloadColumn(name))} ${columnDeclaration(type)}`),
  ];
  const index = (suffix: string): string => quoted(`i$${table.aggregate}$${suffix}$${generation}`);
  const statements = [
    `CREATE TABLE ${quoted(events)} (${columns.join(', ')})`,
    `CREATE UNIQUE INDEX ${index('stream')} ON ${quoted(events)} (stream_id, seq)`,
    `CREATE TABLE ${quoted(named(tagTable(table.aggregate)))} (tag TEXT NOT NULL, global_position INTEGER NOT NULL, PRIMARY KEY (tag, global_position)) WITHOUT ROWID`,
  ];
  if (table.events.length >= fewEventTypes) {
    statements.push(`CREATE INDEX ${index('type')} ON ${quoted(events)} (event_type)`);
  }
  return statements;
}

/** From this many types on, an index on the type is faster than reading all events. */
const fewEventTypes = 4;

/**
 * Statistics of the indexes for the query planner, since ANALYZE is never run: a stream is short, a type is not.
 * Without them SQLite considers both equal and may read all events of a type to find those of one stream.
 */
export function plannerStatistics(
  table: AggregateTable,
  generation: number,
): readonly (readonly [string, string, string])[] {
  const events = eventTable(table.aggregate);
  const rows = 1_000_000;
  const stream = [events, `i$${table.aggregate}$stream$${generation}`, `${rows} 20 1`] as const;
  const perType = Math.round(rows / Math.max(1, table.events.length));
  const type = [events, `i$${table.aggregate}$type$${generation}`, `${rows} ${perType}`] as const;
  return table.events.length >= fewEventTypes ? [stream, type] : [stream];
}
