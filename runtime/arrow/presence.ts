import type { Value } from '../values/type.ts';

/** Which values are there, as Arrow wants it: a bit a value, set where it is not NULL; no bitmap where none is NULL. */
export function presence(values: readonly Value[]): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullCount = 0;
  for (const value of values) if (value === null) nullCount++;
  if (nullCount === 0) return { nullCount };
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  for (let at = 0; at < values.length; at++) {
    if (values[at] !== null) nullBitmap[at >> 3] = (nullBitmap[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return { nullCount, nullBitmap };
}
