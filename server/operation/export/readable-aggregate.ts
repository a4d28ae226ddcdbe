/** Makes rows of an archive from the events of an aggregate, as the registry reads them at the time of the export. */
import { createHash } from 'node:crypto';
import type { Domain } from '../../../language/contract/domain.ts';
import type { AggregateTable } from '../../../language/contract/read-model.ts';
import { fromPayload } from '../../../language/values/payload.ts';
import type { Value } from '../../../language/values/type.ts';
import { generatedUpcasts } from '../../../runtime/engine/generated-upcasts.ts';
import type { CommandEntry, LogEntry, StoredEvent } from '../../../runtime/store/entry.ts';
import {
  createAggregateReaders,
  tagOf,
  unlessDamaged,
  type ColumnField,
  type EventReader,
} from '../../../runtime/store/event-reader.ts';
import { unreadableText } from '../../../runtime/store/unreadable-text.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { Caller } from '../caller.ts';
import { shownValue } from '../shown.ts';
import { archiveColumns, type ArchiveColumn } from './archive-columns.ts';

export interface ReadableAggregate {
  readonly name: string;
  readonly columns: readonly ArchiveColumn[];
  /** A hash of how events stored under this type are read; `none` for a type without a definition, whose payload is not shown. */
  readonly readingOf: (storedType: string) => string;
  /** In the order of the columns, as the caller may see them. */
  readonly row: (entry: CommandEntry & LogEntry, event: StoredEvent) => Row;
}

/** All aggregates of a domain. `tell` receives a sentence for each value that cannot be read, and is NULL in its row. */
export function readableAggregates(
  domain: Domain,
  caller: Caller,
  tell: (text: string) => void = () => undefined,
): readonly ReadableAggregate[] {
  const definitions = new Map(domain.aggregates.map((aggregate) => [aggregate.name, aggregate]));
  return domain.readModel.aggregates.map((table) => {
    const definition = definitions.get(table.aggregate);
    if (definition === undefined) throw new Error(`aggregate ${table.aggregate} has tables, but no definition`);
    return readableAggregate(domain, table, archiveColumns(definition, table), caller, tell);
  });
}

function readableAggregate(
  domain: Domain,
  table: AggregateTable,
  columns: readonly ArchiveColumn[],
  caller: Caller,
  tell: (text: string) => void,
): ReadableAggregate {
  const events = new Map(domain.events.map((event) => [event.name, event]));
  const readers = createAggregateReaders(table, ({ name }, _clause, index) => {
    const definition = events.get(name);
    const clause = definition && generatedUpcasts(definition)[index];
    if (clause === undefined) throw new Error(`event ${name} has no clause ${index}`);
    return clause.apply;
  });
  const readings = new Map(table.events.map((event) => [event.name, digest(event)]));
  const parts = new Map<EventReader<ColumnField>, TypeParts>();
  return {
    name: table.aggregate,
    columns,
    readingOf: (storedType) => readings.get(readers.get(storedType)?.event ?? '') ?? 'none',
    row: (entry, event) => {
      const reader = readers.get(event.type);
      const values = eventValues(entry, event, reader?.event ?? event.type);
      if (reader === undefined) return columns.map(({ name }) => values[name] ?? null);
      const known = parts.get(reader) ?? typeParts(reader, columns);
      parts.set(reader, known);
      const leaves = unlessDamaged(() => reader.leaves(event, entry.at));
      if (leaves === undefined) tell(unreadableText(event));
      values['tags'] = known.tags.flatMap(({ place, name }) => tagOf(name, leaves?.[place]) ?? []);
      return columns.map(({ name, type, sensitive }, at) => {
        const place = known.places[at];
        const value =
          place === undefined ? (values[name] ?? null) : unlessDamaged(() => fromPayload(leaves?.[place], type));
        if (value === undefined) tell(unreadableText(event, reader.fields[place ?? 0]?.name));
        return sensitive ? shownValue({ name, type, sensitive, value: value ?? null }, caller) : (value ?? null);
      });
    },
  };
}

interface TypeParts {
  /** For each column the place of its field among the reader's, if the event has it. */
  readonly places: readonly (number | undefined)[];
  readonly tags: readonly { readonly place: number; readonly name: string }[];
}

function typeParts({ fields }: EventReader<ColumnField>, columns: readonly ArchiveColumn[]): TypeParts {
  const places = new Map(
    fields.flatMap(({ column }, place): [string, number][] =>
      column === undefined ? [] : [[column.toLowerCase(), place]],
    ),
  );
  return {
    places: columns.map(({ field }) => (field === undefined ? undefined : places.get(field.toLowerCase()))),
    tags: fields.flatMap(({ tag, name }, place) => (tag ? [{ place, name }] : [])),
  };
}

/** The columns of the event itself; the names are those of `archive-columns.ts`. */
function eventValues(entry: CommandEntry & LogEntry, event: StoredEvent, type: string): Record<string, Value> {
  return {
    event_id: event.id,
    stream_type: event.streamType,
    stream_id: event.streamId,
    seq: BigInt(event.seq),
    event_type: type,
    occurred_at: BigInt(entry.at),
    global_position: BigInt(event.position),
    event_version: event.version,
    stored_type: event.type,
    tags: [],
    command_id: entry.commandId ?? null,
    correlation_id: entry.correlationId ?? null,
    causation_id: entry.causationId ?? null,
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
