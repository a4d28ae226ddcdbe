/** Writes which segments of an open log are checked, after they are durable (`checked.ts`). */
import { joinPath, withFile, type Disk, type StoreLog } from '../disk.ts';
import { isMissing } from '../disk/node-disk.ts';
import { checkedName, encodeChecked, type CheckedSegment } from './checked.ts';
import type { Segment } from './recover.ts';
import { replaceFile } from '../side/sealed-file.ts';

export interface CheckedKeeper {
  /**
   * Writes the file if another segment is complete since. All segments but the last must be durable. A failure is
   * reported and not thrown: the next start then checks more frames than it had to.
   */
  readonly record: () => Promise<void>;
  /** Called when a segment is damaged after all: removes the file, so that the next start checks every frame. */
  readonly withdraw: () => Promise<void>;
}

interface Place {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: StoreLog;
}

/** `segments` grows with the log. */
export function createCheckedKeeper({ directory, disk, log }: Place, segments: readonly Segment[]): CheckedKeeper {
  let written = encodeChecked(segments.flatMap(({ checked }) => checked ?? []));
  let withdrawn = false;
  let last: Promise<void> = Promise.resolve();

  const evidenceOf = async (segment: Segment): Promise<CheckedSegment | undefined> => {
    const { name, header, end, nextEntry, index } = segment;
    const tail = index.last();
    // Without a frame there is nothing to save.
    if (tail === undefined) return undefined;
    const stamp = await withFile(disk, joinPath(directory, name), 'read', (file) => file.stamp());
    return { firstEntry: header.firstEntry, nextEntry, id: header.id, end, stamp, tail };
  };

  const record = async (): Promise<void> => {
    if (withdrawn) return;
    try {
      for (const segment of segments.slice(0, -1)) segment.checked ??= await evidenceOf(segment);
      const next = encodeChecked(segments.slice(0, -1).flatMap(({ checked }) => checked ?? []));
      if (next === written) return;
      await replaceFile(disk, directory, checkedName, Buffer.from(next));
      written = next;
    } catch (error) {
      log('warn', `${checkedName} could not be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const remove = async (): Promise<void> => {
    withdrawn = true;
    try {
      await disk.remove(joinPath(directory, checkedName));
      await disk.syncDirectory(directory);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  };
  /** Runs one work after the other. */
  const inTurn = (work: () => Promise<void>): Promise<void> => (last = last.catch(() => undefined).then(work));

  return { record: () => inTurn(record), withdraw: () => inTurn(remove) };
}
