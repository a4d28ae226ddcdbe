/** Writes the manifest of an open log, after everything that the manifest says is durable. */
import { joinPath, withFile, type Disk, type StoreLog } from '../disk.ts';
import { isSameManifest, writeManifest, type Manifest } from './manifest.ts';
import type { Segment } from './recover.ts';

export interface ManifestKeeper {
  /** Records an unsynced write to this segment. */
  readonly unsynced: (segment: Segment) => void;
  /**
   * Makes everything durable that is not certainly durable. Rejects when the disk does not confirm it, and then always.
   */
  readonly syncAll: () => Promise<void>;
  /**
   * Does the work of `syncAll`, then writes the manifest. A failure of only the manifest is reported and not thrown: the previous one stays
   * valid.
   */
  readonly record: () => Promise<void>;
  /** Why the manifest is older than it should be. */
  readonly problem: () => string | undefined;
}

interface Place {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: StoreLog;
}

/** `segments` grows with the log; `known` is the manifest in the directory. */
export function createManifestKeeper(
  { directory, disk, log }: Place,
  segments: readonly Segment[],
  known: Manifest | undefined,
): ManifestKeeper {
  let written = known;
  let problem: string | undefined;
  let last: Promise<void> = Promise.resolve();
  // Unsynced writes of the process before may be only in the memory of the machine.
  const open = new Set(
    isCurrent(known, segments) ? [] : segments.slice(Math.max(0, (known?.segments.length ?? 0) - 1)),
  );

  const syncOpen = async (): Promise<void> => {
    const behind = [...open];
    open.clear();
    for (const { name } of behind) await withFile(disk, joinPath(directory, name), 'write', (file) => file.sync());
    if (behind.length > 0) await disk.syncDirectory(directory);
  };

  const record = async (): Promise<void> => {
    if (segments.length === 0) return;
    const next = manifestOf(segments);
    await syncOpen();
    if (written !== undefined && isSameManifest(next, written)) return;
    try {
      await writeManifest(disk, directory, next);
      written = next;
      problem = undefined;
    } catch (error) {
      problem = `how far the log reaches could not be recorded: ${error instanceof Error ? error.message : String(error)}`;
      log('warn', problem);
    }
  };

  /** Runs one work after the other; none after a failed sync. */
  const inTurn = (work: () => Promise<void>): Promise<void> => (last = last.then(work));

  return {
    unsynced: (segment) => {
      open.add(segment);
    },
    syncAll: () => inTurn(syncOpen),
    record: () => inTurn(record),
    problem: () => problem,
  };
}

function manifestOf(segments: readonly Segment[]): Manifest {
  return {
    segments: segments.map(({ header }) => ({ firstEntry: header.firstEntry, id: header.id })),
    lastEntry: (segments.at(-1)?.nextEntry ?? 1) - 1,
  };
}

function isCurrent(known: Manifest | undefined, segments: readonly Segment[]): boolean {
  return known !== undefined && isSameManifest(known, manifestOf(segments));
}
