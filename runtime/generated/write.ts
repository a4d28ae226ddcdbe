/**
 * Functions for generated event encoders: each call gives one member of the stored JSON object in the payload form of
 * `values/type.ts`, or nothing for NULL. Names are checked field names, so they need no escaping. Each fails with R0202
 * for a value that `fromPayload` would not give back, whatever computed it: an event in the log is never taken out.
 */
import { fail } from '../../language/failure/failure.ts';
import { firstDay, lastDay } from '../../language/values/calendar.ts';
import { printDate } from '../../language/values/date.ts';
import { decimalDigits, fitDecimal, printDecimal } from '../../language/values/decimal.ts';
import { fitBigint } from '../../language/values/integer.ts';
import { fitTimestamp, printTimestamp } from '../../language/values/timestamp.ts';

/** A JSON object text of the members that are not empty. */
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
/** INT and DOUBLE. */
export function number(name: string, value: number | null): string {
  if (value !== null && !Number.isFinite(value)) throw fail('R0202', { type: 'DOUBLE', where: name });
  return member(name, value, String);
}
export function bigint(name: string, value: bigint | null): string {
  return member(name, value, (whole) => `"${fitBigint(whole, name)}"`);
}
export function decimal(name: string, value: bigint | null, scale: number): string {
  return member(
    name,
    value,
    (unscaled) => `"${printDecimal(fitDecimal(unscaled, decimalDigits, scale, name), scale)}"`,
  );
}
export function boolean(name: string, value: boolean | null): string {
  return member(name, value, (truth) => (truth ? 'true' : 'false'));
}
export function timestamp(name: string, value: bigint | null): string {
  return member(name, value, (instant) => `"${printTimestamp(fitTimestamp(instant, name))}"`);
}
export function date(name: string, value: number | null): string {
  if (value !== null && !(value >= firstDay && value <= lastDay)) throw fail('R0202', { type: 'DATE', where: name });
  return member(name, value, (day) => `"${printDate(day)}"`);
}
