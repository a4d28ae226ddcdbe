import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExactNumber, type JsonValue } from '../language/values/json.ts';
import { writeJsonValue } from '../language/values/json-write.ts';
import { isList, isObject, readExactJson } from './expectations/exact-json.ts';
import { environmentFault, inputFault } from './exit-fault.ts';

/** The CREATE TABLE with the rows of a JSON file: a list of objects, whose keys become columns. Numbers stay exact. */
export function readTable(cwd: string, name: string, file: string): string {
  const rows = readRows(resolve(cwd, file), file);
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  if (columns.length === 0) throw inputFault(`'${file}' has no row with a column`);
  const values = rows.map((row) => `(${columns.map((column) => literal(row.get(column) ?? null)).join(', ')})`);
  return `CREATE TABLE ${quoted(name)} (${columns.map(quoted).join(', ')}) AS VALUES ${values.join(', ')}`;
}

function readRows(path: string, file: string): readonly ReadonlyMap<string, JsonValue>[] {
  try {
    const value = readExactJson(readFileSync(path, 'utf8'));
    if (isList(value) && value.every(isObject)) return value;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fault = code === undefined || code === 'ENOENT' || code === 'EISDIR' ? inputFault : environmentFault;
    throw fault(`the table file '${file}' cannot be read: ${message}`);
  }
  throw inputFault(`the table file '${file}' must contain a list of objects`);
}

function literal(value: JsonValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof ExactNumber) return value.text;
  return `'${(typeof value === 'string' ? value : writeJsonValue(value)).replaceAll("'", "''")}'`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
