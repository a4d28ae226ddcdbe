/**
 * Keeps large reads from delaying commands: both are answered by the read model's one thread, and a command reads its
 * state between two steps. Only one large read runs at a time, and after it the commands that arrived meanwhile get as
 * much time as it took. Without this each command would wait behind large reads for every state that it reads, and a
 * few readers would make the queue of commands grow without limit.
 */

export interface LargeReads {
  /** Runs a large read when the one before has ended and the commands that it delayed have had their time. */
  readonly inTurn: <T>(read: () => Promise<T>) => Promise<T>;
  /** Runs a read for a command at once. */
  readonly forCommand: <T>(read: () => Promise<T>) => Promise<T>;
}

/**
 * Commands read one after the other, a moment apart: without a read for this long, no command is left that a large read
 * delayed. In ms.
 */
const calm = 4;
/** A timer takes at least this long, in ms: breaks after shorter reads are added up, so that no such read waits five times as long as it takes. */
const shortestBreak = 1;
/** The most time for commands between two large reads, in ms, so that a large read waits for a limited time. */
const longestBreak = 1_000;

/** `monotonic`: milliseconds on a clock that never decreases. */
export function createLargeReads(monotonic: () => number): LargeReads {
  let before: Promise<unknown> = Promise.resolve();
  let commandsAsking = 0;
  let lastAsked = -Infinity;
  /** Time that commands still have to get, in ms. */
  let owed = 0;

  const commandsHaveTime = async (milliseconds: number): Promise<void> => {
    const end = monotonic() + Math.min(milliseconds, longestBreak);
    for (let now = monotonic(); now < end; now = monotonic()) {
      if (commandsAsking === 0 && now - lastAsked >= calm) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(calm, end - now)));
    }
  };

  return {
    inTurn: (read) => {
      const own = before.then(async () => {
        const begun = monotonic();
        const result = read();
        await result.catch(() => undefined); // the caller handles the error
        return { result, took: monotonic() - begun };
      });
      before = own.then(({ took }) => {
        lastAsked = Math.max(lastAsked, monotonic());
        owed += took;
        if (owed < shortestBreak) return undefined;
        const milliseconds = owed;
        owed = 0;
        return commandsHaveTime(milliseconds);
      });
      return own.then(({ result }) => result);
    },
    forCommand: async (read) => {
      commandsAsking += 1;
      try {
        return await read();
      } finally {
        commandsAsking -= 1;
        lastAsked = monotonic();
      }
    },
  };
}
