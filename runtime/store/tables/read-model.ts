/**
 * The read model as the store sees it: adopts registries, follows the durable log, answers queries on the durable state
 * or on that of a turn. `live/` has its parts: the database, which is replaced when it dies, the definition in force, the
 * queries. Commands continue meanwhile; the read model is never the truth.
 */
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { ColumnQuery, Query } from '../query.ts';
import type { QueryAhead } from '../turns/turn.ts';
import { createBuilding } from './live/building.ts';
import { createDefinitionInForce } from './live/definition-in-force.ts';
import { createLiveDatabase, type Live } from './live/live-database.ts';
import { createQuestions } from './live/questions.ts';
import { checkSessionTable, createSessionTables, fillTable } from './live/session-tables.ts';
import type { ReadModelOptions } from './live/read-model-options.ts';
import { settleNow } from './live/settle.ts';
import type { Tables } from './tables.ts';
import type { Conversation } from './thread/conversation.ts';
import type { SnapshotImage, StoredLedger } from './core/messages.ts';

/** The main read model, or a copy of it. */
export interface ReadModel extends Omit<Tables, 'in' | 'adopt' | 'columns'> {
  /** Does the work of `Tables.columns`, with any limits. */
  readonly columns: (...asked: Parameters<Query>) => ReturnType<ColumnQuery>;
  /** Lines that have just become durable; cheap. */
  readonly follow: (first: number, lines: readonly string[]) => void;
  /** Drops entries that turns had appended beyond the durable end. */
  readonly takenBack: () => void;
  /** Runs a query for a turn, on the durable state and its entries on top. */
  readonly queryAhead: QueryAhead;
  /** The ledger at the loaded snapshot; undefined without one, or when it does not show everything. */
  readonly ledger: () => Promise<StoredLedger | undefined>;
  readonly snapshot: () => Promise<SnapshotImage>;
  /** The definition for queries that are sent now; undefined during a change. */
  readonly inForce: () => ReadModelDefinition | undefined;
  /**
   * Resolves when all that is durable now, or with `local` all that is known here, is in the file, for readers of the file. Gives the last
   * of these entries, and the same object as long as the file is the same.
   */
  readonly settled: (local?: boolean) => Promise<{ readonly entry: number; readonly file: object }>;
  /** A reader found a page of that file damaged: it is built again, unless another one has replaced it. */
  readonly damaged: (file: object, problem: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function createReadModel(options: ReadModelOptions): ReadModel {
  const { journal, place } = options;
  const building = createBuilding({
    end: journal.end,
    log: options.log,
    isBuilt: options.file?.isAside ?? options.file === undefined,
  });
  const definition = createDefinitionInForce(options, building, () => database);
  const tables = createSessionTables(place !== 'inline');
  const database = createLiveDatabase(options, building, {
    restore: async (live) => {
      await definition.restore(live);
      await tables.restore(live);
    },
    started: definition.buildOn,
  });
  const { ready, patiently, feeding } = database;
  const questions = createQuestions(options, building, database, definition);

  const sendQuery = ({ talk }: Live, ...question: Parameters<Conversation['query']>): ReturnType<Query> =>
    talk.query(...question);
  const query: Query = (asked, parameters, asking) => questions.ask(asked, parameters, asking, undefined, sendQuery);

  const putTable: ReadModel['putTable'] = async (table, columns, rows) => {
    checkSessionTable(table);
    tables.keep(table, columns, rows);
    await patiently((current) => fillTable(current, table, columns, rows));
  };

  // A thread takes a while to start, and this one has other work meanwhile. A failure is reported by the first query.
  if (place !== 'inline') {
    if (options.starts === 'ahead') database.openAhead();
    else if (options.starts !== 'when asked') ready().catch(() => undefined);
  }

  return {
    prepare: definition.prepare,
    rebuild: definition.rebuild,
    inForce: definition.inForce,
    follow: (first, lines) => {
      // A database that is still starting reads them from the log.
      feeding()?.offer(first, lines);
    },
    takenBack: questions.takenBack,
    query,
    queryAhead: (ahead, asked, parameters, asking) => questions.ask(asked, parameters, asking, ahead, sendQuery),
    columns: (asked, parameters, asking) =>
      questions.ask(asked, parameters, asking, undefined, ({ talk }, question, signal) =>
        talk.columns(question, signal),
      ),
    putTable,
    putQuery: async (table, asked, parameters, asking) => {
      checkSessionTable(table);
      // The tables of a thread would be lost with it.
      if (place !== 'inline') {
        await putTable(table, asked.columns, await query(asked, parameters, asking));
        return;
      }
      const target = await journal.fresh();
      await patiently(async ({ talk, feed }) => {
        await feed.reach(target);
        feed.forget();
        const runnable = { ...asked.sqlite, parameters: asked.parameters, columns: asked.columns };
        const { instant = options.clock() } = asking ?? {};
        await talk.ask({ do: 'keep-query', table, query: runnable, parameters, instant });
      });
    },
    dropTable: async (table) => {
      checkSessionTable(table);
      tables.forget(table);
      await patiently(async ({ talk, feed }) => {
        feed.forget();
        await talk.ask({ do: 'drop', table });
      });
    },
    ledger: async () => {
      const { talk, loaded } = await ready();
      if (loaded === undefined) return undefined;
      const stored = (await talk.ask({ do: 'ledger' })) as StoredLedger; // the core's answer to `ledger`
      return stored.complete ? stored : undefined;
    },
    snapshot: () =>
      patiently(async ({ talk, feed }) => {
        await feed.reach(journal.end());
        feed.forget();
        return (await talk.ask({ do: 'snapshot' })) as SnapshotImage; // the core's answer to `snapshot`
      }),
    settled: (local) =>
      patiently(async (current) => {
        await building.within(questions.reachEnd(current.feed, undefined, local));
        return { entry: await settleNow(current), file: current };
      }),
    damaged: database.damaged,
    trouble: building.trouble,
    building: building.progress,
    state: database.state,
    close: database.close,
  };
}
