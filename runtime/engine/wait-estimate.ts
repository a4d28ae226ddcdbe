/**
 * Estimates the time that a command which arrives now would wait for those before it. Two times count: the time to decide a command, and
 * the rest of a batch, which is mostly its commit. Commands of one batch share a commit, so only full batches in front make a command wait
 * for more of them: to refuse a command that has room in the next batch would make no other command faster.
 *
 * Each time is the middle one of the last few, so that a single slow commit, or a pause of the process, refuses no caller of a server that
 * is fast otherwise. After a minute without commands they say nothing about the next ones.
 */
export interface WaitEstimate {
  /**
   * Milliseconds, for a command that comes now, behind `waiting` commands in the queue, and `undurable` ones that are decided but not
   * durable yet.
   */
  readonly behind: (waiting: number, undurable: number, now: number) => number;
  /** To be called when a batch is answered or has failed. */
  readonly answered: (batch: AnsweredBatch) => void;
}

/** Times in ms, on a clock that never decreases. */
export interface AnsweredBatch {
  readonly commands: number;
  readonly begun: number;
  /** The time of its turn. */
  readonly deciding: number;
  readonly ended: number;
  /** The last durable entry when it ended. */
  readonly entry: number;
}

const quietMilliseconds = 60_000;

/** `most` is the number of commands in a full batch. */
export function createWaitEstimate(most: number): WaitEstimate {
  let command = createMiddle();
  let commit = createMiddle();
  let last = { ended: -Infinity, entry: -1 };
  const isQuiet = (now: number): boolean => now - last.ended > quietMilliseconds;
  return {
    behind: (waiting, undurable, now) =>
      undurable === 0 && isQuiet(now)
        ? 0
        : waiting * command.value() + Math.floor((waiting + undurable) / most) * commit.value(),
    answered: ({ commands, begun, deciding, ended, entry }) => {
      if (isQuiet(begun)) [command, commit] = [createMiddle(), createMiddle()];
      command.add(deciding / Math.max(1, commands));
      // Batches that were decided during one commit share the next.
      const isShared = begun < last.ended && entry === last.entry;
      if (!isShared) commit.add(Math.max(0, ended - Math.max(begun, last.ended) - deciding));
      last = { ended, entry };
    },
  };
}

/** Number of times that are remembered: two of them may be exceptions. */
const remembered = 5;

/** The middle one of the last values; 0 before any, and as long as most are missing. */
function createMiddle(): { readonly add: (value: number) => void; readonly value: () => number } {
  let values: readonly number[] = Array.from({ length: remembered }, () => 0);
  let middle = 0;
  return {
    add: (value) => {
      values = [...values.slice(1), value];
      middle = values.toSorted((a, b) => a - b)[(remembered - 1) / 2] ?? 0;
    },
    value: () => middle,
  };
}
