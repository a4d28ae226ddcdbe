/**
 * Reads stored events: the one place where data written under an older definition becomes values of the present one.
 * Takes the event from the log and the fields of its present definition; gives their values. The tables of the read
 * model, the fold states in memory and replayed answers all read through it, so they cannot disagree.
 *
 * An event of a shape that an UPCAST clause names (docs/language.md#evolution) reads as that clause says. Any other
 * payload keeps the names of its time, so a field is found by its present name, else regardless of case. A field that
 * the event lacks is NULL, one of a narrower type is widened, a VOLATILE one is NULL even if it was stored before it
 * became VOLATILE.
 */
import type { StoredShape } from '../../language/contract/event.ts';
import type { AggregateTable, UpcastTable } from '../../language/contract/read-model.ts';
import { lower } from '../../language/values/case-mapping.ts';
import { fromPayload, toPayload } from '../../language/values/payload.ts';
import type { Type, Value } from '../../language/values/type.ts';
import type { StoredEvent } from './entry.ts';
import { readsEvent } from './upcast-of-event.ts';

/** A field of the present definition, with the type to read it in: the field's own, or a wider one. */
export interface PresentField {
  readonly name: string;
  readonly type: Type;
  readonly volatile: boolean;
}

/**
 * The parts of an event that determine how it reads: an event of the same type stored under another definition can read
 * differently.
 */
export type StoredPayload = Pick<StoredEvent, 'type' | 'version' | 'data' | 'id' | 'streamId' | 'seq'>;

/** The time of an event's entry, µs since 1970: as the log has it, or as a number. */
export type Moment = bigint | string;

export interface EventReader<Field extends PresentField = PresentField> {
  /** The type of the event now: another one than the stored, if a clause renames it. */
  readonly event: string;
  /** In the order of all results. */
  readonly fields: readonly Field[];
  /**
   * Each field in its payload form, undefined when the event has none. `at` is the time of its entry. `unread` receives
   * the lower-cased names that belong to no field. Throws a `Failure` if a clause cannot compute a value, which a change
   * that is accepted never leaves behind.
   */
  readonly leaves: (event: StoredPayload, at: Moment, unread?: (name: string) => void) => readonly unknown[];
  /** Each field as a value. Throws a TypeError when the record is damaged, and as `leaves` does. */
  readonly values: (event: StoredPayload, at: Moment) => readonly Value[];
  /** `values`, with NULL for each field of a damaged record that cannot be read. */
  readonly readable: (event: StoredPayload, at: Moment) => readonly Value[];
}

/** A shape of stored events and how it becomes the fields of the present definition. */
export interface Upcast extends StoredShape {
  /**
   * The payload leaves of the present fields, in their order, from the values of the shape's fields in theirs. Leaves of
   * VOLATILE fields are not read.
   */
  readonly apply: (stored: readonly Value[], event: StoredPayload, at: Moment) => readonly unknown[];
}

/** The reader of one type of event, including events that were stored under other names. */
export function createEventReader<Field extends PresentField>(
  event: string,
  fields: readonly Field[],
  upcasts: readonly Upcast[] = [],
): EventReader<Field> {
  // Includes the present spellings: most names have them, and lower-casing each name of each event takes long.
  const known = new Set(fields.flatMap(({ name }) => [name, name.toLowerCase()]));
  const isKnown = (key: string): boolean => known.has(key) || known.has(key.toLowerCase());
  const parsed = ({ data }: StoredPayload): Leaves => {
    if (data === '{}') return {};
    if (data !== last.data) last = { data, leaves: JSON.parse(data) as Leaves };
    return last.leaves;
  };
  const shapes = upcasts.map((clause) => ({ ...clause, stored: clause.fields.map(asStored) }));
  const plain = (event: StoredPayload, unread?: (name: string) => void): readonly unknown[] => {
    const stored = parsed(event);
    if (unread !== undefined) {
      for (const key of Object.keys(stored)) if (!isKnown(key)) unread(key.toLowerCase());
    }
    return leavesOf(stored, fields);
  };
  const leaves: EventReader['leaves'] = (stored, at, unread) => {
    const shape = shapes.find((clause) => readsEvent(clause, stored));
    if (shape === undefined) return plain(stored, unread);
    const old = leavesOf(parsed(stored), shape.stored);
    const made = shape.apply(
      shape.stored.map(({ type }, place) => fromPayload(old[place], type)),
      stored,
      at,
    );
    return fields.map(({ volatile }, place) => (volatile ? undefined : made[place]));
  };
  return {
    event,
    fields,
    leaves,
    values: (stored, at) => {
      const found = leaves(stored, at);
      return fields.map(({ type }, place) => fromPayload(found[place], type));
    },
    readable: (stored, at) => {
      const found = unlessDamaged(() => leaves(stored, at)) ?? [];
      return fields.map(({ type }, place) => unlessDamaged(() => fromPayload(found[place], type)) ?? null);
    },
  };
}

/** The fields of an event that cannot be read; `undefined` in place of all. */
export function unreadableFields(
  reader: EventReader,
  event: StoredPayload,
  at: Moment,
): readonly (string | undefined)[] {
  const found = unlessDamaged(() => reader.leaves(event, at));
  if (found === undefined) return [undefined];
  return reader.fields.flatMap(({ name, type }, place) =>
    unlessDamaged(() => fromPayload(found[place], type)) === undefined ? [name] : [],
  );
}

/** The result, or undefined if a stored value is none that its field can have: a record that an encoder of today would refuse. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function asStored({ name, type }: StoredShape['fields'][number]): PresentField {
  return { name, type, volatile: false };
}

/** The payload leaves of values, which NULLs are left out of. */
export function leavesOfValues(
  values: readonly Value[],
  fields: readonly Pick<PresentField, 'type'>[],
): readonly unknown[] {
  return fields.map(({ type }, place) => {
    const value = values[place] ?? null;
    return value === null ? undefined : toPayload(value, type);
  });
}

/** The tag of a TAG field from its payload leaf; undefined without a value. */
export function tagOf(field: string, leaf: unknown): string | undefined {
  if (leaf === undefined || leaf === null) return undefined;
  return `${field}:${lower(typeof leaf === 'string' ? leaf : JSON.stringify(leaf))}`;
}

type Leaves = Readonly<Record<string, unknown>>;

/** The last payload that was parsed, by any reader: an event is often read by several, one after the other. */
let last: { readonly data: string; readonly leaves: Leaves } = { data: '{}', leaves: {} };

function leavesOf(stored: Leaves, fields: readonly PresentField[]): unknown[] {
  const leaves: unknown[] = [];
  let folded: ReadonlyMap<string, unknown> | undefined;
  for (const { name, volatile } of fields) {
    if (volatile) leaves.push(undefined);
    else if (Object.hasOwn(stored, name)) leaves.push(stored[name]);
    else {
      folded ??= new Map(Object.entries(stored).map(([key, leaf]) => [key.toLowerCase(), leaf]));
      leaves.push(folded.get(name.toLowerCase()));
    }
  }
  return leaves;
}

/**
 * A field of an event with its payload column: events of an aggregate share the columns of one name, in a type that all
 * of them fit.
 */
export interface ColumnField extends PresentField {
  readonly tag: boolean;
  /** Name of the column; undefined when the field has none. */
  readonly column: string | undefined;
}

/** Gives the function of a clause, which is the one of that index among the clauses of the event. */
export type MakeUpcast = (
  event: AggregateTable['events'][number],
  clause: UpcastTable,
  index: number,
) => Upcast['apply'];

/**
 * Readers of an aggregate's events by the type that they were stored as, in the types of the payload columns. An event
 * type that no definition reads has no reader.
 */
export function createAggregateReaders(
  table: AggregateTable,
  makeUpcast: MakeUpcast,
): ReadonlyMap<string, EventReader<ColumnField>> {
  const columns = new Map(table.payload.map((column) => [column.name.toLowerCase(), column]));
  const readers = table.events.map((event) =>
    createEventReader(
      event.name,
      event.fields.map((field) => {
        const column = columns.get(field.name.toLowerCase());
        return { ...field, type: column?.type ?? field.type, column: field.volatile ? undefined : column?.name };
      }),
      (event.upcasts ?? []).map((clause, index) => ({ ...clause, apply: makeUpcast(event, clause, index) })),
    ),
  );
  return readersByStoredType(readers, (name) => table.events.find((event) => event.name === name)?.upcasts ?? []);
}

/** The readers under their own names, and under the names that their clauses read. */
export function readersByStoredType<Field extends PresentField>(
  readers: readonly EventReader<Field>[],
  shapesOf: (event: string) => readonly StoredShape[],
): ReadonlyMap<string, EventReader<Field>> {
  const byType = new Map<string, EventReader<Field>>();
  for (const reader of readers) for (const shape of shapesOf(reader.event)) byType.set(shape.event, reader);
  for (const reader of readers) byType.set(reader.event, reader);
  return byType;
}
