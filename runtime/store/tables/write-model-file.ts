/** Writes a read model to a file of its own, for programs that read SQLite; no store uses it. */
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { Clock, Disk } from '../disk.ts';
import { isMissing } from '../disk/node-disk.ts';
import type { ReadModelLog } from '../journal/entries.ts';
import { journalOf } from './files/system-calls.ts';
import { noImages } from './live/images.ts';
import { createModelFiles, defaultCacheBytes } from './files/model-file.ts';
import { createReadModel } from './read-model.ts';

export interface WriteModelFileOptions {
  /** Absolute; nothing is there yet. */
  readonly path: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly definition: ReadModelDefinition;
  readonly log: ReadModelLog;
}

/** The file is complete and durable under its name when this resolves; when it rejects there is none. */
export async function writeModelFile({ path, disk, clock, definition, log }: WriteModelFileOptions): Promise<void> {
  const part = `${path}.part`;
  const removePart = async (): Promise<void> => {
    for (const made of [part, journalOf(part)]) await removeFile(disk, made);
  };
  await removePart();
  const model = createReadModel({
    place: 'worker',
    journal: log,
    clock,
    log: () => undefined,
    images: noImages,
    file: {
      place: createModelFiles(part, defaultCacheBytes).written,
      fits: () => Promise.resolve(false),
      isAside: true,
    },
  });
  try {
    try {
      await (
        await model.prepare(definition)
      )();
      await model.settled();
    } finally {
      await model.close();
    }
    // Everything is committed, so there is nothing to undo.
    await removeFile(disk, journalOf(part));
    await disk.rename(part, path);
    await disk.syncDirectory(path.slice(0, path.lastIndexOf('/')) || '/');
  } catch (error) {
    await removePart();
    throw error;
  }
}

async function removeFile(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
