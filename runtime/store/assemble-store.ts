/**
 * Builds a store from its parts: a journal that makes lines durable, a ledger and turns that order appends, a read
 * model that answers queries. Differences between stores are parameters; nothing here knows of files.
 */
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import { fail } from '../../language/failure/failure.ts';
import type { Clock, Randomness, StoreLog } from './disk.ts';
import type { LogEntry } from './entry.ts';
import { JournalFailure, type Journal, type JournalEnd } from './journal.ts';
import { createBatchIds } from './journal/batch-ids.ts';
import { readEntry } from './read-entry.ts';
import { createReadModelCopies, imagesUpTo } from './read-model/copy.ts';
import type { StoredImage } from './read-model/images.ts';
import { createReadModel, type ReadModel, type ReadModelOptions } from './read-model/read-model.ts';
import { refusedWrite } from './refused-write.ts';
import type { InspectionTables, QueryOptions, Store } from './store.ts';
import { createCommandHash } from './turns/command-index.ts';
import { createLedger, type Ledger } from './turns/ledger.ts';
import { createTurns } from './turns/turns.ts';

export interface StoreParts {
  readonly kind: Store['kind'];
  readonly location: string;
  readonly journal: Journal;
  readonly inspectionTables: InspectionTables;
  readonly place: 'inline' | 'worker';
  readonly startsWhenAsked?: boolean;
  readonly images: ReadModelOptions['images'];
  /** Whether there is a snapshot: without one, the start does not need the read model. */
  readonly hasImages: boolean;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly log: StoreLog;
  /** Maximum memory of the read model; beyond it the store refuses appends. */
  readonly maxBytes: number;
  /** Sentences about what needs attention, besides those of the journal. */
  readonly notes?: () => readonly string[];
  /** Called after each commit, with the present read model. */
  readonly onDurable?: (readModel: ReadModel) => void;
  /** Called when everything is durable and no append can follow. */
  readonly onClose: (readModel: ReadModel) => Promise<void>;
}

const mebibyte = 1024 * 1024;
/** How long an unused copy of the read model is kept. */
const idleMilliseconds = 60_000;

export async function assembleStore(parts: StoreParts): Promise<Store> {
  const { journal, maxBytes } = parts;
  const readModel = createReadModel({ ...parts, journal: limited(journal, () => journal.known().entry) });
  const copies = createReadModelCopies({
    open: (end) => {
      const images = (): AsyncGenerator<StoredImage> => imagesUpTo(parts.images(), end);
      return createReadModel({
        ...parts,
        journal: limited(journal, end),
        images,
        place: 'background',
        startsWhenAsked: false,
      });
    },
    end: () => journal.known().entry,
    inForce: readModel.inForce,
    idleMilliseconds,
  });
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
  const ledger = createLedger(createCommandHash(journal.secret));
  try {
    await restoreLedger(ledger, journal, parts.hasImages ? readModel : undefined);
  } catch (error) {
    await readModel.close();
    throw error;
  }
  let warned = false;
  const full = (): string | undefined => {
    const { bytes } = readModel.state();
    if (bytes > maxBytes / 2 && !warned) {
      warned = true;
      parts.log('warn', memoryUse(bytes, maxBytes));
    }
    if (bytes <= maxBytes) return undefined;
    return `the read model takes ${Math.round(bytes / mebibyte)} MiB, more than the ${Math.round(maxBytes / mebibyte)} MiB allowed`;
  };
  const turns = createTurns({
    journal,
    ledger,
    full,
    log: parts.log,
    newBatch: createBatchIds(parts.random),
    queryAhead: (ahead, query, parameters, options) => readModel.query(query, parameters, options, ahead),
    onDurable: (first, lines) => {
      readModel.follow(first, lines);
      parts.onDurable?.(readModel);
    },
    onTakenBack: readModel.takenBack,
  });
  let closing: Promise<void> | undefined;

  return {
    kind: parts.kind,
    location: parts.location,
    secret: Buffer.from(journal.secret, 'hex'),
    epoch: () => 0, // recorded entries never change
    knownPosition: turns.position,
    freshPosition: async () => {
      await fresh(journal);
      // The ledger does not follow other processes yet, so the last append of this one is the end.
      return turns.position();
    },
    refusesWrites: turns.refusesWrites,
    examine: journal.look,
    notes: () => [...journal.notes(), ...(parts.notes?.() ?? []), ...memoryNotes(readModel.state().bytes, maxBytes)],
    adopt: async (definition) => (await prepare(definition))(),
    prepare,
    exclusively: turns.exclusively,
    query: (query, parameters, options = {}) =>
      isForCopy(options) ? copies.query(query, parameters, options) : readModel.query(query, parameters, options),
    columns: (query, parameters, options) =>
      isForCopy(options) ? copies.columns(query, parameters, options) : readModel.columns(query, parameters, options),
    read: (from) => {
      const end = fresh(journal);
      end.catch(() => undefined); // an end that cannot be read fails the first step
      return readEntries(journal, from, end);
    },
    follow: (from, signal) => followEntries(journal, from, signal),
    schema: () => ledger.schema().filter((entry) => entry.number <= journal.known().entry),
    eventKinds: () => Promise.resolve(ledger.kinds()),
    putTable: readModel.putTable,
    putQuery: readModel.putQuery,
    dropTable: readModel.dropTable,
    rebuild: (projection, onProgress) => readModel.rebuild(`p$${projection}`, onProgress),
    inspectionTables: parts.inspectionTables,
    close: () => {
      closing ??= (async () => {
        await turns.close();
        try {
          await parts.onClose(readModel);
        } finally {
          await copies.close();
          await readModel.close();
          await journal.close();
        }
      })();
      return closing;
    },
  };
}

function memoryNotes(bytes: number, most: number): readonly string[] {
  return bytes > most / 2 ? [`${memoryUse(bytes, most)}; past that nothing is written`] : [];
}

function memoryUse(bytes: number, most: number): string {
  return `the read model takes ${Math.round(bytes / mebibyte)} MiB of at most ${Math.round(most / mebibyte)} MiB`;
}

/** The durable end; R0413 while it is unknown. */
async function fresh(journal: Journal): Promise<JournalEnd> {
  try {
    return await journal.fresh();
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    const { reason, heals } = error;
    throw refusedWrite({ reason: heals ? `the log is away (${reason})` : reason, heals });
  }
}

/** The same log for a read model that sees it only up to `end`. */
function limited(journal: Journal, end: () => number): ReadModelOptions['journal'] {
  const { secret, read } = journal;
  return {
    secret,
    read,
    end,
    fresh: async () => {
      await fresh(journal);
      return end();
    },
  };
}

async function* readEntries(
  journal: Journal,
  from: number,
  end: Promise<JournalEnd>,
): AsyncGenerator<LogEntry, void, undefined> {
  const { entry: to } = await end;
  if (from > to) return;
  for await (const lines of journal.read(Math.max(1, from), to)) {
    for (const line of lines) yield readEntry(line, journal.holder);
  }
}

async function* followEntries(
  journal: Journal,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<readonly LogEntry[], void, undefined> {
  for await (const lines of journal.follow(from, signal)) yield lines.map((line) => readEntry(line, journal.holder));
}

/** From the snapshot, if there is one, and the lines after it. */
async function restoreLedger(ledger: Ledger, journal: Journal, readModel: ReadModel | undefined): Promise<void> {
  const stored = await readModel?.ledger();
  if (stored !== undefined) ledger.restore({ ...stored, at: BigInt(stored.at) });
  const { entry: end } = journal.known();
  for await (const lines of journal.read(ledger.entry() + 1, end)) {
    for (const line of lines) ledger.replay(readEntry(line, journal.holder));
  }
  if (ledger.entry() !== end) throw fail('R0405', { file: 'the log', offset: 0, problem: 'its entries do not add up' });
}
