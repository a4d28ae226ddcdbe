/**
 * Bounds a flood of rejected commands under `envelope.commands = 'all'` (docs/language.md#recorded-commands): a limited number of those
 * without an id is kept in a second, and the others are counted. The next kept command on their aggregate records the count.
 */
export interface RecordingBound {
  /** Whether a rejected command of an aggregate is kept at an instant (µs since 1970); it is counted if not. */
  readonly mayKeep: (request: object, aggregate: string, now: bigint, mostInSecond: number) => boolean;
  /** The commands on the aggregate that were counted since the last kept one. */
  readonly counted: (request: object, aggregate: string) => number;
}

/** Makes the bound of one engine. A turn may run again, so each request has one answer of each kind. */
export function createRecordingBound(): RecordingBound {
  const answered = new WeakMap<object, boolean>();
  const given = new WeakMap<object, number>();
  const waiting = new Map<string, number>();
  let second = 0n;
  let kept = 0;
  return {
    mayKeep: (request, aggregate, now, mostInSecond) => {
      const before = answered.get(request);
      if (before !== undefined) return before;
      if (now / 1_000_000n !== second) {
        second = now / 1_000_000n;
        kept = 0;
      }
      const keeps = kept < mostInSecond;
      if (keeps) kept += 1;
      else waiting.set(aggregate, (waiting.get(aggregate) ?? 0) + 1);
      answered.set(request, keeps);
      return keeps;
    },
    counted: (request, aggregate) => {
      const all = (given.get(request) ?? 0) + (waiting.get(aggregate) ?? 0);
      if (all === 0) return 0;
      waiting.delete(aggregate);
      given.set(request, all);
      return all;
    },
  };
}
