/**
 * Which reads the read model answers at once, as far as was seen: a look-up of a row takes microseconds, and a read of the same shape over a
 * large table may take a second. Many quick ones may be asked together without delaying a command that comes behind them.
 */
export interface QuickReads {
  /** Whether the last read of this shape was quick. */
  readonly isQuick: (shape: string) => boolean;
  /** A read of this shape took the read model so long. */
  readonly took: (shape: string, milliseconds: number) => void;
}

/** The time of a quick read. With the most that are asked at once, a command may have to wait 32 ms, and mostly waits less than one. */
const quickMilliseconds = 0.5;
/** Shapes that are remembered. Callers choose among columns and tests, so there may be many. */
const mostShapes = 1_000;

export function createQuickReads(): QuickReads {
  const quick = new Set<string>();
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
  };
}
