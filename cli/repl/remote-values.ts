import type { Column } from '../../language/contract/query.ts';
import type { NamedValue, Table } from '../../runtime/engine/outcome.ts';
import { writeJsonValue } from '../../language/values/json-write.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { isList, isObject } from '../expectations/exact-json.ts';

const string: Type = { kind: 'STRING' };

/** A JSON value as a typed value, shown as written; JSON says nothing more about its type. */
export function remoteValue(json: JsonValue): { readonly type: Type; readonly value: Value } {
  if (json === null) return { type: string, value: null };
  if (typeof json === 'string') return { type: string, value: json };
  if (typeof json === 'boolean') return { type: { kind: 'BOOLEAN' }, value: json };
  if (!(json instanceof ExactNumber)) return { type: { kind: 'JSON' }, value: writeJsonValue(json) };
  const [, whole, fraction = ''] = /^(-?\d{1,20})(?:\.(\d{1,18}))?$/.exec(json.text) ?? [];
  if (whole === undefined) return { type: string, value: json.text };
  return { type: { kind: 'DECIMAL', precision: 38, scale: fraction.length }, value: BigInt(whole + fraction) };
}

export function remoteNamed(values: JsonObject): readonly NamedValue[] {
  return [...values].map(([name, json]) => ({ name, sensitive: false, ...remoteValue(json) }));
}

/** A list of objects as a table. A column has the type of its values if they agree, else STRING. */
export function remoteTable(json: JsonValue): Table {
  const rows = isList(json) ? json.filter(isObject) : [];
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const typed = names.map((name) => remoteColumn(rows.map((row) => row.get(name) ?? null)));
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

function remoteColumn(cells: readonly JsonValue[]): { readonly type: Type; readonly values: readonly Value[] } {
  const found = cells.map(remoteValue);
  const types = new Set(found.filter(({ value }) => value !== null).map(({ type }) => JSON.stringify(type)));
  const [only] = found.filter(({ value }) => value !== null);
  if (only !== undefined && types.size === 1) return { type: only.type, values: found.map(({ value }) => value) };
  return {
    type: string,
    values: cells.map((cell) => (cell === null || typeof cell === 'string' ? cell : writeJsonValue(cell))),
  };
}
