/** Notices that an open log is damaged, or no longer in its place: by errors of reads, and by checking the names of its segments. */
import { Failure } from '../../../language/failure/failure.ts';
import { joinPath, type Disk } from '../disk.ts';
import type { Segment } from './recover.ts';

export interface LogWatch {
  /** What was found, for good: such a log would not start again. */
  readonly found: () => string | undefined;
  /** Looks at the lock and at all segments. Many at the same time are one. */
  readonly look: () => Promise<void>;
  /** The same lines; damage that they meet is kept in mind. */
  readonly read: (lines: AsyncIterable<readonly string[]>) => AsyncGenerator<readonly string[], void, undefined>;
}

interface Place {
  readonly directory: string;
  readonly disk: Disk;
  readonly lost: () => string | undefined;
}

/** `segments` grows with the log. */
export function createLogWatch({ directory, disk, lost }: Place, segments: readonly Segment[]): LogWatch {
  let found: string | undefined;
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    const expected = segments.map(({ name }) => name);
    const names = new Set(await disk.list(directory));
    const missing = expected.find((name) => !names.has(name));
    found ??= lost() ?? (missing === undefined ? undefined : `${joinPath(directory, missing)} is gone`);
  };

  return {
    found: () => found,
    look: () =>
      (looking ??= look()
        // A directory that cannot be listed at the moment says nothing of what is in it.
        .catch(() => undefined)
        .finally(() => {
          looking = undefined;
        })),
    async *read(lines) {
      try {
        yield* lines;
      } catch (error) {
        if (error instanceof Failure && error.code === 'R0405') found ??= error.message;
        throw error;
      }
    },
  };
}
