/** The clock of a session in memory: it goes with its base, plus all that ADVANCE CLOCK moved it forward. */
export interface SessionClock {
  /** µs since 1970. */
  readonly now: () => bigint;
  /** Stops at that moment, until `go`. */
  readonly stop: (moment: bigint) => void;
  /** Continues from the moment at which it was stopped. */
  readonly go: () => void;
}

export function createSessionClock(base: () => bigint): SessionClock {
  let ahead = 0n;
  let stopped: bigint | undefined;
  return {
    now: () => stopped ?? base() + ahead,
    stop: (moment) => {
      stopped = moment;
    },
    go: () => {
      if (stopped === undefined) return;
      const moved = stopped - base();
      if (moved > ahead) ahead = moved;
      stopped = undefined;
    },
  };
}
