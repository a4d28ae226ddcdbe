/**
 * Which reads the read model answers at once, as far as was seen: a look-up of a row takes microseconds, and a read of the same shape over a
 * large table may take a second. Many quick ones may be asked together without delaying a command that comes behind them. A relation whose
 * filters were seen to be slow is searched on a copy.
 */
export interface QuickReads {
  /** Whether the last read of this shape was quick. */
  readonly isQuick: (shape: string) => boolean;
  /** A read of this shape took the read model so long. */
  readonly took: (shape: string, milliseconds: number) => void;
  /** Whether a search of this relation was slow in the last minutes. */
  readonly isSlow: (relation: string) => boolean;
  /** A search of this relation, by a filter or an order, took longer than others may wait. */
  readonly wasSlow: (relation: string) => void;
}

/** The time of a quick read. With the most that are asked at once, a command may have to wait 32 ms, and mostly waits less than one. */
const quickMilliseconds = 0.5;
/** A search that takes longer is one that others notice. */
export const slowMilliseconds = 50;
/** Time for which a slow search is remembered. A relation has any number of filters, so a quick one says nothing about the others. */
const slowFor = 600_000;
/** Shapes and relations that are remembered. Callers choose among columns and tests, so there may be many. */
const mostShapes = 1_000;

export function createQuickReads(now: () => number = () => performance.now()): QuickReads {
  const quick = new Set<string>();
  const slow = new Map<string, number>();
  return {
    isQuick: (shape) => quick.has(shape),
    took: (shape, milliseconds) => {
      if (milliseconds > quickMilliseconds) {
        quick.delete(shape);
        return;
      }
      if (quick.size >= mostShapes && !quick.has(shape)) quick.clear();
      quick.add(shape);
    },
    isSlow: (relation) => now() - (slow.get(relation) ?? -Infinity) < slowFor,
    wasSlow: (relation) => {
      if (slow.size >= mostShapes && !slow.has(relation)) slow.clear();
      slow.set(relation, now());
    },
  };
}
