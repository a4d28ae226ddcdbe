import { Failure } from '../../../../language/failure/failure.ts';
import { decodeFailure } from '../../../../language/sqlite/failure.ts';
import { BrokenModule } from './engine.ts';
import { DamagedFile, noMemory, UnwritableFile } from '../files/database-file.ts';
import type { ServedFile } from '../files/system-calls.ts';

/** Runs work on the engine, and throws its errors as those of the interface. */
export type Guard = <T>(work: () => T) => T;

/** sql.js throws strings for some errors and plain errors without a code for the rest. `inMemory`: the file is no file of a disk. */
export function translated(file: ServedFile, { inMemory = false } = {}): Guard {
  return (work) => {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown;
      if (thrown instanceof Error && thrown.name === 'RuntimeError')
        throw new BrokenModule(`SQLite: ${thrown.message}`, { cause: thrown });
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      const problem = file.problem();
      if (problem !== undefined) throw problem;
      if (!inMemory) checkFileError(message);
      const carried = decodeFailure(message);
      if (carried !== undefined) throw carried;
      if (message.includes('too big') || message.includes('out of memory')) throw noMemory();
      throw new Error(`SQLite: ${message}`, { cause: thrown });
    }
  };
}

/** SQLite's words for a file that it cannot read, and for one that it cannot write. */
function checkFileError(message: string): void {
  if (/malformed|not a database|disk I\/O error/.test(message)) throw new DamagedFile(message);
  if (/disk is full|unable to open/.test(message)) throw new UnwritableFile(message);
}
