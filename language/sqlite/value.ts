/** Values to the forms that sql.js binds, and back from the forms that it returns when read with `useBigInt`. */
import { fromPayload, toPayload } from '../values/payload.ts';
import type { Type, Value } from '../values/type.ts';

export type SqliteParameter = null | string | number;

/** Whether values of the type are integers inside SQLite. */
export function isSqliteInteger(type: Type): boolean {
  return !['STRING', 'UUID', 'INTERVAL', 'JSON', 'DOUBLE', 'LIST', 'STRUCT', 'NULL'].includes(type.kind);
}

/**
 * The value to bind. 64-bit integers go as text, which `CAST(?1 AS INTEGER)` and an INTEGER column make exact; sql.js would also bind a
 * bigint as text, but compare it as text. A whole DOUBLE would arrive as an INTEGER, so it needs `CAST(?1 AS REAL)` or a REAL column.
 */
export function toSqlite(value: Value, type: Type): SqliteParameter {
  if (value === null) return null;
  switch (type.kind) {
    case 'LIST':
    case 'STRUCT':
      return JSON.stringify(toPayload(value, type));
    case 'BOOLEAN':
      return value === true ? 1 : 0;
    default:
      return typeof value === 'bigint' ? value.toString() : (value as string | number);
  }
}

/** A parameter's place in SQL text: `?1`, cast so that every bound form means the same value. */
export function sqliteParameter(number: number, type: Type): string {
  if (type.kind === 'DOUBLE') return `CAST(?${number} AS REAL)`;
  return isSqliteInteger(type) ? `CAST(?${number} AS INTEGER)` : `?${number}`;
}

/** The value of a result cell. */
export function fromSqlite(cell: unknown, type: Type): Value {
  if (cell === null || cell === undefined) return null;
  switch (type.kind) {
    case 'BOOLEAN':
      return Number(cell) !== 0;
    case 'INT':
    case 'DATE':
    case 'DOUBLE':
      // SQLite has a negative zero, the language does not.
      return Number(cell) + 0;
    case 'BIGINT':
    case 'DECIMAL':
    case 'TIMESTAMP':
    case 'WALL':
      return typeof cell === 'bigint' ? cell : wrongCell(cell, type);
    case 'LIST':
    case 'STRUCT':
      return fromPayload(typeof cell === 'string' ? JSON.parse(cell) : wrongCell(cell, type), type);
    default:
      return typeof cell === 'string' ? cell : wrongCell(cell, type);
  }
}

/** SQLite turned a value into another storage class: the printed SQL is wrong, and a silently rounded answer would be worse. */
function wrongCell(cell: unknown, type: Type): never {
  throw new TypeError(`SQLite gave a ${typeof cell} where a ${type.kind} was asked for`);
}
