/**
 * Payload fields of one name share a column, whose type is DECIMAL if one event has a DECIMAL and another any exact number. A column holds
 * 64 bits, which is too little for some values, such as a BIGINT of 19 digits where another event has a DECIMAL(18,4). Such a value is
 * stored in the column as text: `data` shows it, and a query or fold that reads the field alone fails with R0202.
 */
import type { Type, Value } from './type.ts';

/** Whether a column of the type can hold the value. */
export function hasCell(value: Value, type: Type): boolean {
  return type.kind !== 'DECIMAL' || typeof value !== 'bigint' || BigInt.asIntN(64, value) === value;
}

/** The text in the column for a value that it cannot hold: a sign that keeps SQLite from reading a number, then the stored leaf. */
export function leafAsCell(stored: unknown): string {
  return `#${String(stored)}`;
}
