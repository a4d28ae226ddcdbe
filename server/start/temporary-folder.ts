/**
 * A folder of this process alone, below the system's folder for temporary files: for a read model on disk of a server without a directory.
 * It goes with the server; one that a killed server left is removed at a later start on the machine.
 */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../language/failure/failure.ts';
import type { DirectoryLock } from '../../runtime/store/disk.ts';
import { nodeDisk } from '../../runtime/store/disk/node-disk.ts';

export interface TemporaryFolder {
  readonly directory: string;
  readonly lock: DirectoryLock;
  /** Without its files. */
  readonly remove: () => Promise<void>;
}

const prefix = 'schemac-read-model-';
/** A folder that is younger may be that of a start that has not locked it yet. */
const youngMilliseconds = 60_000;

/** `base` is where it is made. */
export async function takeTemporaryFolder(base: string): Promise<TemporaryFolder> {
  const directory = await mkdtemp(join(base, prefix)); // 0700
  const lock = await nodeDisk.lock(directory);
  const { mtimeMs: now, uid } = await lstat(directory);
  for (const name of await readdir(base))
    if (name.startsWith(prefix)) await removeLeftOver(join(base, name), { uid, before: now - youngMilliseconds });
  return {
    directory,
    lock,
    remove: async () => {
      await lock.release();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Other users' folders and those of living processes stay. */
async function removeLeftOver(
  directory: string,
  { uid, before }: { readonly uid: number; readonly before: number },
): Promise<void> {
  const found = await lstat(directory).catch(() => undefined); // another start removes it
  if (found?.isDirectory() !== true || found.uid !== uid || found.mtimeMs >= before) return;
  try {
    const lock = await nodeDisk.lock(directory);
    await rm(directory, { recursive: true, force: true });
    await lock.release();
  } catch (error) {
    if (error instanceof Failure && error.code === 'R0404') return;
    // A leftover is not worth a refused start, and the next one tries again.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  }
}
