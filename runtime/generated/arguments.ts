/**
 * Functions for generated command decoders: each call reads one argument. All throw a `Failure` R01xx that names the
 * command and the field; the `Secret` ones, for SENSITIVE fields, never quote the value.
 */
import { fail } from '../../language/failure/failure.ts';
import { readInput } from '../../language/values/input.ts';
import type { JsonObject, JsonValue } from '../../language/values/json.ts';
import { typeName } from '../../language/values/type.ts';
import type { Reader } from './reader.ts';

/** Refuses arguments that the command does not declare. */
export function onlyKnown(command: string, sent: JsonObject, fields: readonly string[]): void {
  for (const field of sent.keys()) if (!fields.includes(field)) throw fail('R0102', { command, field, known: fields });
}

/** An argument that may be neither absent nor NULL. */
export function required<T>(command: string, field: string, sent: JsonObject, reader: Reader<T>): T {
  return read(command, field, present(command, field, sent, reader), reader, false);
}
export function requiredSecret<T>(command: string, field: string, sent: JsonObject, reader: Reader<T>): T {
  return read(command, field, present(command, field, sent, reader), reader, true);
}

/** An argument that may be absent or NULL; both are NULL. */
export function optional<T>(command: string, field: string, sent: JsonObject, reader: Reader<T>): T | null {
  const given = sent.get(field) ?? null;
  return given === null ? null : read(command, field, given, reader, false);
}
export function optionalSecret<T>(command: string, field: string, sent: JsonObject, reader: Reader<T>): T | null {
  const given = sent.get(field) ?? null;
  return given === null ? null : read(command, field, given, reader, true);
}

/** An argument that may be absent, never NULL. */
export function defaulted<T>(command: string, field: string, sent: JsonObject, reader: Reader<T>, absent: T): T {
  const given = sent.get(field);
  return given === undefined ? absent : read(command, field, given, reader, false);
}
export function defaultedSecret<T>(command: string, field: string, sent: JsonObject, reader: Reader<T>, absent: T): T {
  const given = sent.get(field);
  return given === undefined ? absent : read(command, field, given, reader, true);
}

/** Refuses an empty stream id; gives any other one back. */
export function streamKey(command: string, field: string, id: string): string {
  if (id === '') throw fail('R0103', { command, field, takes: 'the id of a stream', given: 'an empty string' });
  return id;
}

function present(command: string, field: string, sent: JsonObject, reader: Reader<unknown>): JsonValue {
  const given = sent.get(field);
  if (given === undefined) throw fail('R0101', { command, field, takes: typeName(reader.type) });
  return given;
}

function read<T>(command: string, field: string, given: JsonValue, reader: Reader<T>, sensitive: boolean): T {
  if (given === null) throw fail('R0103', { command, field, takes: typeName(reader.type), given: 'NULL' });
  const input = readInput(given, reader.type, { sensitive });
  if (input.problem !== undefined) throw fail('R0103', { command, field, ...input.problem });
  return input.value as T; // the reader's type determines the type of the value
}
