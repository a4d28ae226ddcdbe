/** The store on a log in PostgreSQL: the read model is this process's own, everything else is shared with the other servers of the log. */
import { assembleStore } from '../assemble-store.ts';
import type { Clock, FileMark, Randomness, StoreLog } from '../disk.ts';
import { nodeDisk, systemClock, systemRandom } from '../disk/node-disk.ts';
import { nodeFileSystem } from '../disk/node-file-system.ts';
import { JournalFailure, type Journal } from '../journal.ts';
import type { Opening } from '../opening.ts';
import { notOurs } from '../tables/files/database-file.ts';
import { createDiskTables } from '../tables/disk-tables.ts';
import { defaultMaxBytes } from '../tables/memory-limit.ts';
import { defaultCacheBytes } from '../tables/files/model-file.ts';
import { readOnlyTables, type InspectionTables } from '../side/inspection-tables.ts';
import type { Store } from '../store.ts';
import { createAnnouncedRows, type AnnouncedRows } from './state/announced-rows.ts';
import { createClaimRows } from './state/claim-rows.ts';
import { createConsumerRows } from './state/consumer-rows.ts';
import { checkLandmarkFile, rememberLandmarks } from './lost-entries/landmark-file.ts';
import { tellLostEvents } from './lost-entries/lost-events.ts';
import { createInspectionRows } from './state/inspection-rows.ts';
import { createViewRows } from './state/view-rows.ts';
import { checkNamespace, defaultNamespace } from './namespace.ts';
import {
  channelOf,
  openPostgresJournal,
  type PostgresJournal,
  type PostgresJournalOptions,
} from './postgres-journal.ts';
import { readTarget } from './target.ts';

export interface PostgresStoreOptions {
  /** `durable.url`. */
  readonly url: string;
  /** `durable.listen_url`. */
  readonly listenUrl?: string;
  /** `durable.namespace`. */
  readonly namespace?: string;
  /** `read.poll_ms`. */
  readonly pollMilliseconds?: number;
  /** Time to wait for a database that is away at the start. */
  readonly waitMilliseconds?: number;
  readonly clock?: Clock;
  readonly random?: Randomness;
  readonly readModel?: 'worker' | 'inline';
  /** Maximum memory of the read model; beyond it the store refuses appends (`inmemory.max_mb`). */
  readonly maxBytes?: number;
  readonly log?: StoreLog;
  /** A directory of this process alone for a read model on disk; else it is in memory. */
  readonly tables?: { readonly directory: string; readonly cacheBytes?: number; readonly owner?: FileMark };
  /** A directory of this process alone, which remembers how far this process has read the log. */
  readonly directory?: string;
  /** If the log has lost entries that the directory remembers, continue without those from this one on. */
  readonly acceptLoss?: number;
  /** Hex of 32 bytes, for a new store that replaces another one; else random. */
  readonly secret?: string;
  /** Nothing will be appended: the role needs only the right to read, and the log must exist. */
  readonly readOnly?: boolean;
  /** The version of this product, which its entries name. */
  readonly product?: string;
  /** The namespace is that of an import, whose name is longer. */
  readonly imports?: boolean;
  /** For a caller who shows how far it is, or ends it. */
  readonly opening?: Opening;
}

/** Throws a `Failure`: R0501 for a wrong URL or namespace, and as `openPostgresJournal` does. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const isReadOnly = options.readOnly === true;
  const { directory, acceptLoss, log = () => undefined } = options;
  let opened: Store | undefined;
  let announcements: AnnouncedRows | undefined;
  const { journal, parts, inspectionTables } = await openParts(options, isReadOnly, {
    onLost: (lost) => {
      if (opened !== undefined) void tellLostEvents(opened, lost, { log, disk: nodeDisk, directory });
    },
    onAnnounced: (announced) => announcements?.seen(announced),
  });
  const { stateLink } = journal;
  const namespace = options.namespace ?? defaultNamespace;
  const { tables } = options;
  if (!isReadOnly)
    announcements = createAnnouncedRows({
      link: stateLink,
      namespace,
      id: Buffer.from(parts.random(8)).toString('hex'),
      ...(options.listenUrl !== undefined && { channel: channelOf(namespace) }),
      monotonic: () => performance.now(),
      log: parts.log,
    });
  const remembered = directory === undefined ? undefined : rememberLandmarks(nodeDisk, directory, journal, log);
  return closingOnFailure(journal, async () => {
    if (directory !== undefined) await checkLandmarkFile(nodeDisk, directory, namespace, journal, { acceptLoss, log });
    opened = await assembleStore({
      ...parts,
      ...(remembered !== undefined && { onDurable: remembered.moved, onClose: remembered.close }),
      ...(tables !== undefined && (await onDisk(journal, tables, parts.log))),
      journal,
      shared: true,
      inspectionTables,
      ...(!isReadOnly && {
        consumers: createConsumerRows(stateLink, namespace, parts.random, parts.log),
        claims: createClaimRows(stateLink, namespace),
        ...(announcements !== undefined && { announcements }),
        // Views of an import would stay behind when its tables take their place.
        ...(options.imports !== true && { views: createViewRows(stateLink, namespace, parts.log) }),
      }),
    });
    journal.markEnd();
    remembered?.moved();
    return opened;
  });
}

/**
 * Opens the store as it is now while its servers run: nothing is made, migrated or written, and entries that come later are not seen. Fails
 * with R0420 where there is no log. Its role needs only the right to read.
 */
export async function openReadOnlyPostgresStore(
  options: Omit<PostgresStoreOptions, 'imports' | 'secret' | 'readOnly' | 'tables' | 'directory' | 'acceptLoss'>,
): Promise<Store> {
  const { journal, parts, inspectionTables } = await openParts(options, true);
  return closingOnFailure(journal, () =>
    assembleStore({
      ...parts,
      journal: readOnly(journal),
      inspectionTables: readOnlyTables(inspectionTables, `the log in ${journal.place} is opened read-only`),
    }),
  );
}

type Parts = Omit<Parameters<typeof assembleStore>[0], 'journal' | 'inspectionTables' | 'shared'>;

async function openParts(
  options: PostgresStoreOptions,
  readOnly: boolean,
  callbacks: Pick<PostgresJournalOptions, 'onLost' | 'onAnnounced'> = {},
): Promise<{
  readonly journal: PostgresJournal;
  readonly parts: Parts;
  readonly inspectionTables: InspectionTables;
}> {
  const namespace = checkNamespace(options.namespace ?? defaultNamespace, options.imports === true ? 50 : 40);
  const random = options.random ?? systemRandom;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? (() => undefined);
  const journal = await openPostgresJournal({
    target: readTarget(options.url, 'durable.url'),
    namespace,
    random,
    now: () => Number(clock() / 1000n),
    monotonic: () => performance.now(),
    log,
    readOnly,
    ...callbacks,
    ...(options.listenUrl !== undefined && { listen: readTarget(options.listenUrl, 'durable.listen_url') }),
    ...(options.pollMilliseconds !== undefined && { pollMilliseconds: options.pollMilliseconds }),
    ...(options.waitMilliseconds !== undefined && { waitMilliseconds: options.waitMilliseconds }),
    ...(options.secret !== undefined && { secret: options.secret }),
    ...(options.product !== undefined && { product: options.product }),
    ...(options.opening !== undefined && { signal: options.opening.signal }),
  });
  const parts: Parts = {
    kind: 'postgres',
    location: journal.place,
    place: options.readModel ?? 'worker',
    clock,
    random,
    log,
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    ...(options.opening !== undefined && { opening: options.opening }),
  };
  return { journal, parts, inspectionTables: createInspectionRows(journal.stateLink, namespace, random) };
}

/** The file has no limit but the disk's. A file of another log, or of a history that was lost, does not fit and is dropped. */
async function onDisk(
  journal: PostgresJournal,
  { directory, cacheBytes = defaultCacheBytes, owner }: NonNullable<PostgresStoreOptions['tables']>,
  log: StoreLog,
): Promise<Pick<Parts, 'onDisk' | 'maxBytes'>> {
  const lost = (): string | undefined => (owner === undefined || nodeFileSystem.isAt(owner) ? undefined : notOurs);
  return {
    onDisk: await createDiskTables(nodeDisk, directory, journal, { cacheBytes, owner, lost, log }),
    maxBytes: Infinity,
  };
}

async function closingOnFailure(journal: PostgresJournal, assemble: () => Promise<Store>): Promise<Store> {
  try {
    return await assemble();
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** The log as it is now, on the same connections, which are closed with it. */
function readOnly(journal: PostgresJournal): Journal {
  const end = journal.known();
  const trouble = { reason: `the log in ${journal.place} is opened read-only`, heals: false };
  const refused = (): Promise<never> => Promise.reject(new JournalFailure(trouble));
  return {
    ...journal,
    known: () => end,
    fresh: () => Promise.resolve(end),
    append: refused,
    lock: refused,
    unlock: () => Promise.resolve(),
    settle: refused,
    trouble: () => trouble,
  };
}
