/**
 * Reads every page of a read model's file after an unclean end, while the store serves, and compares its checksum
 * (docs/operation.md#the-read-model-on-disk). Nothing that it finds was served: each page is checked when it is read. So
 * damage is known at once, and not when a query comes to it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { withFile, type Disk, type StoreLog } from '../../disk.ts';
import { isTaken, releaseLock, takeLock } from '../files/file-lock.ts';
import { isSealed, pageBytes } from '../files/page-check.ts';
import type { ModelFile } from '../files/model-file.ts';

export interface FileCheck {
  /** Begins, once. `isOver`: the file was replaced, and the check ends. `onDamage` is called at most once; the check ends with it. */
  readonly begin: (isOver: () => boolean, onDamage: (problem: string) => void) => void;
  /** Sentences about the running check, for `/ready`. */
  readonly notes: () => readonly string[];
  /** Resolves when it no longer reads. */
  readonly end: () => Promise<void>;
}

export interface FileCheckOptions {
  readonly disk: Disk;
  readonly file: Pick<ModelFile, 'path' | 'lock'>;
  readonly log: StoreLog;
}

/** Read at once, under a lock for which a commit waits some milliseconds. */
const pieceBytes = 1024 * 1024;
/** Between two pieces, so that the check takes a small part of a processor and of a disk: at most 100 MiB/s. */
const pauseMilliseconds = 10;
const mebibyte = 1024 * 1024;

export function createFileCheck({ disk, file: { path, lock }, log }: FileCheckOptions): FileCheck {
  let closed = false;
  let running: Promise<void> | undefined;
  let done = 0;
  let size = 0;

  /** Takes the lock of a reader of SQLite; false while a commit is waiting or running. */
  const locked = (): boolean => !isTaken(lock, 'pending') && takeLock(lock, 'shared', 'read');

  const checkAll = async (isOver: () => boolean, onDamage: (problem: string) => void): Promise<void> => {
    const piece = new Uint8Array(pieceBytes);
    for (;;) {
      await pause(pauseMilliseconds);
      if (closed || isOver()) return;
      if (!locked()) continue;
      let filled: number;
      try {
        filled = await readAt(piece, done);
      } finally {
        releaseLock(lock, 'shared');
      }
      const damaged = damagedPage(piece.subarray(0, filled), done / pageBytes + 1);
      if (damaged !== undefined) {
        if (!isOver()) onDamage(`page ${damaged} does not have its checksum`);
        return;
      }
      done += filled;
      if (filled === pieceBytes) continue;
      log('info', 'every page of the read model on disk was checked after an unclean end, and none is damaged');
      return;
    }
  };

  /** Opened for each piece: another file may have the name by now. */
  const readAt = (piece: Uint8Array, offset: number): Promise<number> =>
    withFile(disk, path, 'read', async (file) => {
      size = await file.size();
      const filled = await file.read(piece, offset);
      return filled - (filled % pageBytes);
    });

  return {
    begin: (isOver, onDamage) => {
      running ??= checkAll(isOver, onDamage)
        .catch((error: unknown) => {
          if (!isOver() && !closed) log('warn', `the read model on disk could not be checked: ${String(error)}`);
        })
        .finally(() => {
          size = 0;
        });
    },
    notes: () =>
      size === 0
        ? []
        : [
            `the pages of the read model on disk are being checked after an unclean end: ${Math.floor(done / mebibyte)} of ${Math.ceil(size / mebibyte)} MiB`,
          ],
    end: async () => {
      closed = true;
      await running;
    },
  };
}

/** The number of the first page that is not as it was written. */
function damagedPage(bytes: Uint8Array, first: number): number | undefined {
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const number = first + at / pageBytes;
    if (!isSealed(bytes.subarray(at, at + pageBytes), number)) return number;
  }
  return undefined;
}
