/**
 * Writes events into their tables by the registry's definition: payload texts become column values, tags are computed.
 * Data of the log without a column (a removed field, a dropped event or aggregate) is recorded as hidden, so that a
 * later definition that needs it reads the log again.
 */
import { storedEventFacts } from '../../../../language/contract/event.ts';
import type { AggregateTable, UpcastTable } from '../../../../language/contract/read-model.ts';
import { decimalDigits } from '../../../../language/values/decimal.ts';
import { hasCell, leafAsCell } from '../../../../language/values/payload-cell.ts';
import { fromPayload } from '../../../../language/values/payload.ts';
import { fromSqlite, sqliteParameter, toSqlite } from '../../../../language/sqlite/value.ts';
import type { Type } from '../../../../language/values/type.ts';
import type { CommandEntry, LogEntry, StoredEvent } from '../../entry.ts';
import {
  createAggregateReaders,
  leavesOfValues,
  tagOf,
  unlessDamaged,
  type ColumnField,
  type EventReader,
} from '../../event-reader.ts';
import { quoted, type Bound, type Database, type Statement } from './engine.ts';
import { createRowInserts, type RowInserts } from './row-inserts.ts';
import { eventColumns, eventTable, payloadColumn, tagTable } from './tables.ts';

export interface EventWriter {
  /** Writes the events of the entry that belong to the definition's aggregates. They may be in the tables only after `flush`. */
  readonly write: (entry: CommandEntry & LogEntry) => void;
  readonly flush: () => void;
  readonly free: () => void;
}

/** Data of the log that no table shows: a stream type alone, an event type of it, or a field of that. */
export type RecordHidden = (streamType: string, eventType: string, field: string) => void;

/** A field of an event, or all of it, that no definition of it can have written: it is NULL in the tables. */
export type RecordUnreadable = (event: StoredEvent, field: string | undefined) => void;

export interface RecordFindings {
  readonly recordHidden: RecordHidden;
  readonly recordUnreadable: RecordUnreadable;
}

interface EventTypeWriter {
  readonly reader: EventReader;
  /** For each payload column of the table the index of the reader's field, and the conversion; undefined where it has none. */
  readonly payload: readonly (PayloadCell | undefined)[];
  readonly tags: readonly { readonly place: number; readonly name: string }[];
}

interface PayloadCell {
  readonly place: number;
  readonly cell: (leaf: unknown) => Bound;
}

interface AggregateWriter {
  readonly byType: ReadonlyMap<string, EventTypeWriter>;
  /** Writes events of all types, in the order of the log. */
  readonly rows: RowInserts;
  /** The payload columns of an event without a definition. */
  readonly noPayload: readonly null[];
  readonly tag: Statement;
  /** The statements of UPCAST clauses. */
  readonly upcasts: readonly Statement[];
}

/** `named` maps a table's name to its present name. */
export function createEventWriter(
  database: Database,
  aggregates: readonly AggregateTable[],
  named: (table: string) => string,
  findings: RecordFindings,
  options: { readonly ignoreOthers: boolean },
): EventWriter {
  const tables = new Map(aggregates.map((table) => [table.aggregate, table]));
  /** Created with the first event: a registry of a thousand aggregates has thousands of statements. */
  const writers = new Map<string, AggregateWriter>();
  const writerOf = (aggregate: string): AggregateWriter | undefined => {
    const table = tables.get(aggregate);
    const known = writers.get(aggregate);
    if (table === undefined || known !== undefined) return known;
    const made = aggregateWriter(database, table, named);
    writers.set(aggregate, made);
    return made;
  };
  return {
    write: (entry) => {
      for (const event of entry.events) {
        const writer = writerOf(event.streamType);
        if (writer !== undefined) writeEvent(writer, entry, event, findings);
        else if (!options.ignoreOthers) findings.recordHidden(event.streamType, '', '');
      }
    },
    flush: () => {
      for (const { rows } of writers.values()) rows.flush();
    },
    free: () => {
      for (const writer of writers.values()) {
        writer.tag.free();
        writer.rows.free();
        for (const clause of writer.upcasts) clause.free();
      }
    },
  };
}

function aggregateWriter(database: Database, table: AggregateTable, named: (table: string) => string): AggregateWriter {
  const events = quoted(named(eventTable(table.aggregate)));
  const payload = table.payload.map(({ name }) => name);
  const upcasts: Statement[] = [];
  const readers = createAggregateReaders(table, (event, clause) => {
    const statement = database.prepare(upcastQuery(clause));
    upcasts.push(statement);
    return (stored, { id, streamId, seq }, at) => {
      const facts = { stream_id: streamId, seq: BigInt(seq), occurred_at: BigInt(at), event_id: id };
      const values = [...stored, ...storedEventFacts.map(({ name }) => facts[name])];
      return evaluated(
        statement,
        values.map((value, place) => toSqlite(value, inputsOf(clause)[place]?.type ?? text)),
        event.fields,
      );
    };
  });
  const writers = new Map<EventReader<ColumnField>, EventTypeWriter>();
  const writerFor = (reader: EventReader<ColumnField>): EventTypeWriter => {
    const places = reader.fields.map((field, place) => ({ ...field, place }));
    const cells = new Map(places.map(({ column, place, type: of }) => [column, { place, cell: cellOf(of) }]));
    const writer = {
      reader,
      payload: payload.map((name) => cells.get(name)),
      tags: places.filter(({ tag }) => tag),
    };
    writers.set(reader, writer);
    return writer;
  };
  const tags = quoted(named(tagTable(table.aggregate)));
  return {
    byType: new Map(Array.from(readers, ([type, reader]) => [type, writers.get(reader) ?? writerFor(reader)])),
    upcasts,
    rows: createRowInserts(database, events, [...eventColumns, ...payload.map((name) => quoted(payloadColumn(name)))]),
    noPayload: payload.map(() => null),
    // Two tags of one event may have the same text.
    tag: database.prepare(`INSERT OR IGNORE INTO ${tags} (tag, global_position) VALUES (?, ?)`),
  };
}

const text: Type = { kind: 'STRING' };

/** The row that the expressions of a clause read: the old fields, then the facts of the event. */
function inputsOf({ fields }: UpcastTable): readonly { readonly type: Type }[] {
  return [...fields, ...storedEventFacts];
}

function upcastQuery(clause: UpcastTable): string {
  const row = inputsOf(clause).map(({ type }, index) => `${sqliteParameter(index + 1, type)} AS s${index}`);
  const values = clause.sqlite.length === 0 ? 'NULL' : clause.sqlite.join(', ');
  return `SELECT ${values} FROM (SELECT ${row.join(', ')}) AS r0`;
}

/** The payload leaves of the fields; those that are never stored have no cell in the row. */
function evaluated(
  statement: Statement,
  bound: readonly Bound[],
  fields: AggregateTable['events'][number]['fields'],
): readonly unknown[] {
  try {
    statement.bind(bound);
    statement.step();
    const cells = statement.row()[Symbol.iterator]();
    return leavesOfValues(
      fields.map(({ volatile, type }) => (volatile ? null : fromSqlite(cells.next().value, type))),
      fields,
    );
  } finally {
    statement.reset();
  }
}

function writeEvent(
  writer: AggregateWriter,
  entry: CommandEntry & LogEntry,
  event: StoredEvent,
  { recordHidden, recordUnreadable }: RecordFindings,
): void {
  const type = writer.byType.get(event.type);
  if (type === undefined) {
    recordHidden(event.streamType, event.type, '');
    writer.rows.add([...metadata(entry, event, event.type, []), ...writer.noPayload]);
    return;
  }
  const leaves = unlessDamaged(() =>
    type.reader.leaves(event, entry.at, (field) => recordHidden(event.streamType, event.type, field)),
  );
  if (leaves === undefined) {
    recordUnreadable(event, undefined);
    writer.rows.add([...metadata(entry, event, type.reader.event, []), ...writer.noPayload]);
    return;
  }
  const tags = type.tags.flatMap(({ place, name }) => {
    const tag = tagOf(name, leaves[place]);
    return tag === undefined ? [] : [tag];
  });
  const row = metadata(entry, event, type.reader.event, tags);
  for (const column of type.payload) {
    const cell = column === undefined ? null : unlessDamaged(() => column.cell(leaves[column.place]));
    if (cell === undefined) recordUnreadable(event, type.reader.fields[column?.place ?? 0]?.name);
    row.push(cell ?? null);
  }
  writer.rows.add(row);
  for (const tag of tags) writer.tag.run([tag, event.position]);
}

/** Cells of `eventColumns`. */
function metadata(entry: CommandEntry & LogEntry, event: StoredEvent, type: string, tags: readonly string[]): Bound[] {
  return [
    event.position,
    event.id,
    event.streamId,
    event.seq,
    type,
    entry.at,
    event.version,
    entry.commandId ?? null,
    entry.correlationId ?? null,
    entry.causationId ?? null,
    tags.length === 0 ? '[]' : JSON.stringify(tags),
    type === event.type ? null : event.type,
  ];
}

/** Converts a payload leaf into a cell of a column of that type; the usual forms directly. */
function cellOf(type: Type): (leaf: unknown) => Bound {
  const general = (stored: unknown): Bound => {
    const value = fromPayload(stored, type);
    return hasCell(value, type) ? toSqlite(value, type) : leafAsCell(stored);
  };
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'JSON':
      return (stored) => (typeof stored === 'string' ? stored : general(stored));
    case 'INT':
      return (stored) => (Number.isInteger(stored) ? (stored as number) : general(stored));
    case 'DECIMAL':
      return (stored) =>
        typeof stored === 'string' ? (scaledText(stored, type.scale) ?? general(stored)) : general(stored);
    default:
      return general;
  }
}

/** `12.3` at scale 2 as `1230`: digits only, without a number in between; undefined for any other form. */
function scaledText(text: string, scale: number): string | undefined {
  if (!/^-?\d{1,18}(\.\d{1,18})?$/.test(text)) return undefined;
  const point = text.indexOf('.');
  const fraction = point < 0 ? '' : text.slice(point + 1);
  if (fraction.length > scale) return undefined;
  const scaled = (point < 0 ? text : text.slice(0, point)) + fraction.padEnd(scale, '0');
  return scaled.length <= decimalDigits ? scaled : undefined;
}
