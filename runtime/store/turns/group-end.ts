import type { StorePosition } from '../store.ts';

/** A batch of this size gets no further turns. */
const groupBytes = 8 * 1024 * 1024;

/** The last turn in the next batch: as many whole turns as fit, at least one. */
export function groupEnd(
  ended: readonly StorePosition[],
  ahead: readonly { readonly line: string }[],
  durableEntry: number,
): StorePosition {
  let bytes = 0;
  let counted = 0;
  let end = ended[0] as StorePosition; // the caller passes at least one
  for (const turn of ended) {
    for (; counted < turn.entry - durableEntry; counted += 1) bytes += ahead[counted]?.line.length ?? 0;
    if (bytes > groupBytes && turn !== ended[0]) break;
    end = turn;
  }
  return end;
}
