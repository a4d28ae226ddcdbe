import type { Value } from '../../language/values/type.ts';
import type { BatchParts } from './record-batch.ts';

const none = new Uint8Array(0);

/**
 * Starts a column: its node, and a bit for each value that is set when it is not NULL; no bits when no value is NULL.
 */
export function beginColumn(values: readonly Value[], into: BatchParts): void {
  let nullCount = 0;
  for (const value of values) if (value === null) nullCount++;
  into.nodes.push(values.length, nullCount);
  into.buffers.push(nullCount === 0 ? none : presence(values));
}

function presence(values: readonly Value[]): Uint8Array {
  const bits = new Uint8Array((values.length + 7) >> 3);
  for (let at = 0; at < values.length; at++) {
    if (values[at] !== null) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return bits;
}
