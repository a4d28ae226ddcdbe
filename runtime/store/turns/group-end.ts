import type { StorePosition } from './turn.ts';

/** A turn of this size takes no further commands, and a batch of it no further turns. On a shared log it is one statement to a database. */
export function groupBytes(shared: boolean): number {
  return (shared ? 4 : 8) * 1024 * 1024;
}

/** The last turn in the next batch: all whole turns that fit, at least one. */
export function groupEnd(
  ended: readonly StorePosition[],
  ahead: readonly { readonly line: string }[],
  durableEntry: number,
  mostBytes: number,
): StorePosition {
  let bytes = 0;
  let counted = 0;
  let end = ended[0] as StorePosition; // the caller passes at least one
  for (const turn of ended) {
    for (; counted < turn.entry - durableEntry; counted += 1) bytes += ahead[counted]?.line.length ?? 0;
    if (bytes > mostBytes && turn !== ended[0]) break;
    end = turn;
  }
  return end;
}
