import type { Value } from './type.ts';

/** The text of a value that is neither a list nor a struct, NULL as ''; two values of one type have the same text only when equal. */
export function scalarText(value: Value | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') throw new TypeError('a list or a struct has no text of its own');
  return String(value);
}
