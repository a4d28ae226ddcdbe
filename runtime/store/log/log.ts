/**
 * The log on disk: segments of frames in a directory that this process owns. Takes lines and gives them back in order;
 * knows nothing of their content.
 */
import { fail } from '../../../language/failure/failure.ts';
import type { Disk, DiskFile, Randomness, StoreLog } from '../disk.ts';
import { joinPath } from '../disk.ts';
import { JournalFailure, type Journal } from '../journal.ts';
import type { Opening } from '../opening.ts';
import { createBatchEnds } from '../journal/batch-ends.ts';
import { createFollowing } from '../journal/following.ts';
import { encodeFrame } from './frame.ts';
import { createCheckedKeeper } from './checked-keeper.ts';
import { createLogWatch } from './log-watch.ts';
import { createManifestKeeper, type ManifestKeeper } from './manifest-keeper.ts';
import { readLines, segmentPath } from './read.ts';
import { createRecheck } from './recheck.ts';
import { recoverLog } from './recover-log.ts';
import type { Segment } from './recover.ts';
import { createSegment, replaceEmptySegment } from './new-segment.ts';
import { isFull } from './segment.ts';

export interface LogOptions {
  readonly directory: string;
  readonly disk: Disk;
  readonly random: Randomness;
  /**
   * False: answers do not wait for the disk; a power cut loses lines that were not written yet (`wal.fsync = false`).
   */
  readonly fsync: boolean;
  /** A segment of this size gets no further frames. */
  readonly rolloverBytes: number;
  readonly log: StoreLog;
  /** For a new store; else random. */
  readonly secret?: string;
  /** Why another process may own the directory by now (`DirectoryLock.lost`). */
  readonly lost: () => string | undefined;
  /** Continue without the entries from this one on, when the log has lost them. */
  readonly acceptLoss?: number;
  readonly opening?: Opening;
}

/** The log on disk: a journal with a manifest. */
export interface DiskLog extends Journal {
  /** Writes the manifest, so that a later start notices a missing end. Never part of an append. */
  readonly record: () => Promise<void>;
  /** Begins to check the frames that were not checked at the start, while everything else continues. */
  readonly recheck: () => void;
}

/** Each append checks the lock and its own segment, and one in this many checks all segments. */
const appendsPerLook = 64;

/**
 * Opens the log and checks every frame, except those of segments that were checked before and are unchanged; cuts a torn tail with a log line. Throws a `Failure` R0405 or R0406 with
 * segment and offset for anything else, R0412 when the end is missing. Needs no room before the first append, so that a
 * log on a full disk can still be read. No failure of a disk heals.
 */
export async function openLog(options: LogOptions): Promise<DiskLog> {
  const { directory, disk, random, fsync } = options;
  const found = await recoverLog(options);
  const segments = [...found.segments];
  const secret = segments[0]?.header.secret ?? options.secret ?? Buffer.from(random(32)).toString('hex');
  let file: DiskFile | undefined;
  let failed: JournalFailure | undefined;
  let appends = 0;

  const end = (): number => (segments.at(-1)?.nextEntry ?? 1) - 1;
  // A single process owns the directory, so the ids of batches need not outlive it.
  const ends = createBatchEnds({ entry: end(), batch: `found in segment ${segments.at(-1)?.header.id ?? 0n}` });
  const startSegment = async (): Promise<Segment> => {
    const last = segments.at(-1);
    const firstEntry = end() + 1;
    const isReplaced = last?.header.firstEntry === firstEntry;
    const { segment, file: made } = isReplaced
      ? await replaceEmptySegment(options, last)
      : await createSegment(options, { firstEntry, id: Buffer.from(random(8)).readBigUInt64LE(), secret });
    await file?.close();
    file = made;
    if (isReplaced) segments.pop();
    segments.push(segment);
    // Every segment that has a frame is in the manifest, so that an emptied one can be distinguished from an unfinished
    // one.
    if (fsync) await record();
    else manifest.unsynced(segment);
    return segment;
  };

  const manifest = createManifestKeeper(options, segments, found.manifest);
  const checked = createCheckedKeeper(options, segments);
  const record = async (): Promise<void> => {
    await manifest.record();
    await checked.record();
  };
  if (fsync) {
    await syncRead(manifest, directory);
    await record();
  }

  const extendSegment = async (segment: Segment, lines: readonly string[]): Promise<void> => {
    const frame = encodeFrame(lines, segment.nextEntry, segment.header.id);
    file ??= await disk.open(joinPath(directory, segment.name), 'write');
    // A process that reads the log from now on, such as a second owner, must find this write at this path, directly behind the one before.
    const size = file.sizeAt(joinPath(directory, segment.name));
    if (size === undefined) throw new Error(`${segment.name} is gone`);
    if (size !== segment.end)
      throw new Error(`${segment.name} has ${size} bytes, and ${segment.end} were written to it`);
    if (fsync) await file.writeThrough(frame, segment.end);
    else {
      manifest.unsynced(segment);
      await file.write(frame, segment.end);
    }
    // Another process that took the directory before this write may not have read it; one that comes later does.
    const lost = options.lost();
    if (lost !== undefined) throw new Error(lost);
    segment.index.add(segment.nextEntry, segment.end);
    segment.end += frame.length;
    segment.nextEntry += lines.length;
  };

  const watch = createLogWatch(options, segments);
  const recheck = createRecheck(
    {
      directory,
      disk,
      log: options.log,
      onProblem: async (problem) => {
        watch.report(problem);
        options.log('error', problem);
        if (options.lost() === undefined) await checked.withdraw();
      },
    },
    segments,
  );
  const isOurs = (): boolean => failed === undefined && watch.found() === undefined && options.lost() === undefined;

  const read: Journal['read'] = (from, to) => watch.read(readLines(disk, directory, segments, from, to));
  const fresh: Journal['fresh'] = () => Promise.resolve(ends.end());
  const following = createFollowing({ read, fresh, end: () => ends.end().entry });

  return {
    secret,
    known: ends.end,
    fresh,
    append: async (batch) => {
      if (failed !== undefined) throw failed;
      if (!ends.isNext(batch)) return 'behind';
      appends += 1;
      if (appends % appendsPerLook === 0) void watch.look();
      try {
        const lost = options.lost() ?? watch.found();
        if (lost !== undefined) throw new Error(lost);
        const last = segments.at(-1);
        const needsNext = last === undefined || isFull(last.end, last.header, options.rolloverBytes);
        await extendSegment(needsNext ? await startSegment() : last, batch.lines);
      } catch (error) {
        failed = new JournalFailure({ reason: error instanceof Error ? error.message : String(error), heals: false });
        throw failed;
      }
      const first = ends.end().entry + 1;
      ends.keep(batch);
      following.moved(first, batch.lines);
      return 'kept';
    },
    settle: (batch) => (failed === undefined ? Promise.resolve(ends.settle(batch)) : Promise.reject(failed)),
    // A single process owns the directory.
    lock: fresh,
    unlock: () => Promise.resolve(),
    trouble: () => {
      const reason = failed?.reason ?? watch.found();
      return reason === undefined ? undefined : { reason, heals: false };
    },
    look: watch.look,
    notes: () => [manifest.problem()].filter((note) => note !== undefined),
    read,
    follow: following.follow,
    holder: (entry) => segmentPath(directory, segments, entry),
    record: () => (isOurs() ? record() : Promise.resolve()),
    recheck: recheck.begin,
    close: async () => {
      following.close();
      await recheck.end();
      await file?.close();
      file = undefined;
      if (isOurs()) await record();
    },
  };
}

/** The read data may be only in the memory of the machine; no reader may see data that a power cut could take back. */
async function syncRead(manifest: ManifestKeeper, directory: string): Promise<void> {
  try {
    await manifest.syncAll();
  } catch (error) {
    throw fail('R0408', { directory, problem: error instanceof Error ? error.message : String(error) });
  }
}
