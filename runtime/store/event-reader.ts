/**
 * Reads stored events: the one place where data written under an older definition becomes values of the present one.
 * Takes the event from the log and the fields of its present definition; gives their values. The tables of the read
 * model, the fold states in memory and replayed answers all read through it, so they cannot disagree.
 *
 * A payload keeps the names of its time, so a field is found by its present name, else regardless of case. A field that
 * the event lacks is NULL, one of a narrower type is widened, a VOLATILE one is NULL even if it was stored before it
 * became VOLATILE.
 */
import type { AggregateTable } from '../../language/contract/read-model.ts';
import { fromPayload } from '../../language/values/payload.ts';
import type { Type, Value } from '../../language/values/type.ts';
import type { StoredEvent } from './entry.ts';

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
export type StoredPayload = Pick<StoredEvent, 'type' | 'version' | 'data'>;

export interface EventReader<Field extends PresentField = PresentField> {
  /** In the order of all results. */
  readonly fields: readonly Field[];
  /**
   * Each field in its payload form, undefined when the event has none. `unread` receives the lower-cased names that
   * belong to no field.
   */
  readonly leaves: (event: StoredPayload, unread?: (name: string) => void) => readonly unknown[];
  /** Each field as a value. Throws a TypeError when the record is damaged. */
  readonly values: (event: StoredPayload) => readonly Value[];
}

/** The reader of one type of event. */
export function createEventReader<Field extends PresentField>(fields: readonly Field[]): EventReader<Field> {
  // Includes the present spellings: most names have them, and lower-casing each name of each event takes long.
  const known = new Set(fields.flatMap(({ name }) => [name, name.toLowerCase()]));
  const isKnown = (key: string): boolean => known.has(key) || known.has(key.toLowerCase());
  const parsed = ({ data }: StoredPayload): Leaves => (data === '{}' ? {} : (JSON.parse(data) as Leaves));
  return {
    fields,
    leaves: (event, unread) => {
      const stored = parsed(event);
      if (unread !== undefined) {
        for (const key of Object.keys(stored)) if (!isKnown(key)) unread(key.toLowerCase());
      }
      return leavesOf(stored, fields);
    },
    values: (event) => {
      const leaves = leavesOf(parsed(event), fields);
      return fields.map(({ type }, place) => fromPayload(leaves[place], type));
    },
  };
}

type Leaves = Readonly<Record<string, unknown>>;

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

/**
 * Readers of an aggregate's events by type, in the types of the payload columns. An event type without a definition has
 * no reader.
 */
export function createAggregateReaders(table: AggregateTable): ReadonlyMap<string, EventReader<ColumnField>> {
  const columns = new Map(table.payload.map((column) => [column.name.toLowerCase(), column]));
  return new Map(
    table.events.map(({ name, fields }) => [
      name,
      createEventReader(
        fields.map((field) => {
          const column = columns.get(field.name.toLowerCase());
          return { ...field, type: column?.type ?? field.type, column: field.volatile ? undefined : column?.name };
        }),
      ),
    ]),
  );
}
