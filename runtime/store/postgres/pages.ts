/** Reads rows of the log, a page at a time, and makes lines of them. */
import type { Connection } from './connection.ts';
import { lineOf, type StoredLine } from './rows.ts';

/** A page has at most this many entries, and these characters or one longer line. */
export const pageEntries = 4_000;
const pageCharacters = 1024 * 1024;

export interface ReadLine {
  readonly number: number;
  readonly line?: string;
  /** Why it has no line. */
  readonly problem?: string;
  readonly batch: string | null;
}

/** Entries from number `from` on, at most up to `to`, in order; those that the table does not have are missing. */
export async function readPage(
  connection: Connection,
  statement: string,
  from: number,
  to: number,
): Promise<readonly ReadLine[]> {
  const last = Math.min(to, from + pageEntries - 1);
  const { rows } = await connection.query(statement, [from, last, pageCharacters]);
  const lines: ReadLine[] = [];
  let head: (Omit<StoredLine, 'payloads'> & { readonly batch: string | null }) | undefined;
  let payloads: string[] = [];
  const finish = (): void => {
    if (head !== undefined) lines.push(readLine({ ...head, payloads }, head.batch));
  };
  for (const [entry, position, text, events, checksum, batch] of rows) {
    if (position === '0') {
      finish();
      payloads = [];
      head = {
        number: Number(entry),
        line: text ?? '',
        events: Number(events),
        checksum: Number(checksum),
        batch: batch ?? null,
      };
    } else if (head?.number === Number(entry)) payloads.push(text ?? '');
  }
  finish();
  return lines;
}

function readLine(stored: StoredLine, batch: string | null): ReadLine {
  const { number, events, payloads } = stored;
  const line = lineOf(stored);
  if (line !== undefined) return { number, line, batch };
  const problem =
    payloads.length === events
      ? 'its checksum does not match its rows'
      : `it has ${payloads.length} rows of events instead of ${events}`;
  return { number, batch, problem };
}
