import { inputFault } from '../exit-fault.ts';
import { fingerprintOf, type CommandRow, type UnreadableRow } from './rows.ts';

/** Gives a row the key it is to have; unreadable if it has nothing to make one of. */
export type KeyOf = (row: CommandRow) => CommandRow | UnreadableRow;

/** The keys of `--key-from`: `line`, the name of a field, or none. A key that a row itself has stays. */
export async function keysOf(
  cwd: string,
  { keyFrom, from }: { readonly keyFrom: string | undefined; readonly from: string },
): Promise<KeyOf> {
  if (keyFrom === undefined) return (row) => row;
  if (keyFrom === 'line') {
    const file = await fingerprintOf(cwd, from).catch((error: unknown) => {
      throw inputFault(`the rows cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    });
    return (row) => withKey(row, `${file}:${row.line}`);
  }
  return (row) => {
    if (row.idempotencyKey !== undefined) return row;
    const value = row.arguments.get(keyFrom);
    if (typeof value === 'string' && value !== '') return withKey(row, value);
    if (typeof value === 'object' && value !== null && 'text' in value) return withKey(row, value.text);
    return { line: row.line, problem: `it has no text or number '${keyFrom}' to take its key from` };
  };
}

function withKey(row: CommandRow, key: string): CommandRow {
  return row.idempotencyKey === undefined ? { ...row, idempotencyKey: key } : row;
}

export interface ReadableOptions {
  readonly keys: KeyOf;
  /** Receives the line of each row that is sent, in order. */
  readonly begun: (line: number) => void;
  /** Receives each row that cannot be sent; says whether any further row is wanted. */
  readonly unreadable: (row: UnreadableRow) => boolean;
}

/** The rows that are commands, with their keys, in pieces. */
export async function* readableRows(
  rows: AsyncIterable<readonly (CommandRow | UnreadableRow)[]>,
  { keys, begun, unreadable }: ReadableOptions,
): AsyncGenerator<readonly CommandRow[], void, undefined> {
  for await (const piece of rows) {
    const readable: CommandRow[] = [];
    let isWanted = true;
    for (const read of piece) {
      const row = 'problem' in read ? read : keys(read);
      if ('problem' in row) {
        isWanted = unreadable(row);
        if (!isWanted) break;
      } else {
        begun(row.line);
        readable.push(row);
      }
    }
    if (readable.length > 0) yield readable;
    if (!isWanted) return;
  }
}
