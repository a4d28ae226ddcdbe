/** Moves what a ledger has in memory to files, whenever it is much, so that its memory does not grow with history. */
import { crc32 } from 'node:zlib';
import type { StoreLog } from '../disk.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerFiles } from '../ledger-files/ledger-files.ts';

export interface LedgerKeeper {
  /** The last durable entry and its line; what the ledger has beyond it can be taken back. */
  readonly consider: (entry: number, line: string) => void;
  /** Waits until there is room in memory again: for a start that reads a long log. */
  readonly room: () => Promise<void>;
  /** Saves what is left, if the next start would take long to read it from the log. */
  readonly finish: () => Promise<void>;
  /** Sentences about what needs attention. */
  readonly notes: () => readonly string[];
}

/** Heads and command ids in memory after which they are saved, by default. */
const usualUnsaved = 65_536;
/** At the end and after a failure this part of the usual number is enough to save: a sixteenth. */
const fraction = 16;

export interface LedgerKeeperOptions {
  readonly log: StoreLog;
  readonly mostUnsaved?: number | undefined;
}

export function createLedgerKeeper(
  ledger: Pick<Ledger, 'unsaved' | 'part' | 'release'>,
  files: Pick<LedgerFiles, 'save' | 'trouble'>,
  { log, mostUnsaved = usualUnsaved }: LedgerKeeperOptions,
): LedgerKeeper {
  let running: Promise<void> | undefined;
  let problem: string | undefined;
  let last: { readonly entry: number; readonly line: string } | undefined;
  /** A part that could not be saved yet. */
  let failed: { readonly save: () => Promise<void>; readonly at: number } | undefined;

  const run = (save: () => Promise<void>): void => {
    failed = undefined;
    running = save()
      .then(
        () => {
          ledger.release();
          problem = undefined;
        },
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          if (problem === undefined) log('warn', `heads and command ids stay in memory: ${reason}`);
          problem = `heads and command ids stay in memory: ${reason}`;
          failed = { save, at: ledger.unsaved() };
        },
      )
      .finally(() => {
        running = undefined;
      });
  };
  const begin = (most: number): void => {
    if (running !== undefined || files.trouble() !== undefined) return;
    if (failed !== undefined) {
      if (ledger.unsaved() - failed.at >= mostUnsaved / fraction) run(failed.save);
      return;
    }
    if (last === undefined || ledger.unsaved() < most) return;
    const part = ledger.part();
    if (part.entry !== last.entry)
      throw new Error(`the ledger is durable up to entry ${part.entry}, and the log up to ${last.entry}`);
    const checksum = crc32(last.line);
    run(() => files.save(part, checksum));
  };

  return {
    consider: (entry, line) => {
      last = { entry, line };
      begin(mostUnsaved);
    },
    room: async () => {
      while (running !== undefined && ledger.unsaved() >= mostUnsaved) await running;
    },
    finish: async () => {
      await running;
      begin(mostUnsaved / fraction);
      await running;
    },
    notes: () => (problem === undefined ? [] : [problem]),
  };
}
