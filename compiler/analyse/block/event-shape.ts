/**
 * The shapes of events (docs/language.md#evolution): the names and types of their fields. Order and marks play no part, except that VOLATILE
 * fields, which no event has, may be left out.
 */
import { typeName, type Type } from '../../../language/values/type.ts';
import type { StoredDefinition } from '../environment/registry.ts';
import { widens } from '../type/widens.ts';

interface ShapeField {
  readonly name: string;
  readonly type: Type;
  readonly volatile?: boolean;
}

/** Whether a definition has the shape that an UPCAST clause names. */
export function hasShape(definition: readonly ShapeField[], shape: readonly ShapeField[]): boolean {
  const fields = new Map(definition.map((field) => [field.name.toLowerCase(), field]));
  const named = new Set(shape.map(({ name }) => name.toLowerCase()));
  const known = shape.every(({ name, type }) => {
    const field = fields.get(name.toLowerCase());
    return field !== undefined && plainName(field.type) === plainName(type);
  });
  return known && definition.every(({ name, volatile }) => volatile === true || named.has(name.toLowerCase()));
}

/** Whether the stored fields of two definitions are the same. */
export function sameStored(one: readonly ShapeField[], other: readonly ShapeField[]): boolean {
  return hasShape(storedOf(one), storedOf(other));
}

function storedOf(fields: readonly ShapeField[]): readonly ShapeField[] {
  return fields.filter(({ volatile }) => volatile !== true);
}

/** A text that two lists of fields share if they have one shape. */
export function shapeKey(fields: readonly ShapeField[]): string {
  return fields
    .map(({ name, type }) => `${name.toLowerCase()} ${plainName(type)}`)
    .sort()
    .join(', ');
}

/** DECIMAL and DECIMAL(18,6) are one type, and so is an enum however many values it had. */
function plainName(type: Type): string {
  if (type.kind !== 'DECIMAL') return typeName(type);
  const { kind, precision, scale } = type;
  return typeName({ kind, precision, scale });
}

/**
 * The clause that says how a stored definition reads, with a comment for each value to fill in: fields whose values do not carry over. It
 * compiles once each comment is replaced by an expression. `event` is the name of FROM EVENT; `renamed` maps a new field to the
 * old one whose value it takes.
 */
export function clauseToFillIn(
  definition: Pick<StoredDefinition, 'fields'>,
  present: readonly ShapeField[],
  { event, renamed }: { readonly event?: string | undefined; readonly renamed?: ReadonlyMap<string, string> } = {},
): string {
  const old = storedOf(definition.fields);
  const byName = new Map(old.map((field) => [field.name.toLowerCase(), field]));
  const open = storedOf(present).filter(({ name, type }) => {
    const from = byName.get(name.toLowerCase());
    return from === undefined || !widens(from.type, type);
  });
  const from = old.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ');
  const values = open
    .map(({ name, type }) => `${name} := ${renamed?.get(name) ?? `/* ${typeName(type)} */`}`)
    .join(', ');
  return `UPCAST FROM ${event === undefined ? '' : `EVENT ${event} `}(${from}) AS (${values})`;
}
