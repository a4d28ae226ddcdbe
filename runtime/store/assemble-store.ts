/**
 * Builds a store from its parts: a journal that makes lines durable, a ledger and turns that order appends, tables that
 * answer queries. Differences between stores are parameters; nothing here knows of files.
 */
import type { Announcements } from './side/announcements.ts';
import type { Claims } from './side/claims.ts';
import type { Consumers } from './side/consumers.ts';
import type { Clock, Randomness, StoreLog } from './disk.ts';
import type { EventViews } from './side/event-views.ts';
import type { Journal } from './journal.ts';
import { createBatchIds } from './journal/batch-ids.ts';
import { createEntries, failing, type ReadModelLog } from './journal/entries.ts';
import { createLedgerKeeper } from './turns/ledger-keeper.ts';
import { refusing, replayLedger, schemaOf } from './turns/start-ledger.ts';
import type { Opening } from './opening.ts';
import { createPasts } from './past/pasts.ts';
import type { InspectionTables } from './side/inspection-tables.ts';
import type { Store } from './store.ts';
import type { DiskTables } from './tables/disk-tables.ts';
import { noImages, type StoredImage } from './tables/live/images.ts';
import { createMemoryLimit } from './tables/memory-limit.ts';
import type { ReadModel } from './tables/read-model.ts';
import type { ReadModelStart } from './tables/live/read-model-options.ts';
import { createDatabases, openSecond } from './tables/which-database.ts';
import { createCommandHash } from './turns/command-index.ts';
import { createLedger } from './turns/ledger.ts';
import { createTurns } from './turns/turns.ts';
import { unreadableIn } from './unreadable-text.ts';

export interface StoreParts {
  readonly kind: Store['kind'];
  readonly location: string;
  readonly journal: Journal;
  /** Other processes append to the same log. */
  readonly shared?: true;
  readonly inspectionTables: InspectionTables;
  readonly consumers?: Consumers;
  readonly claims?: Claims;
  readonly announcements?: Announcements;
  readonly views?: EventViews;
  readonly place: 'inline' | 'worker';
  readonly starts?: ReadModelStart;
  /** The snapshots to start from, if there is one: without it, the start does not need the read model. */
  readonly images?: () => AsyncIterable<StoredImage>;
  /** Where the read model's tables are, if they are not in memory. */
  readonly onDisk?: DiskTables;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly log: StoreLog;
  /** Maximum memory of the read model; beyond it the store refuses appends. */
  readonly maxBytes: number;
  readonly opening?: Opening;
  /** Sentences about what needs attention, in addition to those of the other parts. */
  readonly notes?: () => readonly string[];
  /** Called after each commit, with the present read model. */
  readonly onDurable?: (readModel: ReadModel) => void;
  /** Called when everything is durable and no append can follow. */
  readonly onClose?: (readModel: ReadModel) => Promise<void>;
  /** Called at the very end, whatever failed. */
  readonly release?: () => Promise<void>;
}

/** Events that cannot be read whole and that the notes name: the first ones show where to look. */
const mostNoted = 20;

export async function assembleStore(parts: StoreParts): Promise<Store> {
  const { kind, onDisk, announcements, views, consumers } = parts;
  const journal = failing(parts.journal);
  const start = journal.known();
  /** The last entry that this process has taken in, and the same once it has all that the log has now. */
  let applied = (): number => start.entry;
  let reached = (): Promise<number> => Promise.resolve(start.entry);
  const logUpTo = (end: () => number): ReadModelLog => ({
    secret: journal.secret,
    read: journal.read,
    end,
    fresh: async () => {
      await reached();
      return end();
    },
  });
  const modelOptions = { ...parts, journal: logUpTo(() => applied()), images: parts.images ?? noImages };
  const { readModel, tables, closeCopies } = createDatabases({ ...modelOptions, logUpTo });
  const ledger = createLedger(createCommandHash(journal.secret), onDisk && refusing(onDisk.ledger));
  const keeper =
    onDisk && createLedgerKeeper(ledger, onDisk.ledger, { log: parts.log, mostUnsaved: onDisk.ledgerInMemory });
  try {
    if (onDisk !== undefined) ledger.resume(onDisk.ledger.saved(), await schemaOf(onDisk.ledger, journal));
    else if (parts.images !== undefined) {
      const stored = await readModel.ledger();
      if (stored !== undefined) ledger.restore({ ...stored, at: BigInt(stored.at) });
    }
    await replayLedger(ledger, journal, start.entry, keeper, parts.opening);
  } catch (error) {
    await readModel.close();
    await onDisk?.ledger.close();
    throw error;
  }
  const memory = createMemoryLimit(readModel.state, parts);
  const turns = createTurns({
    journal,
    ledger,
    end: start,
    shared: parts.shared === true,
    monotonic: () => performance.now(),
    full: () => onDisk?.ledger.trouble() ?? memory.full(),
    log: parts.log,
    newBatch: createBatchIds(parts.random),
    unreadable: (streamType, streamId) => unreadableIn(readModel.state().unreadable, streamType, streamId),
    queryAhead: readModel.queryAhead,
    onDurable: (first, lines) => {
      readModel.follow(first, lines);
      keeper?.consider(first + lines.length - 1, lines.at(-1) ?? '');
      parts.onDurable?.(readModel);
    },
    onTakenBack: readModel.takenBack,
  });
  applied = () => turns.position().entry;
  reached = async () => (await turns.fresh()).entry;
  const pasts = createPasts({
    ...modelOptions,
    place: parts.place === 'inline' ? 'inline' : 'background',
    openSecond: (options) => openSecond(onDisk, options),
    present: () => store,
  });
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await announcements?.leave();
    await views?.close();
    await turns.close();
    try {
      await keeper?.finish();
      await parts.onClose?.(readModel);
    } finally {
      await onDisk?.ledger.close();
      await onDisk?.check.end();
      await pasts.close();
      await closeCopies();
      await readModel.close();
      await journal.close();
    }
    await consumers?.close();
  };
  const releaseAll = async (): Promise<void> => {
    try {
      await closeAll();
    } finally {
      await parts.release?.();
    }
  };

  const store: Store = {
    kind,
    location: parts.location,
    shared: parts.shared === true,
    secret: Buffer.from(journal.secret, 'hex'),
    epoch: () => 0, // recorded entries never change
    log: createEntries({ journal, ledger, clock: parts.clock, turns }),
    turns,
    tables,
    inspectionTables: parts.inspectionTables,
    ...(consumers !== undefined && { consumers }),
    ...(parts.claims !== undefined && { claims: parts.claims }),
    ...(announcements !== undefined && { announcements }),
    ...(views !== undefined && { views }),
    notes: () => [
      ...journal.notes(),
      ...(views?.notes() ?? []),
      ...(parts.notes?.() ?? []),
      ...(keeper?.notes() ?? []),
      ...(onDisk?.check.notes() ?? []),
      ...readModel
        .state()
        .unreadable.slice(0, mostNoted)
        .map(({ text }) => text),
      ...memory.notes(),
      ...(consumers?.notes() ?? []),
    ],
    past: pasts.open,
    close: () => {
      closing ??= releaseAll();
      return closing;
    },
  };
  return store;
}
