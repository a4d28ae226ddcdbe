/**
 * Followers of a log that this process appends to. While there are followers the newest lines are kept in memory, up to
 * a limit, so that a thousand followers do not read the same frame a thousand times; a follower that is further behind
 * reads from the log. While its reader is busy a follower keeps one page and nothing else, not even an open file.
 */
import type { Journal } from '../journal.ts';

export interface Following {
  readonly follow: Journal['follow'];
  /** Called when these lines, whose first is entry `first`, have become durable and are known. Cheap without followers. */
  readonly moved: (first: number, lines: readonly string[]) => void;
  /** The known end has moved; the lines are only in the log. */
  readonly wake: () => void;
  readonly isFollowed: () => boolean;
  /** Ends all followers. */
  readonly close: () => void;
}

export interface FollowedLog extends Pick<Journal, 'read'> {
  /** Number of the last known entry. */
  readonly end: () => number;
  /** Called once by each follower, before it starts: the end as `Journal.fresh` gives it. */
  readonly fresh: () => Promise<unknown>;
}

/** Characters of the newest lines that are kept for followers. */
const tailCharacters = 4 * 1024 * 1024;

export function createFollowing(log: FollowedLog, most = tailCharacters): Following {
  const tail = createTail(most);
  /** Called once each at the next change. */
  const sleepers = new Set<() => void>();
  let followers = 0;
  let closed = false;

  const wake = (): void => {
    for (const resume of [...sleepers]) resume();
  };

  const sleep = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const resume = (): void => {
        sleepers.delete(resume);
        signal.removeEventListener('abort', resume);
        resolve();
      };
      signal.addEventListener('abort', resume);
      sleepers.add(resume);
    });

  /** The next lines, whose first is entry `next`; the log has it. */
  const page = async (next: number): Promise<readonly string[]> => {
    const recent = tail.from(next);
    if (recent !== undefined) return recent;
    for await (const lines of log.read(next, log.end())) return lines;
    throw new Error(`the log has no entry ${next}, though it ends at ${log.end()}`);
  };

  return {
    moved: (first, lines) => {
      if (followers === 0) return;
      tail.add(first, lines);
      wake();
    },
    wake,
    async *follow(from, signal) {
      await log.fresh();
      if (from < 1 || from > log.end() + 1)
        throw new Error(`the log cannot be followed from entry ${from}: it ends at entry ${log.end()}`);
      let next = from;
      followers += 1;
      try {
        while (!signal.aborted && !closed) {
          if (next > log.end()) {
            await sleep(signal);
            continue;
          }
          const lines = await page(next);
          next += lines.length;
          yield lines;
        }
      } finally {
        followers -= 1;
        if (followers === 0) tail.clear();
      }
    },
    isFollowed: () => followers > 0,
    close: () => {
      closed = true;
      wake();
    },
  };
}

interface Tail {
  /** Adds lines that follow those added before. */
  readonly add: (first: number, lines: readonly string[]) => void;
  /** The lines added together with entry `next`, from there on; undefined when they are no longer kept. */
  readonly from: (next: number) => readonly string[] | undefined;
  readonly clear: () => void;
}

function createTail(most: number): Tail {
  let groups: { readonly first: number; readonly lines: readonly string[]; readonly size: number }[] = [];
  let size = 0;
  return {
    add: (first, lines) => {
      const added = lines.reduce((sum, line) => sum + line.length, 0);
      groups.push({ first, lines, size: added });
      size += added;
      let gone = 0;
      while (size > most) size -= groups[gone++]?.size ?? size;
      if (gone > 0) groups = groups.slice(gone);
    },
    from: (next) => {
      const group = groups.findLast(({ first }) => first <= next);
      const lines = group?.lines.slice(next - group.first);
      return lines === undefined || lines.length === 0 ? undefined : lines;
    },
    clear: () => {
      groups = [];
      size = 0;
    },
  };
}
