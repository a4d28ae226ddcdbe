/** Brings a ledger to the end of its log at a start: from its files, and the lines after them. */
import { fail } from '../../../language/failure/failure.ts';
import type { Journal } from '../journal.ts';
import { step, type Opening } from '../opening.ts';
import { readEntry } from '../read-entry.ts';
import { refusedWrite } from '../journal/log-failures.ts';
import type { FiledPlaces, Ledger, SchemaLogEntry } from './ledger.ts';
import type { LedgerFiles } from '../ledger-files/ledger-files.ts';
import type { LedgerKeeper } from './ledger-keeper.ts';

/** From the lines after those that it has. */
export async function replayLedger(
  ledger: Ledger,
  journal: Journal,
  end: number,
  keeper: LedgerKeeper | undefined,
  opening?: Opening,
): Promise<void> {
  for await (const lines of journal.read(ledger.entry() + 1, end)) {
    for (const line of lines) ledger.replay(readEntry(line, journal.holder));
    keeper?.consider(ledger.entry(), lines.at(-1) ?? '');
    await keeper?.room();
    step(opening, { kind: 'heads', done: ledger.entry(), of: end, unit: 'entries' });
  }
  if (ledger.entry() !== end) throw fail('R0405', { file: 'the log', offset: 0, problem: 'its entries do not add up' });
}

/** The schema entries that files of the ledger name. */
export async function schemaOf(files: LedgerFiles, journal: Journal): Promise<readonly SchemaLogEntry[]> {
  const found: SchemaLogEntry[] = [];
  for (const number of files.saved().schema)
    for await (const lines of journal.read(number, number))
      for (const line of lines) {
        const entry = readEntry(line, journal.holder);
        if (entry.kind === 'schema') found.push(entry);
      }
  return found;
}

/** A file that cannot be read refuses the command that asked. */
export function refusing({ head, candidates }: LedgerFiles): FiledPlaces {
  const tried = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw refusedWrite({ reason: error instanceof Error ? error.message : String(error), heals: false });
    }
  };
  return {
    head: (streamType, streamId) => tried(() => head(streamType, streamId)),
    candidates: (hash) => tried(() => candidates(hash)),
  };
}
