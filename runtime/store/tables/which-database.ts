/**
 * Decides which database answers a query: the read model, a reader of its file, a copy of it, or a copy on an earlier registry. Only the read
 * model answers decisions, and fills tables of sessions.
 */
import type { CompiledQuery } from '../../../language/contract/query.ts';
import { fail, Failure } from '../../../language/failure/failure.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { ReadModelLog } from '../journal/entries.ts';
import type { QueryLimits, QueryOptions } from '../query.ts';
import { overMemory, overTime } from './core/query-runner.ts';
import { createReadModelCopies, imagesUpTo, type ReadModelCopies } from './copy.ts';
import type { DiskTables } from './disk-tables.ts';
import { createFileReader } from './file-reader.ts';
import { createReadModel, type ReadModel } from './read-model.ts';
import type { ReadModelOptions } from './live/read-model-options.ts';
import type { Tables } from './tables.ts';

export interface TablesOptions extends Omit<ReadModelOptions, 'file'> {
  /** Where the tables are, if they are not in memory. */
  readonly onDisk?: DiskTables;
  /** The log for a copy that sees it only up to `end`. */
  readonly logUpTo: (end: () => number) => ReadModelLog;
}

/** Time after which an unused copy of the read model is closed. */
const idleMilliseconds = 60_000;

export interface Databases {
  readonly readModel: ReadModel;
  readonly tables: Tables;
  /** Closes the copies and the reader; the read model is closed by its owner. */
  readonly closeCopies: () => Promise<void>;
}

type ForCopy = QueryOptions & { readonly compiledFor: ReadModelDefinition };

export function createDatabases(options: TablesOptions): Databases {
  const { onDisk, place, clock, journal } = options;
  const readModel = createReadModel({
    ...options,
    ...(onDisk !== undefined && { file: { place: onDisk.files.written, fits: onDisk.fits, check: onDisk.check } }),
  });
  const copies = createReadModelCopies({
    open: (end) =>
      openSecond(onDisk, {
        ...options,
        journal: options.logUpTo(end),
        images: () => imagesUpTo(options.images(), end),
        place: 'background',
        starts: 'at once',
      }),
    end: journal.end,
    inForce: readModel.inForce,
    idleMilliseconds,
  });
  const reader = onDisk && createFileReader({ file: onDisk.files.read, readModel, clock, idleMilliseconds });

  const wantsCopy = (asked: QueryOptions): asked is ForCopy =>
    asked.compiledFor !== undefined &&
    (asked.answeredBy === 'past' || (asked.answeredBy === 'copy' && place === 'worker'));
  /** Undefined for the read model itself. A reader of the file cannot fill its tables. */
  const otherFor = (query: CompiledQuery, asked: ForCopy): Pick<ReadModelCopies, 'query' | 'columns'> | undefined => {
    if (reader === undefined || asked.answeredBy === 'past') return copies;
    return query.sqlite.shared === undefined ? reader : undefined;
  };
  const named = <T>(work: Promise<T>, asked: QueryOptions): Promise<T> =>
    onDisk === undefined
      ? work
      : work.catch((error: unknown) => {
          throw namingDisk(error, asked);
        });

  const prepare: Tables['prepare'] = async (definition, limits) => {
    const swap = await readModel.prepare(definition, limits);
    return async () => {
      await swap();
      copies.changed(definition);
    };
  };
  const tables: Tables = {
    ...readModel,
    in: onDisk === undefined ? 'memory' : 'disk',
    prepare,
    adopt: async (definition) => (await prepare(definition))(),
    query: (query, parameters, asked = {}) => {
      const other = wantsCopy(asked) ? otherFor(query, asked)?.query(query, parameters, asked) : undefined;
      return named(other ?? readModel.query(query, parameters, asked), asked);
    },
    columns: (query, parameters, asked) => {
      const other = wantsCopy(asked) ? otherFor(query, asked)?.columns(query, parameters, asked) : undefined;
      return named(other ?? readModel.columns(query, parameters, asked), asked);
    },
  };
  return {
    readModel,
    tables,
    closeCopies: async () => {
      await copies.close();
      await reader?.close();
    },
  };
}

/** Opens a second read model: in memory, or in a file that is removed with it. */
export function openSecond(onDisk: DiskTables | undefined, options: Omit<ReadModelOptions, 'file'>): ReadModel {
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

/** The error of a query on tables in a file: one over its time or memory names the disk, since pages that are not in memory had to be read. */
function namingDisk(error: unknown, limits: QueryLimits): unknown {
  if (!(error instanceof Failure)) return error;
  const { milliseconds, memory } = limits;
  if (milliseconds !== undefined && error.message === overTime(limits).message)
    return fail('R0301', { what: 'time', limit: `${milliseconds} ms`, onDisk: true });
  if (memory !== undefined && error.message === overMemory(memory).message)
    return fail('R0301', { what: 'memory', limit: `${Math.round(memory / 2 ** 20)} MiB`, onDisk: true });
  return error;
}
