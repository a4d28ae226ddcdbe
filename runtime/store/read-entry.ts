import { fail } from '../../language/failure/failure.ts';
import type { LogEntry } from './entry.ts';
import { decodeLine, UnknownInLine } from './line.ts';

/** The entry of a line of the log. A line of a newer version is an R0406 that names the place of the entry. */
export function readEntry(line: string, holder: (entry: number) => string): LogEntry {
  try {
    return decodeLine(line);
  } catch (error) {
    if (!(error instanceof UnknownInLine)) throw error;
    const { entry, found, known } = error;
    throw fail('R0406', { file: holder(entry), found: `${found} in entry ${entry}`, known });
  }
}
