/**
 * `shared-log.json` in the data directory of a server on a database: which log it has read, and how far, so that a start notices a log that has
 * lost entries. Deleting it forgets that.
 */
import { fail } from '../../../../language/failure/failure.ts';
import { joinPath, wholeContent, withFile, type Disk, type StoreLog } from '../../disk.ts';
import type { JournalEnd } from '../../journal.ts';
import { replaceFile, sealed, unsealed } from '../../side/sealed-file.ts';
import { findLostEntries, lostInWords } from './landmarks.ts';
import type { PostgresJournal } from '../postgres-journal.ts';

export const landmarkFileName = 'shared-log.json';
const format = 1;
/** Number of the newest landmarks that are all written; fewer and fewer of the older ones are. */
const newest = 256;

interface Written {
  readonly format: number;
  readonly store: string;
  readonly ends: readonly (readonly [entry: number, batch: string])[];
}

/**
 * Throws R0422 if the log has lost entries that this directory's server has read, unless `acceptLoss` names the first of them, and R0408 if the
 * directory belongs to another log.
 */
export async function checkLandmarkFile(
  disk: Disk,
  directory: string,
  namespace: string,
  journal: Pick<PostgresJournal, 'storeId' | 'place' | 'stateLink'>,
  { acceptLoss, log }: { readonly acceptLoss: number | undefined; readonly log: StoreLog },
): Promise<void> {
  const written = await readFile(disk, directory);
  if (written === undefined || written.ends.length === 0) return;
  const { place } = journal;
  if (written.store !== journal.storeId)
    throw fail('R0408', {
      directory,
      problem: `it belongs to a server on another log than the one in ${place}; name another directory, or remove ${landmarkFileName} there`,
    });
  const known = written.ends.map(([entry, batch]) => ({ entry, batch }));
  const lost = await journal.stateLink.use((connection) => findLostEntries(connection, namespace, known));
  if (lost === undefined) return;
  if (acceptLoss !== lost.first) throw fail('R0422', { place, lost: lostInWords(lost), first: lost.first });
  log('warn', `the log in ${place} goes on without what it has lost: ${lostInWords(lost)}`);
}

/** Writes the landmarks, in place of the earlier ones. */
async function writeLandmarkFile(
  disk: Disk,
  directory: string,
  store: string,
  known: readonly JournalEnd[],
): Promise<void> {
  const ends = chosen(known).map(({ entry, batch }) => [entry, batch] as const);
  const content = sealed<Written>({ format, store, ends });
  await replaceFile(disk, directory, landmarkFileName, Buffer.from(content));
}

/** Keeps the file of a running server, at most once a second. */
export function rememberLandmarks(
  disk: Disk,
  directory: string,
  { storeId, landmarks }: Pick<PostgresJournal, 'storeId' | 'landmarks'>,
  log: StoreLog,
): { readonly moved: () => void; readonly close: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let written = 0;
  const write = (): Promise<void> => {
    timer = undefined;
    const known = landmarks();
    const last = known.at(-1)?.entry ?? 0;
    if (last === written) return writing;
    writing = writing
      .then(() => writeLandmarkFile(disk, directory, storeId, known))
      .then(
        () => {
          written = last;
        },
        (error: unknown) =>
          log(
            'warn',
            `${landmarkFileName} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
          ),
      );
    return writing;
  };
  return {
    moved: () => {
      timer ??= setTimeout(() => void write(), pauseMilliseconds).unref();
    },
    close: () => {
      clearTimeout(timer);
      return write();
    },
  };
}
const pauseMilliseconds = 1_000;

/** The newest, and before them one at each doubled distance. */
function chosen(known: readonly JournalEnd[]): readonly JournalEnd[] {
  const recent = known.slice(-newest);
  const older: JournalEnd[] = [];
  for (let back = 2 * newest; back <= known.length; back *= 2) older.unshift(...known.slice(-back, 1 - back));
  return [...older, ...recent];
}

/** Undefined if there is none. A damaged one is like none: only this file knows what it said. */
async function readFile(disk: Disk, directory: string): Promise<Written | undefined> {
  if (!(await disk.list(directory)).includes(landmarkFileName)) return undefined;
  const bytes = await withFile(disk, joinPath(directory, landmarkFileName), 'read', wholeContent);
  return unsealed<Written>(bytes.toString(), format);
}
