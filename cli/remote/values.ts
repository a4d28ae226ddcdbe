import type { Column } from '../../language/contract/query.ts';
import type { NamedValue, Table } from '../../runtime/engine/outcome.ts';
import { writeJsonValue } from '../../language/values/json-write.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { fromPayload, type Payload } from '../../language/values/payload.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { isList, isObject } from '../../language/values/json.ts';

const string: Type = { kind: 'STRING' };

/** A value that a server sent, as one of the type that its registry names. */
export function typedValue(json: JsonValue, type: Type): Value {
  return fromPayload(payloadOf(json, type), type);
}

/** A value as a log holds it: numbers by their digits, and JSON as a text. */
function payloadOf(json: JsonValue, type: Type): Payload {
  if (json === null) return null;
  if (type.kind === 'JSON') return writeJsonValue(json);
  if (json instanceof ExactNumber) return json.text;
  if (type.kind === 'LIST' && isList(json)) return json.map((item) => payloadOf(item, type.of));
  if (type.kind !== 'STRUCT' || !isObject(json)) return typeof json === 'object' ? writeJsonValue(json) : json;
  const fields = type.fields.filter(({ name }) => json.has(name));
  return Object.fromEntries(fields.map((field) => [field.name, payloadOf(json.get(field.name) ?? null, field.type)]));
}

/** The type and the mark of a value, by its name. */
export type TypeOf = (name: string) => Pick<Column, 'type' | 'sensitive'> | undefined;

/** Values by name. One whose type is not known is shown as JSON tells it. */
export function remoteNamed(values: JsonObject, typeOf: TypeOf): readonly NamedValue[] {
  return [...values].map(([name, json]) => {
    const known = typeOf(name);
    if (known === undefined) return { name, sensitive: false, ...untypedValue(json) };
    return { name, type: known.type, sensitive: known.sensitive, value: typedValue(json, known.type) };
  });
}

/** The rows of a relation whose columns are known. */
export function typedTable(json: JsonValue, columns: readonly Column[]): Table {
  const rows = isList(json) ? json.filter(isObject) : [];
  return { columns, rows: rows.map((row) => columns.map(({ name, type }) => typedValue(row.get(name) ?? null, type))) };
}

function untypedValue(json: JsonValue): { readonly type: Type; readonly value: Value } {
  if (json === null) return { type: string, value: null };
  if (typeof json === 'string') return { type: string, value: json };
  if (typeof json === 'boolean') return { type: { kind: 'BOOLEAN' }, value: json };
  if (!(json instanceof ExactNumber)) return { type: { kind: 'JSON' }, value: writeJsonValue(json) };
  const [, whole, fraction = ''] = /^(-?\d{1,20})(?:\.(\d{1,18}))?$/.exec(json.text) ?? [];
  if (whole === undefined) return { type: string, value: json.text };
  return { type: { kind: 'DECIMAL', precision: 38, scale: fraction.length }, value: BigInt(whole + fraction) };
}

/** A list of objects as a table, for a caller without any types. A column has the type of its values if they agree, else STRING. */
export function untypedTable(json: JsonValue): Table {
  const rows = isList(json) ? json.filter(isObject) : [];
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const typed = names.map((name) => untypedColumn(rows.map((row) => row.get(name) ?? null)));
  return {
    columns: names.map((name, index): Column => ({
      name,
      type: typed[index]?.type ?? string,
      nullable: true,
      sensitive: false,
    })),
    rows: rows.map((_, row) => typed.map((column) => column.values[row] ?? null)),
  };
}

function untypedColumn(cells: readonly JsonValue[]): { readonly type: Type; readonly values: readonly Value[] } {
  const found = cells.map(untypedValue);
  const types = new Set(found.filter(({ value }) => value !== null).map(({ type }) => JSON.stringify(type)));
  const [only] = found.filter(({ value }) => value !== null);
  if (only !== undefined && types.size === 1) return { type: only.type, values: found.map(({ value }) => value) };
  return {
    type: string,
    values: cells.map((cell) => (cell === null || typeof cell === 'string' ? cell : writeJsonValue(cell))),
  };
}
