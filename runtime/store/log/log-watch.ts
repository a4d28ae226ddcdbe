/**
 * Notices that an open log is damaged or no longer in its place: by errors of reads, and by checking the names of its
 * segments.
 */
import { Failure } from '../../../language/failure/failure.ts';
import { joinPath, type Disk } from '../disk.ts';
import type { Segment } from './recover.ts';

export interface LogWatch {
  /** The first problem found, kept forever: such a log could not be opened again. */
  readonly found: () => string | undefined;
  /** A problem that was found elsewhere. */
  readonly report: (problem: string) => void;
  /** Checks the lock and all segments. Simultaneous calls share one check. */
  readonly look: () => Promise<void>;
  /** Passes lines on; damage that reading them finds is kept in `found`. */
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
    report: (problem) => {
      found ??= problem;
    },
    look: () =>
      (looking ??= look()
        // A directory that cannot be listed now says nothing about its files.
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
