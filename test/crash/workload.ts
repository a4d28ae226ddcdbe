/**
 * The work of the crash suites on a store: commands of several clients at once, small segments, snapshots, tables of
 * inspections.
 */
import type { Disk } from '../../runtime/store/disk.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openLog, type LogOptions } from '../../runtime/store/log/log.ts';
import type { Journal } from '../../runtime/store/journal.ts';
import { saveTable } from '../kit/save-table.ts';
import type { Store } from '../../runtime/store/store.ts';
import { accounts, column, deposit, int } from '../contract/accounts.ts';

export const directory = '/data';

export interface OpenOptions {
  readonly fsync?: boolean;
  readonly rolloverBytes?: number;
  readonly log?: (message: string) => void;
}

export function openStore(disk: Disk, { fsync = true, rolloverBytes = 1500, log }: OpenOptions = {}): Promise<Store> {
  return openEmbeddedStore({
    directory,
    disk,
    readModel: 'inline',
    rolloverBytes,
    snapshotEntries: 20,
    fsync,
    log: (_, message) => log?.(message),
  });
}

/** Appends one deposit for each client, all waiting at once; `answered` is called for each acknowledged one. */
export async function depositRound(
  store: Store,
  round: string,
  clients: number,
  answered: (commandId: string) => void,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const commandId = `${round}-${client}`;
      await store.turns.exclusively((turn) => deposit(turn, { to: `A-${client}`, commandId }));
      answered(commandId);
    }),
  );
}

/** Opens, works and closes: includes every kind of write of a store. */
export async function wholeLife(
  disk: Disk,
  life: string,
  rounds: number,
  answered: (commandId: string) => void,
  options: OpenOptions = {},
): Promise<void> {
  const store = await openStore(disk, options);
  try {
    await store.tables.adopt(accounts);
    for (let round = 0; round < rounds; round += 1) {
      await depositRound(store, `${life}-${round}`, 1 + (round % 5), answered);
      if (round % 4 === 1) {
        await saveTable(store.inspectionTables, `T${round % 3}`, { columns: [column('a', int)] }, [[[round]]]);
      }
    }
  } finally {
    await store.close();
  }
}

/** The lines that a log recovers, and the open log. */
export async function recover(
  disk: Disk,
  more: Partial<LogOptions> = {},
): Promise<{ readonly log: Journal; readonly lines: readonly string[] }> {
  const log = await openLog({
    directory,
    disk,
    random: (bytes) => new Uint8Array(bytes).fill(7),
    fsync: true,
    rolloverBytes: 1500,
    log: () => undefined,
    lost: () => undefined,
    ...more,
  });
  return { log, lines: await linesOf(log) };
}

let batches = 0;

/** Appends the lines in one batch at the end of the log. */
export async function commit(log: Journal, lines: readonly string[]): Promise<void> {
  const id = `batch ${++batches}`;
  if ((await log.append({ after: log.known(), id, lines })) !== 'kept') throw new Error('the log does not end there');
}

export async function linesOf(log: Journal): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const lines of log.read(1, log.known().entry)) all.push(...lines);
  return all;
}
