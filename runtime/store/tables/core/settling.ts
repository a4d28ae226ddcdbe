/**
 * Decides when the tables of a file are made durable: seldom, since it waits for the disk, and often enough that a start
 * after a crash has little to read again from the log.
 */
export interface Settling {
  /** That many entries were written since the last call. */
  readonly wrote: (entries: number) => void;
  /** Makes everything durable; false when readers of the file prevent it now. */
  readonly now: () => boolean;
  readonly stop: () => void;
}

/** The most entries, and the longest time in ms, that a crash may take back. */
const mostEntries = 20_000;
const longest = 2_000;
/** Readers hold their lock for a short time. */
const retryMilliseconds = 20;

export interface SettlingOptions {
  /** False for tables in memory, which end with the process. */
  readonly isNeeded: boolean;
  readonly settle: () => boolean;
  /** Everything written is durable. */
  readonly onSettled: () => void;
  readonly onError: (error: unknown) => void;
}

export function createSettling({ isNeeded, settle, onSettled, onError }: SettlingOptions): Settling {
  let unsettled = 0;
  let timer: NodeJS.Timeout | undefined;

  const after = (milliseconds: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      attempt();
    }, milliseconds).unref();
  };
  const now = (): boolean => {
    if (!settle()) return false;
    if (isNeeded) onSettled();
    unsettled = 0;
    clearTimeout(timer);
    timer = undefined;
    return true;
  };
  const attempt = (): void => {
    try {
      if (!now()) after(retryMilliseconds);
    } catch (error) {
      onError(error);
    }
  };

  return {
    wrote: (entries) => {
      if (!isNeeded) return;
      unsettled += entries;
      if (unsettled >= mostEntries) attempt();
      else after(longest);
    },
    now,
    stop: () => clearTimeout(timer),
  };
}
