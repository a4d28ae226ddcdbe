/**
 * Functions for generated event encoders: each call gives one member of the stored JSON object in the payload form of
 * `values/type.ts`, or nothing for NULL. Names are checked field names, so they need no escaping.
 */
import { printDate } from '../../language/values/date.ts';
import { printDecimal } from '../../language/values/decimal.ts';
import { printTimestamp } from '../../language/values/timestamp.ts';

/** One JSON object text of the members that are not empty. */
export function object(...members: readonly string[]): string {
  let text = '';
  for (const member of members) if (member !== '') text += text === '' ? member : `,${member}`;
  return `{${text}}`;
}

function member<T>(name: string, value: T | null, write: (value: T) => string): string {
  return value === null ? '' : `"${name}":${write(value)}`;
}

/** STRING, UUID and JSON (whose text is stored as a string). */
export function text(name: string, value: string | null): string {
  return member(name, value, JSON.stringify);
}
/** INT and DOUBLE. Any other value is left out, because it would be written as JSON of its own. */
export function number(name: string, value: number | null): string {
  if (value !== null && !Number.isFinite(value)) throw new TypeError(`${name} is no number`);
  return member(name, value, String);
}
export function bigint(name: string, value: bigint | null): string {
  return member(name, value, (whole) => `"${whole}"`);
}
export function decimal(name: string, value: bigint | null, scale: number): string {
  return member(name, value, (unscaled) => `"${printDecimal(unscaled, scale)}"`);
}
export function boolean(name: string, value: boolean | null): string {
  return member(name, value, (truth) => (truth ? 'true' : 'false'));
}
export function timestamp(name: string, value: bigint | null): string {
  return member(name, value, (instant) => `"${printTimestamp(instant)}"`);
}
export function date(name: string, value: number | null): string {
  return member(name, value, (day) => `"${printDate(day)}"`);
}
