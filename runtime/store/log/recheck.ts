/**
 * Checks every frame of the segments that a start took as they were, while the store serves, and remembers where their
 * frames are. Nothing that it finds was served: each read of the log checks the frames that it reads.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { fail, Failure } from '../../../language/failure/failure.ts';
import { joinPath, type Disk, type StoreLog } from '../disk.ts';
import { createFrameIndex, type FrameIndex } from './frame-index.ts';
import type { Segment } from './recover.ts';
import { scanSegment } from './scan.ts';
import { segmentHeaderBytes } from './segment.ts';

export interface Recheck {
  /** Begins, once. */
  readonly begin: () => void;
  /** Resolves when it no longer reads. */
  readonly end: () => Promise<void>;
}

export interface RecheckOptions {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: StoreLog;
  /** Damage, or a file that cannot be read. Called at most once; the check ends with it. */
  readonly onProblem: (problem: string) => Promise<void>;
}

/** Between two reads of a MiB, so that the check takes a small part of a processor and of a disk: at most 100 MiB/s. */
const pauseMilliseconds = 10;

export function createRecheck(options: RecheckOptions, segments: readonly Segment[]): Recheck {
  const { directory, log, onProblem } = options;
  let isOver = false;
  let running: Promise<void> | undefined;

  const checkAll = async (some: readonly Segment[]): Promise<void> => {
    for (const segment of some) {
      const path = joinPath(directory, segment.name);
      try {
        const index = await checkSegment(options, segment, path, () => isOver);
        if (index === undefined) return;
        segment.index = index;
      } catch (error) {
        const problem = error instanceof Failure ? error.message : `${path} cannot be read: ${messageOf(error)}`;
        await onProblem(problem);
        return;
      }
    }
    log('info', `every frame of the log is checked: ${some.length} segments that were checked before are unchanged`);
  };

  return {
    begin: () => {
      const some = segments.filter(({ checked, index }) => checked !== undefined && index.last() === undefined);
      if (some.length === 0) return;
      running ??= checkAll(some).catch((error: unknown) => log('error', messageOf(error)));
    },
    end: async () => {
      isOver = true;
      await running;
    },
  };
}

/** The places of its frames; undefined if the check is over before. R0405 when it is damaged. */
async function checkSegment(
  { disk }: RecheckOptions,
  { header, end, nextEntry }: Segment,
  path: string,
  isOver: () => boolean,
): Promise<FrameIndex | undefined> {
  const index = createFrameIndex();
  const file = await disk.open(path, 'read');
  try {
    const range = { segmentId: header.id, offset: segmentHeaderBytes, nextEntry: header.firstEntry, end };
    const scan = scanSegment(file, range);
    for (;;) {
      const step = await scan.next();
      if (step.done) {
        const { offset, problem } = step.value;
        if (problem !== undefined) throw fail('R0405', { file: path, offset, problem });
        if (step.value.nextEntry !== nextEntry)
          throw fail('R0405', { file: path, offset, problem: `it ends with entry ${step.value.nextEntry - 1}` });
        return index;
      }
      for (const frame of step.value) index.add(frame.header.firstEntry, frame.offset);
      await pause(pauseMilliseconds);
      if (isOver()) return undefined;
    }
  } finally {
    await file.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
