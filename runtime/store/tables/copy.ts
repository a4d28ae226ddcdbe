/**
 * Copies of the read model, each on one registry: they serve slow queries, and queries that began under a previous
 * registry, without blocking the main read model. A copy starts with its first query, from the newest snapshot and the
 * log, and is closed some time after the last one: it takes as much memory as the read model itself. Nothing is sent to
 * it between queries.
 */
import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { Value } from '../../../language/values/type.ts';
import { Overtaken, type QueryOptions, type Row } from '../query.ts';
import type { StoredImage } from './live/images.ts';
import type { ReadModel } from './read-model.ts';

type Asked<T> = (
  query: CompiledQuery,
  parameters: readonly Value[],
  options: QueryOptions & { readonly compiledFor: ReadModelDefinition },
) => Promise<T>;

export interface ReadModelCopies {
  /**
   * Does the work of `ReadModel.query` on the durable state. Fails with `Overtaken` when another registry is in force, unless `answeredBy`
   * is `past`.
   */
  readonly query: Asked<readonly Row[]>;
  /** Does the work of `ReadModel.columns`, with the same failure. */
  readonly columns: Asked<ColumnBatch>;
  /** This definition is in force from now on: the one before ends with the log as it is now. */
  readonly changed: (definition: ReadModelDefinition) => void;
  readonly close: () => Promise<void>;
}

export interface CopyOptions {
  /** Opens a read model that sees the log only up to `end`. */
  readonly open: (end: () => number) => ReadModel;
  /** Number of the log's last entry. */
  readonly end: () => number;
  /** The definition of the read model itself; undefined during a change. */
  readonly inForce: () => ReadModelDefinition | undefined;
  readonly idleMilliseconds: number;
}

interface Copy {
  readonly definition: ReadModelDefinition;
  readonly model: ReadModel;
  readonly ready: Promise<void>;
  questions: number;
  /** Serves a reader of an earlier registry, which may ask again after its registry is replaced. */
  past: boolean;
  timer?: NodeJS.Timeout;
}

export function createReadModelCopies({ open, end, inForce, idleMilliseconds }: CopyOptions): ReadModelCopies {
  const copies = new Map<ReadModelDefinition, Copy>();
  /** The last entry of each replaced registry, which may not be able to read later ones. */
  const lastEntries = new WeakMap<ReadModelDefinition, number>();
  let latest: ReadModelDefinition | undefined;
  let closed = false;

  const stop = async (copy: Copy): Promise<void> => {
    clearTimeout(copy.timer);
    if (isHeld(copy)) copies.delete(copy.definition);
    await copy.model.close();
  };
  const isHeld = (copy: Copy): boolean => copies.get(copy.definition) === copy;
  const isWanted = (copy: Copy): boolean => copy.questions > 0 || copy.past || copy.definition === latest;

  const copyOn = (definition: ReadModelDefinition): Copy => {
    const known = copies.get(definition);
    if (known !== undefined) return known;
    const model = open(() => lastEntries.get(definition) ?? end());
    const ready = model.prepare(definition).then((swap) => swap());
    const copy: Copy = { definition, model, ready, questions: 0, past: false };
    copies.set(definition, copy);
    // The failed query reports the error; the next one starts another copy.
    ready.catch(() => void stop(copy));
    return copy;
  };

  const asked = async <T>(
    { compiledFor: definition, answeredBy, ...options }: Parameters<Asked<T>>[2],
    put: (model: ReadModel, options: QueryOptions) => Promise<T>,
  ): Promise<T> => {
    const past = answeredBy === 'past';
    const check = (): void => {
      if (!past && definition !== inForce()) throw new Overtaken();
    };
    if (closed) throw new Error('the copies of the read model are closed');
    check();
    const copy = copyOn(definition);
    clearTimeout(copy.timer);
    copy.questions += 1;
    copy.past ||= past;
    try {
      await copy.ready;
      check();
      return await put(copy.model, options);
    } finally {
      release(copy);
    }
  };

  const release = (copy: Copy): void => {
    copy.questions -= 1;
    if (copy.questions > 0 || !isHeld(copy)) return;
    if (isWanted(copy)) copy.timer = setTimeout(() => void stop(copy), idleMilliseconds).unref();
    else void stop(copy);
  };

  return {
    query: (query, parameters, options) => asked(options, (model, own) => model.query(query, parameters, own)),
    columns: (query, parameters, options) => asked(options, (model, own) => model.columns(query, parameters, own)),
    changed: (definition) => {
      if (latest !== undefined) lastEntries.set(latest, end());
      lastEntries.delete(definition);
      latest = definition;
      for (const copy of copies.values()) if (!isWanted(copy)) void stop(copy);
    },
    close: async () => {
      closed = true;
      await Promise.all([...copies.values()].map(stop));
    },
  };
}

/**
 * Images without entries past `end`: a later image has events of a later registry, which this one may not be able to
 * read.
 */
export async function* imagesUpTo(images: AsyncIterable<StoredImage>, end: () => number): AsyncGenerator<StoredImage> {
  for await (const image of images) {
    yield { ...image, fits: async (entry, checksum) => entry <= end() && (await image.fits(entry, checksum)) };
  }
}
