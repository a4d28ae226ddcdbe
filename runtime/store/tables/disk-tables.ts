/** The files of a read model on disk, in the directory of the log. Deleting all of them loses no data. */
import { joinPath, type Disk, type FileMark, type StoreLog } from '../disk.ts';
import type { Journal } from '../journal.ts';
import { openLedgerFiles, type LedgerFiles } from '../ledger-files/ledger-files.ts';
import { createFileCheck, type FileCheck } from './live/file-check.ts';
import { fitsLog } from './core/image-fitness.ts';
import type { StoredImage } from './live/images.ts';
import { createModelFiles, readModelFileName, type ModelFile, type ModelFiles } from './files/model-file.ts';

/** Files of copies on earlier registries: they are left when the process is killed. */
const asidePrefix = 'read-model-past-';

/** The files of a read model on disk, and those of its ledger. */
export interface DiskTables {
  readonly files: ModelFiles;
  readonly fits: StoredImage['fits'];
  /** Checks pages of the read model's file. */
  readonly check: FileCheck;
  /** A file for a copy on an earlier registry, and a function that removes it after its use. */
  readonly aside: () => { readonly file: ModelFile; readonly remove: () => Promise<void> };
  readonly ledger: LedgerFiles;
  /** Heads and command ids in memory after which they are moved to files. */
  readonly ledgerInMemory?: number | undefined;
}

export interface DiskTablesOptions {
  readonly cacheBytes: number;
  readonly ledgerInMemory?: number | undefined;
  /** For the thread that writes the read model. */
  readonly owner: FileMark | undefined;
  /** Why another process may own the directory by now (`DirectoryLock.lost`). */
  readonly lost: () => string | undefined;
  readonly log: StoreLog;
}

export async function createDiskTables(
  disk: Disk,
  directory: string,
  journal: Pick<Journal, 'known' | 'read' | 'secret'>,
  { cacheBytes, ledgerInMemory, owner, lost, log }: DiskTablesOptions,
): Promise<DiskTables> {
  const fits: DiskTables['fits'] = (entry, checksum) => fitsLog(journal, entry, checksum);
  const removeAside = async (prefix: string): Promise<void> => {
    for (const name of await disk.list(directory)) {
      if (!name.startsWith(prefix)) continue;
      try {
        await disk.remove(joinPath(directory, name));
      } catch (error) {
        // The database that is closing removes its own journal meanwhile.
        if ((await disk.list(directory)).includes(name)) throw error;
      }
    }
  };
  await removeAside(asidePrefix);
  let made = 0;
  const files = createModelFiles(joinPath(directory, readModelFileName), cacheBytes, owner);
  return {
    files,
    check: createFileCheck({ disk, file: files.checked, log }),
    ledger: await openLedgerFiles({ disk, directory, secret: journal.secret, fits, lost, log }),
    ledgerInMemory,
    fits,
    aside: () => {
      made += 1;
      const name = `${asidePrefix}${made}.`;
      const { written } = createModelFiles(joinPath(directory, `${name}db`), cacheBytes);
      return { file: written, remove: () => removeAside(name) };
    },
  };
}
