/**
 * The definition whose tables a read model has, and its changes: new tables are built aside from the log while
 * everything continues, then they are swapped in.
 */
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import { Failure } from '../../../../language/failure/failure.ts';
import type { AdoptionLimits, RebuildProgress } from '../tables.ts';
import type { Building } from './building.ts';
import type { ReadModelOptions } from './read-model-options.ts';
import type { Feed } from '../thread/feed.ts';
import type { FoldProgress } from '../core/messages.ts';
import type { Live, LiveDatabase } from './live-database.ts';

export interface DefinitionInForce {
  /** For queries that are sent now; undefined during a change. */
  readonly inForce: () => ReadModelDefinition | undefined;
  /** Builds tables for a definition aside; the result swaps them in. */
  readonly prepare: (next: ReadModelDefinition, limits?: AdoptionLimits) => Promise<() => Promise<void>>;
  /** Builds the folds behind a projection again. */
  readonly rebuild: (projection: string, onProgress: RebuildProgress) => Promise<void>;
  /** Gives a new database the tables of the definition in force. */
  readonly restore: (live: Live) => Promise<void>;
  /** A file is filled without waiting for a query: a long history takes minutes. */
  readonly buildOn: (feed: Feed) => void;
}

interface PrepareOptions {
  readonly rebuild?: readonly string[];
  readonly onProgress?: RebuildProgress;
  readonly limits?: AdoptionLimits;
}

/** Tables built aside for a definition. */
interface Prepared {
  readonly live: Live;
  /** There is no difference. */
  readonly same: boolean;
  /** Tables are rebuilt from the log. */
  readonly refills: boolean;
  /** Last entry that was sent again. */
  refilled: number;
}

/** `database` is asked for once a change begins, when it exists. */
export function createDefinitionInForce(
  { journal, file, starts = 'at once' }: Pick<ReadModelOptions, 'journal' | 'file' | 'starts'>,
  building: Building,
  database: () => LiveDatabase,
): DefinitionInForce {
  /** The last one that was put in force, which a new database gets. */
  let definition: ReadModelDefinition | undefined;
  /** The definition for queries that are sent now; undefined while it is unknown. */
  let inForce: ReadModelDefinition | undefined;
  /** The last build that was started: the core builds one at a time. */
  let prepared: Prepared | undefined;
  let adopting: Promise<unknown> = Promise.resolve();
  /** A database has been given the definition in force. */
  let restored = false;

  const buildOn = (feed: Feed): void => {
    if (file === undefined || inForce === undefined) return;
    const end = journal.end();
    // A failure ends the port, which is reported.
    feed.reach(end).then(
      () => building.done(end),
      () => undefined,
    );
  };

  const prepare = async (
    on: Live,
    next: ReadModelDefinition,
    { rebuild = [], onProgress = () => undefined, limits = {} }: PrepareOptions = {},
  ): Promise<Prepared> => {
    const { talk, feed } = on;
    feed.forget();
    const rebuilt = await talk.ask({ do: 'prepare', definition: next, rebuild }, limits.stepMilliseconds);
    const refills = Array.isArray(rebuilt) && rebuilt.length > 0;
    const begun: Prepared = { live: on, same: rebuilt === undefined, refills, refilled: 0 };
    prepared = begun;
    if (begun.same) return begun;
    await refill(begun);
    for (;;) {
      feed.forget();
      const slice = (await talk.ask({ do: 'fold' }, limits.stepMilliseconds)) as FoldProgress | undefined; // the core's answer to `fold`
      if (slice === undefined) return begun;
      // A slice before the events are counted creates tables and has no progress to report.
      if (slice.total > 0) await onProgress(slice.done, slice.total);
    }
  };

  /** Entries continue to arrive meanwhile; when it resolves, none was missing at that moment. */
  const refill = async (begun: Prepared): Promise<void> => {
    const { talk, feed } = begun.live;
    while (begun.refills && begun.refilled < feed.position()) {
      for await (const lines of journal.read(begun.refilled + 1, feed.position())) {
        feed.forget();
        await talk.ask({ do: 'refill', lines });
        begun.refilled += lines.length;
      }
    }
  };

  const swap = async (begun: Prepared, next: ReadModelDefinition, limits: AdoptionLimits = {}): Promise<void> => {
    const { talk, feed } = begun.live;
    if (!begun.same) {
      while (begun.refills && begun.refilled < feed.position()) await refill(begun);
      feed.forget();
      const { swapMilliseconds: milliseconds, stepMilliseconds } = limits;
      const request = milliseconds === undefined ? { do: 'swap' as const } : { do: 'swap' as const, milliseconds };
      const swapped = talk.ask(request, stepMilliseconds);
      inForce = undefined;
      if ((await swapped) === 'overtaken') return swap(await prepare(begun.live, next, { limits }), next, limits);
    }
    inForce = next;
    feed.open();
    buildOn(feed);
  };

  /** Runs one work after the other; each sees the result of the one before. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = adopting.then(work);
    adopting = done.catch(() => undefined);
    return done;
  };

  /** Swaps in the tables built aside, or builds them again if they were lost or another build has started since. */
  const swapInTurn = (begun: Prepared, next: ReadModelDefinition, limits?: AdoptionLimits): Promise<void> =>
    inTurn(() =>
      database().patiently(async (current) => {
        const ready =
          begun.live === current && begun === prepared
            ? begun
            : await prepare(current, next, limits === undefined ? {} : { limits });
        prepared = undefined;
        const before = inForce;
        try {
          await swap(ready, next, limits);
        } catch (error) {
          inForce = before;
          // The tables built aside still exist.
          if (error instanceof Failure && error.code === 'R0504') prepared = ready;
          throw error;
        }
        definition = next;
      }),
    );

  /** No events have to be read, and the database will get the definition once it has started. */
  const canWait = (): boolean => starts !== 'at once' && !restored && journal.end() === 0;

  const build: DefinitionInForce['prepare'] = async (next, limits) => {
    const options = limits === undefined ? {} : { limits };
    const begun = await inTurn(() => database().patiently((current) => prepare(current, next, options)));
    return () => swapInTurn(begun, next, limits);
  };

  return {
    inForce: () => inForce,
    prepare: async (next, limits) => {
      if (!canWait()) return build(next, limits);
      return async () => {
        // The database was given another definition since.
        if (restored) return (await build(next, limits))();
        definition = next;
        inForce = next;
      };
    },
    rebuild: (projection, onProgress) =>
      inTurn(() =>
        database().patiently(async (current) => {
          if (definition === undefined) return;
          await current.feed.reach(await journal.fresh());
          const begun = await prepare(current, definition, { rebuild: [`p$${projection}`], onProgress });
          prepared = undefined;
          await swap(begun, definition);
        }),
      ),
    restore: async (live) => {
      restored = true;
      if (definition !== undefined) await swap(await prepare(live, definition), definition);
    },
    buildOn,
  };
}
