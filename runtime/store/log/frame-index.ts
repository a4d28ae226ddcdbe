/**
 * Remembers the start of some frames of a segment: one in every 64 KiB, so that memory stays at a millionth of the log.
 */
export interface FrameIndex {
  /** Frames are added in order. */
  readonly add: (firstEntry: number, offset: number) => void;
  /** The nearest remembered frame at or before `entry`; undefined before the first. */
  readonly before: (entry: number) => FramePlace | undefined;
  /** The last remembered frame; undefined when there is none. */
  readonly last: () => FramePlace | undefined;
}

export interface FramePlace {
  readonly firstEntry: number;
  readonly offset: number;
}

export const frameIndexSpacing = 64 * 1024;

export function createFrameIndex(): FrameIndex {
  const entries: number[] = [];
  const offsets: number[] = [];
  const placeAt = (at: number): FramePlace | undefined => {
    const firstEntry = entries[at];
    const offset = offsets[at];
    return firstEntry === undefined || offset === undefined ? undefined : { firstEntry, offset };
  };
  return {
    add: (firstEntry, offset) => {
      const last = offsets.at(-1);
      if (last !== undefined && offset - last < frameIndexSpacing) return;
      entries.push(firstEntry);
      offsets.push(offset);
    },
    before: (entry) => {
      let low = 0;
      let high = entries.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((entries[middle] ?? Infinity) <= entry) low = middle + 1;
        else high = middle;
      }
      return placeAt(low - 1);
    },
    last: () => placeAt(entries.length - 1),
  };
}
