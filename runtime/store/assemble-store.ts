/**
 * Builds a store from its parts: a journal that makes lines durable, a ledger and turns that order appends, a read
 * model that answers queries. Differences between stores are parameters; nothing here knows of files.
 */
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import type { Clock, Randomness, StoreLog } from './disk.ts';
import type { Journal } from './journal.ts';
import { createBatchIds } from './journal/batch-ids.ts';
import { failing, followEntries, fresh, limited, readEntries } from './journal/views.ts';
import type { Announcements } from './announcements.ts';
import type { EventViews } from './event-views.ts';
import type { Claims } from './claims.ts';
import type { Consumers } from './consumers/consumers.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import { createReadModelCopies, imagesUpTo, type ReadModelCopies } from './read-model/copy.ts';
import { createFileReader } from './read-model/file-reader.ts';
import { createMoments } from './past/moment.ts';
import { createPasts } from './past/pasts.ts';
import { namingDisk } from './read-model/over-budget.ts';
import type { StoredImage } from './read-model/images.ts';
import type { FileCheck } from './read-model/file-check.ts';
import type { ModelFile, ModelFiles } from './read-model/model-file.ts';
import {
  createReadModel,
  type ReadModel,
  type ReadModelOptions,
  type ReadModelStart,
} from './read-model/read-model.ts';
import type { InspectionTables, QueryLimits, QueryOptions, Store } from './store.ts';
import { unreadableIn } from './unreadable-text.ts';
import type { Opening } from './opening.ts';
import type { LedgerFiles } from './ledger-files/ledger-files.ts';
import { createLedgerKeeper } from './ledger-files/ledger-keeper.ts';
import { refusing, replayLedger, restoreLedger, schemaOf } from './ledger-files/start-ledger.ts';
import { createCommandHash } from './turns/command-index.ts';
import { createLedger } from './turns/ledger.ts';
import { createTurns } from './turns/turns.ts';

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
  readonly images: ReadModelOptions['images'];
  /** Where the read model's tables are, if they are not in memory. */
  readonly onDisk?: DiskTables;
  /** Whether there is a snapshot: without one, the start does not need the read model. */
  readonly hasImages: boolean;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly log: StoreLog;
  /** Maximum memory of the read model; beyond it the store refuses appends. */
  readonly maxBytes: number;
  readonly opening?: Opening;
  /** Sentences about what needs attention, in addition to those of the journal. */
  readonly notes?: () => readonly string[];
  /** Called after each commit, with the present read model. */
  readonly onDurable?: (readModel: ReadModel) => void;
  /** Called when everything is durable and no append can follow. */
  readonly onClose: (readModel: ReadModel) => Promise<void>;
}

/** The files of a read model on disk, and those of its ledger. */
export interface DiskTables {
  readonly files: ModelFiles;
  readonly ledger: LedgerFiles;
  /** Heads and command ids in memory after which they are moved to files. */
  readonly ledgerInMemory?: number | undefined;
  readonly fits: StoredImage['fits'];
  /** Checks pages of the read model's file. */
  readonly check: FileCheck;
  /** A file for a copy on an earlier registry, and a function that removes it after its use. */
  readonly aside: () => { readonly file: ModelFile; readonly remove: () => Promise<void> };
}

const mebibyte = 1024 * 1024;
/** Events that cannot be read whole and that the notes name: the first ones show where to look. */
const mostNoted = 20;
/** Time after which an unused copy of the read model is closed. */
const idleMilliseconds = 60_000;

export async function assembleStore(parts: StoreParts): Promise<Store> {
  const { maxBytes } = parts;
  const journal = failing(parts.journal);
  const { onDisk } = parts;
  const start = journal.known();
  /** The last entry that this process has taken in, and the same once it has all that the log has now. */
  let applied = (): number => start.entry;
  let reached = (): Promise<number> => Promise.resolve(start.entry);
  const readModel = createReadModel({
    ...parts,
    journal: limited(
      journal,
      () => applied(),
      () => reached(),
    ),
    ...(onDisk !== undefined && { file: { place: onDisk.files.written, fits: onDisk.fits, check: onDisk.check } }),
  });
  const copies = createReadModelCopies({
    open: (end) =>
      openSecond(onDisk, {
        ...parts,
        journal: limited(journal, end, async () => {
          await reached();
          return end();
        }),
        images: () => imagesUpTo(parts.images(), end),
        place: 'background',
        starts: 'at once',
      }),
    end: () => applied(),
    inForce: readModel.inForce,
    idleMilliseconds,
  });
  const reader =
    onDisk === undefined
      ? undefined
      : createFileReader({ file: onDisk.files.read, readModel, clock: parts.clock, idleMilliseconds });
  /** Chooses the database for a query that does not go to the read model itself; a reader of the file cannot fill its tables. */
  const copyFor = (
    query: CompiledQuery,
    { answeredBy }: QueryOptions,
  ): Pick<ReadModelCopies, 'query' | 'columns'> | undefined => {
    if (reader === undefined || answeredBy === 'past') return copies;
    return query.sqlite.shared === undefined ? reader : undefined;
  };
  const prepare: Store['prepare'] = async (definition, limits) => {
    const swap = await readModel.prepare(definition, limits);
    return async () => {
      await swap();
      copies.changed(definition);
    };
  };
  const isForCopy = (options: QueryOptions): options is QueryOptions & { readonly compiledFor: ReadModelDefinition } =>
    options.compiledFor !== undefined &&
    (options.answeredBy === 'past' || (options.answeredBy === 'copy' && parts.place === 'worker'));
  const named = <T>(work: Promise<T>, limits: QueryLimits): Promise<T> =>
    onDisk === undefined
      ? work
      : work.catch((error: unknown) => {
          throw namingDisk(error, limits);
        });
  const ledger = createLedger(createCommandHash(journal.secret), onDisk && refusing(onDisk.ledger));
  const keeper =
    onDisk && createLedgerKeeper(ledger, onDisk.ledger, { log: parts.log, mostUnsaved: onDisk.ledgerInMemory });
  try {
    if (onDisk !== undefined) ledger.resume(onDisk.ledger.saved(), await schemaOf(onDisk.ledger, journal));
    else if (parts.hasImages) await restoreLedger(ledger, readModel);
    await replayLedger(ledger, journal, start.entry, keeper, parts.opening);
  } catch (error) {
    await readModel.close();
    await onDisk?.ledger.close();
    throw error;
  }
  let warned = false;
  const full = (): string | undefined => {
    const trouble = onDisk?.ledger.trouble();
    if (trouble !== undefined) return trouble;
    const { bytes } = readModel.state();
    if (bytes > maxBytes / 2 && !warned) {
      warned = true;
      parts.log('warn', memoryUse(bytes, maxBytes, parts.kind));
    }
    if (bytes <= maxBytes) return undefined;
    return `the read model takes ${Math.round(bytes / mebibyte)} MiB, more than the ${Math.round(maxBytes / mebibyte)} MiB allowed`;
  };
  const turns = createTurns({
    journal,
    ledger,
    end: start,
    shared: parts.shared === true,
    monotonic: () => performance.now(),
    full,
    log: parts.log,
    newBatch: createBatchIds(parts.random),
    unreadable: (streamType, streamId) => unreadableIn(readModel.state().unreadable, streamType, streamId),
    queryAhead: (ahead, query, parameters, options) => readModel.query(query, parameters, options, ahead),
    onDurable: (first, lines) => {
      readModel.follow(first, lines);
      keeper?.consider(first + lines.length - 1, lines.at(-1) ?? '');
      parts.onDurable?.(readModel);
    },
    onTakenBack: readModel.takenBack,
  });
  applied = () => turns.position().entry;
  reached = async () => (await turns.fresh()).entry;
  let isFollowed = false;
  const moments = createMoments(journal);
  const pasts = createPasts({
    ...parts,
    journal: limited(
      journal,
      () => applied(),
      () => reached(),
    ),
    place: parts.place === 'inline' ? 'inline' : 'background',
    openSecond: (options) => openSecond(onDisk, options),
    present: () => store,
  });
  let closing: Promise<void> | undefined;

  const store: Store = {
    kind: parts.kind,
    location: parts.location,
    shared: parts.shared === true,
    secret: Buffer.from(journal.secret, 'hex'),
    epoch: () => 0, // recorded entries never change
    knownPosition: turns.position,
    head: turns.head,
    freshPosition: turns.fresh,
    reach: turns.reach,
    lag: turns.lag,
    sharing: turns.sharing,
    attach: (follower) => {
      isFollowed = true;
      turns.attach(follower);
    },
    refusesWrites: turns.refusesWrites,
    refusesReads: turns.refusesReads,
    delaysReads: readModel.trouble,
    building: readModel.building,
    tables: () => {
      const { entry, bytes } = readModel.state();
      return { in: onDisk === undefined ? 'memory' : 'disk', entry, bytes };
    },
    examine: journal.look,
    notes: () => [
      ...journal.notes(),
      ...(parts.views?.notes() ?? []),
      ...(parts.notes?.() ?? []),
      ...(keeper?.notes() ?? []),
      ...(onDisk?.check.notes() ?? []),
      ...readModel
        .state()
        .unreadable.slice(0, mostNoted)
        .map(({ text }) => text),
      ...memoryNotes(readModel.state().bytes, maxBytes, parts.kind),
    ],
    adopt: async (definition) => (await prepare(definition))(),
    prepare,
    exclusively: turns.exclusively,
    query: (query, parameters, options = {}) => {
      const copy = isForCopy(options) ? copyFor(query, options)?.query(query, parameters, options) : undefined;
      return named(copy ?? readModel.query(query, parameters, options), options);
    },
    columns: (query, parameters, options) => {
      const copy = isForCopy(options) ? copyFor(query, options)?.columns(query, parameters, options) : undefined;
      return named(copy ?? readModel.columns(query, parameters, options), options);
    },
    read: (from) => {
      const end = parts.shared === true && isFollowed ? turns.fresh() : fresh(journal);
      end.catch(() => undefined); // an end that cannot be read fails the first step
      return readEntries(journal, from, end);
    },
    follow: (from, signal) =>
      followEntries(journal, from, signal, parts.shared === true && isFollowed ? turns.reach : undefined),
    schema: () => ledger.schema().filter((entry) => entry.number <= journal.known().entry),
    eventKinds: () => Promise.resolve(ledger.kinds()),
    putTable: readModel.putTable,
    putQuery: readModel.putQuery,
    dropTable: readModel.dropTable,
    rebuild: (projection, onProgress) => readModel.rebuild(`p$${projection}`, onProgress),
    inspectionTables: parts.inspectionTables,
    ...(parts.consumers !== undefined && { consumers: parts.consumers }),
    ...(parts.claims !== undefined && { claims: parts.claims }),
    ...(parts.announcements !== undefined && { announcements: parts.announcements }),
    ...(parts.views !== undefined && { views: parts.views }),
    moment: async (asked) => {
      await fresh(journal);
      const now = parts.clock();
      const { at } = turns.position();
      // After a clock was set back, the log is ahead of it.
      return moments(asked, now > at ? now : at);
    },
    past: pasts.open,
    close: () => {
      closing ??= (async () => {
        await parts.announcements?.leave();
        await parts.views?.close();
        await turns.close();
        try {
          await keeper?.finish();
          await parts.onClose(readModel);
        } finally {
          await onDisk?.ledger.close();
          await onDisk?.check.end();
          await pasts.close();
          await copies.close();
          await reader?.close();
          await readModel.close();
          await journal.close();
        }
      })();
      return closing;
    },
  };
  return store;
}

/** Opens a second read model: in memory, or in a file that is removed with it. */
function openSecond(onDisk: DiskTables | undefined, options: Omit<ReadModelOptions, 'file'>): ReadModel {
  const aside = onDisk?.aside();
  if (aside === undefined) return createReadModel(options);
  const model = createReadModel({
    ...options,
    file: { place: aside.file, fits: () => Promise.resolve(false), isAside: true },
  });
  return {
    ...model,
    close: async () => {
      await model.close();
      await aside.remove();
    },
  };
}

function memoryNotes(bytes: number, most: number, kind: Store['kind']): readonly string[] {
  return bytes > most / 2 ? [`${memoryUse(bytes, most, kind)}; past the limit nothing is written`] : [];
}

function memoryUse(bytes: number, most: number, kind: Store['kind']): string {
  const wayOut =
    kind === 'embedded' ? "; read.engine = 'disk' in the EVENTSTORE keeps it on disk from the next start on" : '';
  return `the read model takes ${Math.round(bytes / mebibyte)} MiB of at most ${Math.round(most / mebibyte)} MiB${wayOut}`;
}
