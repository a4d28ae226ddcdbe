/**
 * Keeps large reads from holding up commands: both are answered by the read model's one thread, and a command asks for its state between
 * two steps. One large read is asked for at a time, and after it the commands that came meanwhile have as long as it took. Without this,
 * each command waits behind large reads for every state that it asks for, and a few readers make the queue of commands grow without end.
 */

export interface LargeReads {
  /** Asks for a large read when the one before has ended and the commands that it held up have had their time. */
  readonly inTurn: <T>(read: () => Promise<T>) => Promise<T>;
  /** Asks at once for what a command reads. */
  readonly forCommand: <T>(read: () => Promise<T>) => Promise<T>;
}

/** Commands ask one after the other, a moment apart: with no question for so long, none is left that a large read held up. In ms. */
const calm = 4;
/** Commands have this at most between two large reads, in ms, so that a large read waits for a bounded time. */
const longestBreak = 1_000;

/** `monotonic`: milliseconds on a clock that never falls. */
export function createLargeReads(monotonic: () => number): LargeReads {
  let before: Promise<unknown> = Promise.resolve();
  let commandsAsking = 0;
  let lastAsked = -Infinity;

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
        await result.catch(() => undefined); // the caller gets it
        return { result, took: monotonic() - begun };
      });
      before = own.then(({ took }) => {
        lastAsked = Math.max(lastAsked, monotonic());
        return commandsHaveTime(took);
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
